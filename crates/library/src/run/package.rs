//! The Python package of a library: its name, and what follows from several namespaces.
//!
//! Invariant: modules of one package have different names.

use std::path::PathBuf;

use crate::library::python;
use torchgen_base::diag::Diagnostic;
use torchgen_base::lang::is_word;
use torchgen_base::lang::python::is_keyword;
use torchgen_base::write::OutputFile;
use torchgen_generators::Flags;
use torchgen_generators::args::GenerateArgs;
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::JobError;
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::model::ATEN;
use torchgen_model::parse::entry::names::why_not_a_namespace;

/// The name of the Python package, if it is given: a name, or several with dots between them for a
/// package inside the author's own one.
///
/// # Errors
/// It is not an identifier, or two modules would have one name.
pub(super) fn name(
    args: &GenerateArgs,
    libraries: &[(String, Operators)],
    tables: &Tables,
) -> Result<Option<String>, JobError> {
    let Some(name) = &args.python_package else { return Ok(None) };
    let usage = |message: String| Diagnostic::new(&codes::USAGE, message);
    let is_word = |part: &str| {
        let starts = part.starts_with(|c: char| c.is_ascii_digit());
        part.chars().all(is_word) && !part.is_empty() && !starts && !is_keyword(part)
    };
    if !name.split('.').all(is_word) {
        return Err(usage(format!("`{name}` is not a valid name for a Python package")).into());
    }
    let outermost = name.split('.').next().unwrap_or(name);
    if let Some(reason) = why_not_a_namespace(outermost, tables) {
        let message = format!("a Python package cannot be called `{outermost}`: that is {reason}");
        return Err(usage(message).into());
    }
    for namespace in own_namespaces(libraries).filter(|_| own_namespaces(libraries).count() > 1) {
        let taken = |file: &&PathBuf| file.file_stem().is_some_and(|stem| stem == namespace);
        if let Some(file) = args.python_modules.iter().find(taken) {
            let file = file.display();
            let message = format!("the operators of `{namespace}` are in `{name}.{namespace}`: rename `{file}`");
            return Err(usage(message).into());
        }
    }
    Ok(Some(name.clone()))
}

/// Refuses a module of the author that would be in the place of a generated file of the package.
///
/// # Errors
/// There is such a module.
pub(super) fn refuse_replaced(package: &str, modules: &[PathBuf], files: &[OutputFile]) -> Result<(), JobError> {
    let directory = python::directory(package);
    let is_generated = |own: &str| files.iter().any(|file| file.path == format!("{directory}/{own}"));
    for module in modules {
        let own = module.file_name().unwrap_or_default().to_string_lossy();
        if !is_generated(&own) {
            continue;
        }
        let message =
            format!("`{}` would be replaced: `{own}` of the package `{package}` is generated", module.display());
        let help = match own.as_ref() {
            "__init__.py" => format!(
                "keep your package and put the generated one inside it: `PACKAGE {package}._ops` for CMake, or \
                 `--python-package {package}._ops`"
            ),
            _ => "give your module another name".to_owned(),
        };
        return Err(Diagnostic::new(&codes::USAGE, message).help(help).into());
    }
    Ok(())
}

/// The flags for one namespace: if the library defines operators in several, each has a package in
/// that of the library.
pub(super) fn flags_of(flags: &Flags, namespace: &str, libraries: &[(String, Operators)]) -> Flags {
    match &flags.python_package {
        Some(name) if own_namespaces(libraries).count() > 1 => {
            Flags { python_package: Some(format!("{name}.{namespace}")), in_python_package: true, ..flags.clone() }
        }
        _ => flags.clone(),
    }
}

/// The namespaces in which the library defines operators.
fn own_namespaces(libraries: &[(String, Operators)]) -> impl Iterator<Item = &str> {
    libraries.iter().map(|(namespace, _)| namespace.as_str()).filter(|namespace| *namespace != ATEN)
}

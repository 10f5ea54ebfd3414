//! The Python package of a library: its name, and what follows from several namespaces.
//!
//! Invariant: modules of one package have different names.

use std::path::PathBuf;

use torchgen_base::diag::Diagnostic;
use torchgen_base::lang::is_word;
use torchgen_base::lang::python::is_keyword;
use torchgen_generators::Flags;
use torchgen_generators::args::GenerateArgs;
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::JobError;
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::model::ATEN;
use torchgen_model::parse::entry::names::why_not_a_namespace;

/// The files of a package that are generated, without their ending.
const GENERATED: &[&str] = &["__init__", "_autograd", "_fakes", "_formulas", "_ops", "_tags"];

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
    let is_generated = |file: &&PathBuf| GENERATED.iter().any(|own| file.file_stem().is_some_and(|stem| stem == *own));
    if let Some(file) = args.python_modules.iter().find(is_generated) {
        let own = file.file_name().unwrap_or_default().display();
        let message = format!("`{}` would be replaced: `{own}` of the package `{name}` is generated", file.display());
        let help = match file.file_stem().is_some_and(|stem| stem == "__init__") {
            true => format!(
                "keep your package and put the generated one inside it: `PACKAGE {name}._ops` for CMake, or \
                 `--python-package {name}._ops`"
            ),
            false => "give your module another name".to_owned(),
        };
        return Err(usage(message).help(help).into());
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

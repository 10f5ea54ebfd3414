//! Looks for the Python functions that entries name, as fakes and kernels, in modules of the
//! library's own package.
//!
//! Invariant: an error is certain. Modules are those given, or else those below `python/` and
//! beside the YAML; if there is no module of that name, only the given ones are known to be all. A
//! module that imports everything of another may define any name.

use std::path::{Path, PathBuf};

use torchgen_base::diag::{CodeInfo, Diagnostic, Span, did_you_mean};
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::templates::files_below;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::outputs::Fake;
use torchgen_model::model::python_function::PythonFunction;

/// A function that an entry names, with its place, and the code of errors about it.
type Function<'f> = (&'f PythonFunction, Span, &'static CodeInfo);

/// The functions that an operator names.
fn functions_of(f: &NativeFunction) -> Vec<Function<'_>> {
    let fake = f.fake.as_ref().and_then(Fake::function).zip(f.spans.fake);
    let fake = fake.map(|(function, span)| (function, span, &codes::BAD_FAKE));
    let kernels = f.python_kernels.iter().map(|kernel| (&kernel.function, kernel.span, &codes::BAD_PYTHON_KERNEL));
    fake.into_iter().chain(kernels).collect()
}

/// Checks the functions of all namespaces.
///
/// # Errors
/// A module cannot be read.
pub(crate) fn check(
    libraries: &[(String, Operators)],
    given: &[PathBuf],
    source_path: &Path,
    session: &mut Session,
) -> Result<(), JobError> {
    let functions = libraries.iter().flat_map(|(_, operators)| &operators.functions);
    let is_own = |(named, ..): &Function<'_>| named.module.starts_with('.') && !named.module.starts_with("..");
    let functions: Vec<Function<'_>> = functions.flat_map(functions_of).filter(is_own).collect();
    if functions.is_empty() {
        return Ok(());
    }
    let modules = if given.is_empty() { found(source_path, session)? } else { given.to_vec() };
    for (function, span, code) in functions {
        let path = function.module.trim_start_matches('.').replace('.', "/");
        let files = [format!("{path}.py"), format!("{path}/__init__.py")];
        let is_named = |file: &PathBuf| files.iter().any(|own| file.ends_with(own));
        let mut named: Vec<PathBuf> = modules.iter().filter(|file| is_named(file)).cloned().collect();
        if given.is_empty() {
            named.extend(files.iter().map(|own| source_path.join(own)).filter(|path| session.seen.is_file(path)));
        }
        if named.is_empty() {
            if !given.is_empty() {
                let message = format!("the package has no module `{}`", function.module);
                let help = format!("pass `{}` with the Python modules of the library", files[0]);
                session.diagnostics.push(Diagnostic::new(code, message).at(span).help(help));
            }
            continue;
        }
        let mut defined = Vec::new();
        for file in &named {
            let bytes = session.read_bytes(file)?;
            defined.extend(definitions(&String::from_utf8_lossy(&bytes)));
        }
        let own = defined.iter().find(|one| one.name == function.name);
        let error = |message: String| Diagnostic::new(code, message).at(span);
        match own.map(|one| one.kind) {
            Some(DefinitionKind::Class) => {
                let message = format!("`{}` is a class in `{}`, not a function", function.name, named[0].display());
                session.diagnostics.push(error(message).help("write a function that takes the operator's arguments"));
            }
            None if !defined.iter().any(|one| one.kind == DefinitionKind::Everything) => {
                let message = format!("`{}` does not define `{}`", named[0].display(), function.name);
                let near = did_you_mean(&function.name, defined.iter().map(|one| one.name.as_str()));
                session.diagnostics.push(error(message).maybe_help(near));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The modules below a library's folder for Python.
fn found(source_path: &Path, session: &mut Session) -> Result<Vec<PathBuf>, JobError> {
    let is_module = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "py");
    let mut modules: Vec<PathBuf> = Vec::new();
    let python = source_path.join("python");
    if session.seen.is_dir(&python) {
        modules.extend(files_below(&python, &mut session.seen)?.into_iter().map(|(_, path)| path));
    }
    modules.retain(is_module);
    Ok(modules)
}

/// What a line of a module defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DefinitionKind {
    Function,
    Class,
    /// A value, or something imported.
    Other,
    /// All that another module has.
    Everything,
}

struct PythonDefinition {
    name: String,
    kind: DefinitionKind,
}

/// The names that a module may define, at any depth.
fn definitions(text: &str) -> Vec<PythonDefinition> {
    let mut all = Vec::new();
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    for line in text.lines().map(str::trim_start) {
        let line = line.strip_prefix("async ").unwrap_or(line);
        if let Some(rest) = line.strip_prefix("def ") {
            all.push(PythonDefinition { name: word(rest.trim_start()), kind: DefinitionKind::Function });
        } else if let Some(rest) = line.strip_prefix("class ") {
            all.push(PythonDefinition { name: word(rest.trim_start()), kind: DefinitionKind::Class });
        } else if line.starts_with("from ") && line.contains('*') {
            all.push(PythonDefinition { name: String::new(), kind: DefinitionKind::Everything });
        } else {
            // Assignments, and imports over several lines: any word may be a name.
            let names = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty());
            let defines =
                line.contains('=') || line.contains("import") || line.ends_with([',', ')']) || line.is_empty();
            let taken = if defines { usize::MAX } else { 1 };
            all.extend(
                names.take(taken).map(|name| PythonDefinition { name: name.to_owned(), kind: DefinitionKind::Other }),
            );
        }
    }
    // A function or class of a name counts before its uses.
    all.sort_by_key(|one| one.kind == DefinitionKind::Other);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_modules_define() {
        let text = "import torch\nfrom a import (\n    b as c,\n)\n\nasync def f(x):\n    return g(x)\nclass K:\n    pass\nh = f\n";
        let find = |name: &str| definitions(text).into_iter().find(|one| one.name == name).map(|one| one.kind);
        assert_eq!(find("f"), Some(DefinitionKind::Function));
        assert_eq!(find("K"), Some(DefinitionKind::Class));
        assert_eq!(find("c"), Some(DefinitionKind::Other));
        assert_eq!(find("h"), Some(DefinitionKind::Other));
        assert_eq!(find("k"), None);
        assert!(definitions("from .more import *\n").iter().any(|one| one.kind == DefinitionKind::Everything));
    }
}

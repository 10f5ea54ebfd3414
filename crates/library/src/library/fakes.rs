//! Looks for the Python functions that entries name, as fakes and kernels, in modules of the
//! library's own package.
//!
//! Invariant: an error of `check` is certain. Modules are those given, or else those below
//! `python/` and beside the YAML; if there is no module of that name, only the given ones are known
//! to be all. A module that imports everything of another may define any name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::fake_functions;
use torchgen_base::diag::{CodeInfo, Diagnostic, Help, Span, did_you_mean};
use torchgen_base::write::manifest::Seen;
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::templates::files_below;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::outputs::Fake;
use torchgen_model::model::python_function::{PythonFunction, PythonKernel};

/// A function that an entry names, with its place, and the code of errors about it.
type Function<'f> = (&'f PythonFunction, Span, &'static CodeInfo);

/// The functions that an operator names.
fn functions_of(f: &NativeFunction) -> Vec<Function<'_>> {
    let fake = f.fake.as_ref().and_then(Fake::function).zip(f.spans.fake);
    let fake = fake.map(|(function, span)| (function, span, &codes::BAD_FAKE));
    let kernels = f.python_kernels.iter().map(|kernel| (&kernel.function, kernel.span, &codes::BAD_PYTHON_KERNEL));
    fake.into_iter().chain(kernels).collect()
}

/// Whether a function is one of the library's own package.
fn is_own(function: &PythonFunction) -> bool {
    function.module.starts_with('.') && !function.module.starts_with("..")
}

/// Checks the functions of all namespaces.
///
/// # Errors
/// A module cannot be read.
pub(crate) fn check_fakes(
    libraries: &[(String, Operators)],
    given: &[PathBuf],
    source_path: &Path,
    session: &mut Session,
) -> Result<(), JobError> {
    let operators = libraries.iter().flat_map(|(_, operators)| &operators.functions);
    let all: Vec<Function<'_>> = operators.clone().flat_map(functions_of).collect();
    for (function, span, code) in all.iter().filter(|(function, ..)| !function.module.starts_with('.')) {
        session.diagnostics.extend(without_dot(function, *span, code, given, source_path, &mut session.seen));
    }
    let functions: Vec<Function<'_>> = all.into_iter().filter(|(function, ..)| is_own(function)).collect();
    if functions.is_empty() {
        return Ok(());
    }
    let modules = Modules::new(given, functions.iter().map(|(function, ..)| *function), source_path, session)?;
    for (function, span, code) in functions {
        let error = |message: String| Diagnostic::new(code, message).at(span);
        let error = match modules.look(function, session)? {
            InModule::Absent { file, near } => {
                error(format!("`{}` does not define `{}`", file.display(), function.name)).maybe_help(near)
            }
            InModule::Class { file } => class(function, &file, error),
            InModule::NoModule { wanted } if !given.is_empty() => {
                error(format!("the package has no module `{}`", function.module))
                    .help(format!("pass `{wanted}` with the Python modules of the library"))
            }
            InModule::Defined | InModule::NoModule { .. } => continue,
        };
        session.diagnostics.push(error);
    }
    for f in operators.filter(|f| !f.is_generated()) {
        let fake = f.fake.as_ref().and_then(Fake::function).zip(f.spans.fake);
        let Some((function, span)) = fake.filter(|(function, _)| is_own(function)) else { continue };
        if let Some(path) = modules.only_file(function, session) {
            let file = session.read_text(&path)?;
            let found = fake_functions::compared(f, &function.name, (file, session.sources.text(file)), span);
            session.diagnostics.extend(found);
        }
    }
    Ok(())
}

/// The error that a module is named as one outside the library's package, and the package has it.
fn without_dot(
    function: &PythonFunction,
    span: Span,
    code: &'static CodeInfo,
    given: &[PathBuf],
    source_path: &Path,
    seen: &mut Seen,
) -> Option<Diagnostic> {
    let PythonFunction { module, name } = function;
    let file = format!("{module}.py");
    let path = match given {
        [] => Some(source_path.join("python").join(file)).filter(|path| seen.is_file(path)),
        given => given.iter().find(|path| path.ends_with(&file)).cloned(),
    }?;
    let message = format!("`{}` is a module of the package, and `{module}` would be one outside it", path.display());
    let help = Help::write(format!(".{module}:{name}")).at(span, format!(".{module}:{name}"));
    Some(Diagnostic::new(code, message).at(span).help(help))
}

/// The error that a name is not that of a function.
fn class(function: &PythonFunction, file: &Path, error: impl Fn(String) -> Diagnostic) -> Diagnostic {
    error(format!("`{}` is a class in `{}`, not a function", function.name, file.display()))
        .help("write a function that takes the operator's arguments")
}

/// A kernel in Python that no module defines.
pub(crate) struct MissingKernel<'f> {
    /// The operator.
    pub(crate) f: &'f NativeFunction,
    pub(crate) kernel: &'f PythonKernel,
    /// The module that should define it; there may be none yet.
    pub(crate) file: PathBuf,
    /// A name of the module that is similar.
    pub(crate) near: Option<Help>,
}

/// The number of kernels of some operators that are functions of the library's package, and those
/// of them that no module defines. A class in place of a function is an error.
///
/// # Errors
/// A module cannot be read.
pub(crate) fn missing_kernels<'f>(
    operators: impl Iterator<Item = &'f NativeFunction>,
    given: &[PathBuf],
    source_path: &Path,
    session: &mut Session,
) -> Result<(usize, Vec<MissingKernel<'f>>), JobError> {
    let kernels = operators.flat_map(|f| f.python_kernels.iter().map(move |kernel| (f, kernel)));
    let kernels: Vec<_> = kernels.filter(|(_, kernel)| is_own(&kernel.function)).collect();
    if kernels.is_empty() {
        return Ok((0, Vec::new()));
    }
    let functions = kernels.iter().map(|(_, kernel)| &kernel.function);
    let modules = Modules::new(given, functions, source_path, session)?;
    let mut missing = Vec::new();
    for (f, kernel) in &kernels {
        let (file, near) = match modules.look(&kernel.function, session)? {
            InModule::Defined => continue,
            InModule::Class { file } => {
                let error = |message| Diagnostic::new(&codes::BAD_PYTHON_KERNEL, message).at(kernel.span);
                session.diagnostics.push(class(&kernel.function, &file, error));
                continue;
            }
            InModule::Absent { file, near } => (file, near),
            InModule::NoModule { wanted } => (source_path.join("python").join(wanted), None),
        };
        missing.push(MissingKernel { f, kernel, file, near });
    }
    Ok((kernels.len(), missing))
}

/// The modules of a library's package.
struct Modules {
    files: Vec<PathBuf>,
    /// The library's directory, unless the modules were given.
    beside: Option<PathBuf>,
    /// Packages inside the library's that functions are in.
    subpackages: BTreeSet<String>,
}

/// What the modules have for the name of a function.
enum InModule {
    /// A module defines it, or may do so.
    Defined,
    Class {
        file: PathBuf,
    },
    Absent {
        file: PathBuf,
        near: Option<Help>,
    },
    /// No module of that name is known; the path that it has in the package.
    NoModule {
        wanted: String,
    },
}

impl Modules {
    /// Those of a library, in which the functions are.
    fn new<'f>(
        given: &[PathBuf],
        functions: impl Iterator<Item = &'f PythonFunction>,
        source_path: &Path,
        session: &mut Session,
    ) -> Result<Modules, JobError> {
        let outer = |function: &PythonFunction| Some(function.module[1..].split_once('.')?.0.to_owned());
        let subpackages = functions.filter_map(outer).collect();
        Ok(match given {
            [] => Modules { files: found(source_path, session)?, beside: Some(source_path.to_owned()), subpackages },
            given => Modules { files: given.to_vec(), beside: None, subpackages },
        })
    }

    /// The files of a module, which is one or a package: those where the package has it, or else
    /// those that end so, since an author's directories may be others.
    fn files_of(&self, module: &str, package: &str, session: &mut Session) -> Vec<PathBuf> {
        if let Some(beside) = &self.beside {
            let python = beside.join("python");
            let places = [&python, beside].into_iter().flat_map(|dir| [dir.join(module), dir.join(package)]);
            let own: Vec<PathBuf> = places.filter(|path| session.seen.is_file(path)).collect();
            if !own.is_empty() {
                return own;
            }
        }
        // `python/inner/kernels.py` is `.inner.kernels` and not `.kernels`.
        let is_inner =
            |dir: &Path| dir.file_name().is_some_and(|name| self.subpackages.contains(&*name.to_string_lossy()));
        let ends_so = |file: &Path, end: &str| {
            file.ends_with(end) && !file.ancestors().nth(Path::new(end).components().count()).is_some_and(is_inner)
        };
        self.files.iter().filter(|file| ends_so(file, module) || ends_so(file, package)).cloned().collect()
    }

    /// The file of a function's module, if one alone has its name.
    fn only_file(&self, function: &PythonFunction, session: &mut Session) -> Option<PathBuf> {
        let path = function.module.trim_start_matches('.').replace('.', "/");
        let mut files = self.files_of(&format!("{path}.py"), &format!("{path}/__init__.py"), session);
        files.pop().filter(|_| files.is_empty())
    }

    fn look(&self, function: &PythonFunction, session: &mut Session) -> Result<InModule, JobError> {
        let path = function.module.trim_start_matches('.').replace('.', "/");
        let [module, package] = [format!("{path}.py"), format!("{path}/__init__.py")];
        let named = self.files_of(&module, &package, session);
        let Some(file) = named.first().cloned() else { return Ok(InModule::NoModule { wanted: module }) };
        let mut defined = Vec::new();
        for file in &named {
            let bytes = session.read_bytes(file)?;
            defined.extend(definitions(&String::from_utf8_lossy(&bytes)));
        }
        let own = defined.iter().find(|one| one.name == function.name);
        Ok(match own.map(|one| one.kind) {
            Some(DefinitionKind::Class) => InModule::Class { file },
            None if !defined.iter().any(|one| one.kind == DefinitionKind::Everything) => {
                let near = did_you_mean(&function.name, defined.iter().map(|one| one.name.as_str()));
                InModule::Absent { file, near }
            }
            _ => InModule::Defined,
        })
    }
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

//! The command `adopt`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::autograd::{self, Classes};
use super::merged::merged;
use super::output::{Entry, Library, Read};
use super::pybind::{Bound, Registrations};
use super::python::{Registered, imported, written};
use super::verify::verify;
use crate::from_cpp::{self, accepted, sources_of};
use serde::Serialize;

use torchgen_base::diag::{Diagnostic, plural};
use torchgen_base::lang::cpp;
use torchgen_base::render::Renderer;
use torchgen_base::write::OutputFile;
use torchgen_generators::args::AdoptArgs;
use torchgen_generators::info;
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::scaffold::MANAGER;
use torchgen_kit::driver::{JobError, Session, output};
use torchgen_library::kernels::test_skeletons::{FOLDER as FOLDER_OF_TESTS, package_of, tests_for};
use torchgen_library::library::kernels::is_source;
use torchgen_model::codes;

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("adopt", "adopt", "YAML and a report for a library that registers itself", &["native_functions.yaml", "derivatives.yaml", "library.yaml", "registrations.cpp", "ADOPT-REPORT.md"]);

/// The folder of the YAML, beside the sources.
const FOLDER: &str = "ops";

/// The file with the settings of a library.
const SETTINGS: &str = "library.yaml";

/// The file with the formulas of autograd functions.
const DERIVATIVES: &str = "derivatives.yaml";

/// The source that registers the functions of Python modules.
const REGISTRATIONS: &str = "registrations.cpp";

/// Reads the library, and shows or writes what it gets, or verifies it.
///
/// # Errors
/// A source cannot be read, there is no operator, or a file cannot be written.
pub fn adopt(args: &AdoptArgs, session: &mut Session) -> Result<Summary, JobError> {
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    let is_python = |path: &Path| path.extension().is_some_and(|ending| ending == "py");
    let all = sources_of(&args.sources, &args.exclude, |path| is_source(path) || is_python(path), session)?;
    let (python, mut sources): (Vec<PathBuf>, Vec<PathBuf>) = all.into_iter().partition(|path| is_python(path));
    let directory = args.out_dir.clone().unwrap_or_else(|| beside(&args.sources, session));
    // What an earlier run wrote registers operators too.
    let registrations = directory.join(REGISTRATIONS);
    if session.seen.is_file(&registrations) && !has(&sources, &registrations, session) {
        sources.push(registrations.clone());
    }
    let mut found = from_cpp::operators(&sources, args.namespace.as_deref(), &args.define, session)?;
    let python = written(&python, &args.python, &renderer)?;
    let loaded = match &args.python_package {
        Some(package) => imported(package, &args.python, &renderer)?,
        None => Registered::default(),
    };
    let bound = Bound::new(&mut found, args.namespace.as_deref(), &session.sources, &mut session.diagnostics);
    let conditions = std::mem::take(&mut found.conditions);
    let operators = merged(&found, &python.operators, &loaded.operators);
    if operators.is_empty() {
        session.fail_on_errors(args.common.strict)?;
        return Err(nothing(bound.found, found.classes.len() + python.classes.len()).into());
    }
    if args.verify {
        let same = verify(&directory, &operators, session)?;
        session.fail_on_errors(args.common.strict)?;
        let said = format!("{} registered as `{}` says", plural(same, "operator"), directory.display());
        return Ok(Summary { said: Some(said), ..Summary::default() });
    }
    let tables = session.tables.clone();
    let package = args.python_package.as_deref();
    let accepted = |entry: &Entry| match renderer.fragment("torch/adopt/native_functions.yaml.j2", &Alone::new(entry)) {
        Ok(text) => accepted(&text, &tables),
        Err(error) => Err(error.to_string()),
    };
    let read = Read {
        found: &found,
        python: &python,
        loaded: &loaded,
        bound: &bound,
        conditions,
        sources: &session.sources,
        tables: &tables,
        accepted: &accepted,
    };
    let classes = Classes {
        operators: &operators,
        found: &found,
        python: &python.classes,
        sources: &session.sources,
        tables: &tables,
    };
    let autograd = autograd::Entries::new(&classes);
    let mut library = Library::new(&operators, read, package, command(args));
    library.set_autograd(autograd);
    let mut yaml = |library: &Library<'_>, session: &mut Session| texts_of(library, &directory, &renderer, session);
    autograd::check(&mut library, &directory.join(DERIVATIVES), &args.common, &mut yaml, session)?;
    let report = renderer.fragment("torch/adopt/report.md.j2", &library)?;
    // The report has what else was found.
    session.fail_on_errors(false)?;
    if args.common.strict && library.not_understood() > 0 {
        session.host.print(&report.to_string())?;
        let message = format!("{} not understood", plural(library.not_understood(), "place"));
        session.diagnostics.push(Diagnostic::new(&codes::CPP_NOTHING, message));
        session.fail_on_errors(true)?;
    }
    if library.written() == 0 {
        session.host.print(&report.to_string())?;
        let message = "no operator can be an entry: the report has the reasons";
        return Err(Diagnostic::new(&codes::CPP_NOTHING, message).into());
    }
    let said = format!("{} in {}", plural(library.written(), "operator"), directory.display());
    if !args.write {
        session.host.print(&report.to_string())?;
        let said = format!("{said}: `--write` writes them");
        return Ok(Summary { said: Some(said), ..Summary::default() });
    }
    let mut files = vec![OutputFile::new(MANAGER, "ADOPT-REPORT.md", report)];
    let source = Registrations::new(&bound, &directory, |name| library.has(name));
    if let Some(source) = source.filter(|_| !session.seen.is_file(&registrations)) {
        let text = renderer.fragment("torch/adopt/registrations.cpp.j2", &source)?;
        files.push(OutputFile::new(MANAGER, REGISTRATIONS, cpp::laid_out(&text)));
    }
    let shown = texts_of(&library, &directory, &renderer, session)?;
    for (path, text) in &shown {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        files.push(OutputFile::new(MANAGER, name, text.to_string()));
    }
    // Tests are made of the YAML before any of it is written.
    let is_new = files.iter().any(|file| file.path == SETTINGS);
    let own = if is_new { Some(library.generated.clone()) } else { package_of(&directory.join(SETTINGS)) };
    session.seen.show(Arc::new(shown));
    let tests = tests_for(&directory, own.as_deref(), &renderer, &args.common, session)?;
    session.seen.show(Arc::default());
    let said = format!("{said}, and {}", tests.said);
    files.extend(
        tests.files.into_iter().map(|test| OutputFile { path: format!("{FOLDER_OF_TESTS}/{}", test.path), ..test }),
    );
    let summary = output::write_below(&args.common, MANAGER, &directory, files, renderer, session)?;
    Ok(Summary { said: Some(said), ..summary })
}

/// The error that nothing is an operator: of functions of Python modules and autograd functions.
fn nothing(functions: usize, classes: usize) -> Diagnostic {
    let (message, help) = match (functions, classes) {
        (0, 0) => (
            "nothing registers an operator".to_owned(),
            "name the directory of the sources, and the package with `--python-package`",
        ),
        (0, _) => (
            format!(
                "nothing registers an operator that {} could be the derivative of",
                plural(classes, "autograd function")
            ),
            "make an operator of what `forward` computes, by `torch.library.custom_op` or `TORCH_LIBRARY`",
        ),
        _ => {
            let message = "no function of a Python module can be an operator";
            return Diagnostic::new(&codes::CPP_NOTHING, message);
        }
    };
    Diagnostic::new(&codes::CPP_NOTHING, message).help(help)
}

/// The YAML that a directory lacks: authors edit what is there.
fn texts_of(
    library: &Library<'_>,
    directory: &Path,
    renderer: &Renderer,
    session: &mut Session,
) -> Result<BTreeMap<PathBuf, Arc<String>>, JobError> {
    let mut shown = BTreeMap::new();
    let names = ["native_functions.yaml", DERIVATIVES, SETTINGS];
    for name in names.into_iter().filter(|name| *name != DERIVATIVES || library.has_classes()) {
        let path = directory.join(name);
        if !session.seen.is_file(&path) {
            let text = renderer.fragment(&format!("torch/adopt/{name}.j2"), library)?;
            shown.insert(std::path::absolute(&path).unwrap_or(path), Arc::new(text.to_string()));
        }
    }
    Ok(shown)
}

/// Whether a file is among others.
fn has(files: &[PathBuf], one: &Path, session: &Session) -> bool {
    let identity = session.seen.identity(one);
    files.iter().any(|file| session.seen.identity(file) == identity)
}

/// One entry, as a file of its own.
#[derive(Serialize)]
struct Alone<'a> {
    entries: [&'a Entry; 1],
    says_own: bool,
}

impl<'a> Alone<'a> {
    fn new(entry: &'a Entry) -> Alone<'a> {
        Alone { entries: [entry], says_own: true }
    }
}

/// The folder for the YAML of sources.
fn beside(sources: &[PathBuf], session: &mut Session) -> PathBuf {
    let first = sources.first().map_or(Path::new("."), PathBuf::as_path);
    match session.seen.is_dir(first) {
        true => first.join(FOLDER),
        false => first.parent().unwrap_or(Path::new(".")).join(FOLDER),
    }
}

/// The command that compares later states.
fn command(args: &AdoptArgs) -> String {
    let mut words = vec!["torchgen-rs adopt".to_owned()];
    words.extend(args.sources.iter().map(|path| path.display().to_string()));
    words.extend(args.exclude.iter().map(|path| format!("--exclude {}", path.display())));
    words.extend(args.define.iter().map(|(name, value)| format!("--define {name}={value}")));
    let flags = [("--python-package", &args.python_package), ("--namespace", &args.namespace)];
    words.extend(flags.iter().filter_map(|(flag, value)| Some(format!("{flag} {}", value.as_ref()?))));
    words.extend(args.out_dir.iter().map(|path| format!("--out-dir {}", path.display())));
    words.push("--verify".to_owned());
    words.join(" ")
}

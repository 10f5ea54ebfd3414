//! The command `adopt`.

use std::path::{Path, PathBuf};

use super::loaded::{Loaded, load};
use super::merged::merged;
use super::output::Library;
use super::verify::verify;
use crate::from_cpp::found;
use torchgen_base::diag::{Diagnostic, plural};
use torchgen_base::write::OutputFile;
use torchgen_generators::args::AdoptArgs;
use torchgen_generators::info;
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::scaffold::MANAGER;
use torchgen_kit::driver::{JobError, Session, output};
use torchgen_model::codes;

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("adopt", "adopt", "YAML and a report for a library that registers itself", &["native_functions.yaml", "library.yaml", "ADOPT-REPORT.md"]);

/// The folder of the YAML, beside the sources.
const FOLDER: &str = "ops";

/// Reads the library, and shows or writes what it gets, or verifies it.
///
/// # Errors
/// A source cannot be read, there is no operator, or a file cannot be written.
pub fn adopt(args: &AdoptArgs, session: &mut Session) -> Result<Summary, JobError> {
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    let found = found(&args.sources, args.namespace.as_deref(), session)?;
    let loaded = match &args.python_package {
        Some(package) => load(package, &args.python, &renderer)?,
        None => Loaded::default(),
    };
    let operators = merged(&found, &loaded.operators);
    if operators.is_empty() {
        session.fail_on_errors(args.common.strict)?;
        let help = "name the directory of the C++ sources, and the package with `--python-package`";
        return Err(Diagnostic::new(&codes::CPP_NOTHING, "nothing registers an operator").help(help).into());
    }
    let directory = args.out_dir.clone().unwrap_or_else(|| beside(&args.sources, session));
    if args.verify {
        let same = verify(&directory, &operators, session)?;
        session.fail_on_errors(args.common.strict)?;
        let said = format!("{} registered as `{}` says", plural(same, "operator"), directory.display());
        return Ok(Summary { said: Some(said), ..Summary::default() });
    }
    let tables = session.tables.clone();
    let package = args.python_package.as_deref();
    let library = Library::new(&operators, (&found, &loaded), package, command(args), &tables);
    let report = renderer.fragment("torch/adopt/report.md.j2", &library)?;
    // The report has what else was found.
    session.fail_on_errors(false)?;
    if args.common.strict && library.not_understood() > 0 {
        session.host.print(&report.to_string())?;
        let message = format!("{} not understood", plural(library.not_understood(), "place"));
        session.diagnostics.push(Diagnostic::new(&codes::CPP_NOTHING, message));
        session.fail_on_errors(true)?;
    }
    let said = format!("{} in {}", plural(library.written(), "operator"), directory.display());
    if !args.write {
        session.host.print(&report.to_string())?;
        let said = format!("{said}: `--write` writes them");
        return Ok(Summary { said: Some(said), ..Summary::default() });
    }
    let texts = [
        ("native_functions.yaml", "torch/adopt/native_functions.yaml.j2"),
        ("library.yaml", "torch/adopt/library.yaml.j2"),
    ];
    let mut files = vec![OutputFile::new(MANAGER, "ADOPT-REPORT.md", report)];
    for (name, template) in texts {
        // An author edits them.
        if !session.seen.is_file(&directory.join(name)) {
            files.push(OutputFile::new(MANAGER, name, renderer.fragment(template, &library)?));
        }
    }
    let summary = output::write_below(&args.common, (MANAGER, &directory), files, renderer, session)?;
    Ok(Summary { said: Some(said), ..summary })
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
    let flags = [("--python-package", &args.python_package), ("--namespace", &args.namespace)];
    words.extend(flags.iter().filter_map(|(flag, value)| Some(format!("{flag} {}", value.as_ref()?))));
    words.extend(args.out_dir.iter().map(|path| format!("--out-dir {}", path.display())));
    words.push("--verify".to_owned());
    words.join(" ")
}

//! `torchgen-rs audit`: whether a built library needs nothing of libtorch but the stable ABI.
//!
//! Data flows `symbols -> classify -> report`. Invariant: every symbol that the library imports is
//! in exactly one class, and nothing is loaded or run.

mod classify;
mod report;
mod symbols;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use self::classify::{Class, classify};
use self::report::RelevantImports;
use torchgen_base::diag::{Diagnostic, Severity, plural};
use torchgen_generators::args::AuditArgs;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::templates::files_below;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::stable::shim::Shim;
use torchgen_model::codes;

/// Whether a file has the name of a shared library: `a.so`, `a.so.1`, `a.pyd`, `a.dll`, `a.dylib`.
pub fn is_library(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let version = name.rsplit_once(".so.").map(|(_, version)| version);
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
        || [".so", ".pyd", ".dll", ".dylib"].iter().any(|ending| name.ends_with(ending))
}

/// The files that are given, and the libraries below the directories.
fn libraries_of(given: &[PathBuf], session: &mut Session) -> Result<Vec<PathBuf>, JobError> {
    let mut files = Vec::new();
    for path in given {
        if session.seen.is_dir(path) {
            let below = files_below(path, &mut session.seen)?.into_iter().map(|(_, path)| path);
            let mut found: Vec<PathBuf> = below.filter(|path| is_library(path)).collect();
            found.sort();
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// Runs the job.
///
/// # Errors
/// A library cannot be read, or needs what not every torch version from the minimum on has.
pub fn audit(args: &AuditArgs, session: &mut Session) -> Result<Summary, JobError> {
    session.checks_only = true;
    let shim = Shim::read_table();
    let mut lines = Vec::new();
    let paths = libraries_of(&args.libraries, session)?;
    if paths.is_empty() {
        let given: Vec<String> = args.libraries.iter().map(|path| format!("`{}`", path.display())).collect();
        let message = match given.as_slice() {
            [] => "there is no built library to read".to_owned(),
            given => format!("there is no library in {}", given.join(", ")),
        };
        let help = "name libraries, or directories with them; without one, audit reads those in Python packages below `build/`";
        return Err(Diagnostic::new(&codes::USAGE, message).help(help).into());
    }
    for path in session.distinct(&paths) {
        let bytes = session.read_bytes(path)?;
        let imports = match symbols::imports(&bytes) {
            Ok(imports) => imports,
            Err(reason) => {
                let message = format!("`{}` is not a library: {reason}", path.display());
                let help = "audit reads ELF, Mach-O and PE files";
                session.diagnostics.push(Diagnostic::new(&codes::AUDIT_FORMAT, message).help(help));
                continue;
            }
        };
        let mut found = RelevantImports::default();
        for import in &imports {
            match classify(import, &shim) {
                Class::Shim(function) => found.shim.push((import.name.clone(), function.clone())),
                Class::Torch => drop(found.torch.insert(import.readable())),
                Class::Python => drop(found.python.insert(import.name.clone())),
                Class::Other => {}
            }
        }
        let before = session.diagnostics.len();
        session.diagnostics.extend(report::diagnostics(path, &found, args.torch_min));
        let failed = session.diagnostics.iter().skip(before).any(|found| found.severity == Severity::Error);
        if !failed {
            lines.push(report::verdict(path, &found, args.torch_min));
        }
    }
    session.fail_on_errors(args.common.strict)?;
    let said = match lines.as_slice() {
        [line] => line.clone(),
        _ => format!("{}, all on the stable ABI", plural(lines.len(), "file")),
    };
    Ok(Summary { said: Some(said), ..Summary::default() })
}

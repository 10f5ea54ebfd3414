//! `torchgen-rs audit`: whether a built library needs nothing of libtorch but the stable ABI.
//!
//! Data flows `symbols -> classify -> report`. Invariant: every symbol that the library imports is
//! in exactly one class, and nothing is loaded or run.

mod classify;
mod report;
mod symbols;
#[cfg(test)]
mod tests;

use self::classify::{Class, classify};
use self::report::Found;
use torchgen_base::diag::{Diagnostic, Severity, plural};
use torchgen_generators::args::AuditArgs;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::stable::shim::Shim;
use torchgen_model::codes;

/// Runs the job.
///
/// # Errors
/// A library cannot be read, or needs what not every torch version from the minimum on has.
pub fn audit(args: &AuditArgs, session: &mut Session) -> Result<Summary, JobError> {
    session.checks_only = true;
    let shim = Shim::read();
    let mut lines = Vec::new();
    for path in &args.libraries {
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
        let mut found = Found::default();
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
    session.check(args.common.strict)?;
    let said = match lines.as_slice() {
        [line] => line.clone(),
        _ => format!("{}, all on the stable ABI", plural(lines.len(), "file")),
    };
    Ok(Summary { said: Some(said), ..Summary::default() })
}

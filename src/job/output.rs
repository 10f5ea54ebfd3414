//! The last step of a job: files, lists of outputs, depfile.
//!
//! Invariant: a dry run writes nothing but the lists that were asked for.

use std::path::{Path, PathBuf};

use super::report::Summary;
use super::{Session, Stop};
use crate::cli::CommonArgs;
use crate::diag::Diagnostic;
use crate::render::Renderer;
use crate::write::{OutputFile, Plan, write_depfile, write_file_lists};

/// Writes what differs, and what build systems asked for. The plan has its install directories already; `lists` is what `--output-dependencies` names.
///
/// # Errors
/// Files that clash or cannot be written.
pub(super) fn write(
    common: &CommonArgs,
    dry_run: bool,
    lists: Option<&Path>,
    mut plan: Plan,
    files: Vec<OutputFile>,
    renderer: &Renderer,
    session: &Session,
) -> Result<Summary, Stop> {
    plan.add(files).map_err(|errors| Stop::Failed(errors.iter().map(Diagnostic::from).collect()))?;
    let report = plan.write(dry_run).map_err(|errors| Stop::Failed(errors.iter().map(Diagnostic::from).collect()))?;
    if let Some(path) = lists {
        write_file_lists(renderer, &plan, path).map_err(|error| Diagnostic::from(&error))?;
    }
    if let Some(path) = &common.depfile {
        let targets: Vec<PathBuf> = plan.files().map(|(path, _)| path.to_owned()).collect();
        write_depfile(renderer, path, &targets, &session.inputs).map_err(|error| Diagnostic::from(&error))?;
    }
    Ok(Summary { planned: plan.files().count(), report, dry_run })
}

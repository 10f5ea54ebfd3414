//! The last step of a job: files, lists of outputs, depfile, and what the next run needs to know.
//!
//! Invariant: a dry run writes nothing but the lists that were asked for.

use std::path::{Path, PathBuf};

use super::report::Summary;
use super::{Session, Stop, discard, memory};
use crate::cli::CommonArgs;
use crate::diag::Diagnostic;
use crate::render::Renderer;
use crate::write::{Manager, OutputFile, Plan, write_depfile, write_file_lists};

/// What a job has made, not yet written.
pub(super) struct Made {
    /// Where each manager's files go.
    pub(super) installs: Vec<(Manager, PathBuf)>,
    /// The files, in the order in which they are listed.
    pub(super) files: Vec<OutputFile>,
    /// The templates they were made from; lists of outputs have one too.
    pub(super) renderer: Renderer,
}

/// How to write.
pub(super) struct How<'a> {
    pub(super) common: &'a CommonArgs,
    pub(super) dry_run: bool,
    /// Where lists of outputs go.
    pub(super) lists: Option<&'a Path>,
}

/// Writes what differs, and what build systems asked for.
///
/// # Errors
/// Files that clash or cannot be written.
pub(super) fn write(how: &How, made: Made, session: &mut Session) -> Result<Summary, Stop> {
    let mut plan = Plan::new();
    for (manager, dir) in made.installs {
        plan.install(manager, dir);
    }
    plan.add(made.files).map_err(|errors| Stop::Failed(errors.iter().map(Diagnostic::from).collect()))?;
    let report =
        plan.write(how.dry_run).map_err(|errors| Stop::Failed(errors.iter().map(Diagnostic::from).collect()))?;
    session.timings.lap("write");
    if let Some(path) = how.lists {
        write_file_lists(&made.renderer, &plan.lists(), path).map_err(|error| Diagnostic::from(&error))?;
    }
    if let Some(path) = &how.common.depfile {
        let targets: Vec<PathBuf> = plan.files().map(|(path, _)| path.to_owned()).collect();
        write_depfile(&made.renderer, path, &targets, &session.inputs).map_err(|error| Diagnostic::from(&error))?;
    }
    let removed = match how.dry_run {
        true => Vec::new(),
        false => memory::remember(how.common, session, &plan, &report.entries)?,
    };
    session.timings.lap("lists and manifest");
    let planned = plan.files().count();
    discard((plan, made.renderer));
    Ok(Summary { planned, report, removed, dry_run: how.dry_run, ..Summary::default() })
}

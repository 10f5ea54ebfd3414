//! What a finished job did, which `report` prints and `timings` counts.

use std::path::PathBuf;

use crate::write::Report;

/// The result of a finished job.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// The files that were written.
    pub(crate) report: Report,
    /// The number of files that were generated.
    pub(crate) planned: usize,
    /// The files that a dry run would write.
    pub(crate) listed: Vec<PathBuf>,
    /// Whether nothing was to be written.
    pub(crate) dry_run: bool,
    /// Files from earlier runs that were removed.
    pub(crate) removed: Vec<PathBuf>,
    /// Whether an earlier run was reused.
    pub(crate) stood_in: bool,
    /// What was checked, if nothing else was done.
    pub(crate) checked: Option<String>,
    /// The message to print instead of file counts.
    pub(crate) said: Option<String>,
    /// Print nothing: the output was the answer.
    pub(crate) silent: bool,
}

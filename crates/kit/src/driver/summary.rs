//! What a finished job did, which `report` prints and `timings` counts.

use std::path::PathBuf;

use torchgen_base::write::Report;

/// The result of a finished job.
#[derive(Debug, Default)]
pub struct Summary {
    /// The files that were written.
    pub report: Report,
    /// The number of files that were generated.
    pub planned: usize,
    /// The files that a dry run would write; if it wrote lists, all files that they name.
    pub listed: Vec<PathBuf>,
    /// Whether a dry run wrote lists, and compared nothing.
    pub lists: bool,
    /// Whether nothing was to be written.
    pub dry_run: bool,
    /// Files from earlier runs that were removed.
    pub removed: Vec<PathBuf>,
    /// Whether an earlier run was reused.
    pub stood_in: bool,
    /// What was checked, if nothing else was done.
    pub checked: Option<String>,
    /// The message to print instead of file counts.
    pub said: Option<String>,
    /// Print nothing: the output was the answer.
    pub silent: bool,
}

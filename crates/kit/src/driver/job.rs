//! The protocol of commands: a job, its arguments, and what a later run must know of this one.
//!
//! Invariant: every command runs as a [`Job`], so that arguments, sessions and skipped runs are the
//! same for all families.

use std::fmt::Debug;
use std::path::PathBuf;

use super::args::CommonArgs;
use super::report::Summary;
use super::{JobError, Session};
use torchgen_base::diag::codes::CodeInfo;

/// An example in the help of a command.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// What it does.
    pub does: &'static str,
    /// The command line, without the program.
    pub line: &'static str,
}

/// An example that does something with a command line.
pub const fn example(does: &'static str, line: &'static str) -> Example {
    Example { does, line }
}

/// A command.
pub trait Job {
    /// Its arguments.
    type Args: JobArgs;
    /// The name.
    const NAME: &'static str;
    /// A one-line description.
    const ABOUT: &'static str;
    /// The examples at the end of its help.
    const EXAMPLES: &'static [Example];
    /// Its family's diagnostics, sorted by id.
    const CODES: &'static [&'static CodeInfo] = &[];

    /// Does all of it.
    ///
    /// # Errors
    /// Errors in the input are in the session's diagnostics; others are in [`JobError::Failed`].
    fn run(args: &Self::Args, session: &mut Session) -> Result<Summary, JobError>;
}

/// The arguments of a job, as clap reads them.
pub trait JobArgs: clap::Args + Clone + Debug + Send + Sync {
    /// The ids of arguments whose values are a set: neither order nor repetition matters.
    const SETS: &'static [&'static str] = &[];
    /// The ids of arguments that select operators: files that do not depend on them are kept.
    const SELECTION: &'static [&'static str] = &[];

    /// The flags of every command.
    fn common(&self) -> CommonArgs;

    /// Where the run is remembered; `None` if it cannot replace a later one.
    fn remembered(&self) -> Option<Remembered> {
        None
    }
}

/// What a run leaves for the next one, beside the files themselves.
#[derive(Debug, Clone)]
pub struct Remembered {
    /// The directory with the manifest.
    pub dir: PathBuf,
    /// Whether nothing but lists is written.
    pub dry_run: bool,
    /// The file for lists of outputs.
    pub lists: Option<PathBuf>,
}

impl Remembered {
    /// That of a run that writes its files to a directory, and no lists.
    pub fn at(dir: impl Into<PathBuf>) -> Remembered {
        Remembered { dir: dir.into(), dry_run: false, lists: None }
    }
}

//! Writing: rendered files reach the disk, each only if its bytes change, and whole or not at all.
//!
//! Generators make [`OutputFile`]s; a [`Plan`] gathers them, knows where each [`Manager`] installs, refuses clashes before anything is touched,
//! then writes, and makes the lists of outputs that build systems read.
//!
//! Invariant: nothing is written outside the install directories, except through symbolic links that stand there already.
//! Deliberately absent: everything about what is in the files.

mod depfile;
mod diagnostic;
mod file;
mod leftover;
mod list;
mod manager;
pub(crate) mod manifest;
mod paths;
mod plan;
mod stamp;
#[cfg(test)]
mod tests;

pub(crate) use depfile::write_depfile;
pub(crate) use file::{WriteError, write_if_changed};
pub(crate) use list::write_file_lists;
pub(crate) use manager::{Manager, OutputFile};
pub(crate) use paths::is_among;
pub(crate) use plan::{Plan, Report};
pub(crate) use stamp::{Entry, Hash, Identity, Moment, Verdict};

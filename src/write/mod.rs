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
pub mod manifest;
mod paths;
mod plan;
mod stamp;
#[cfg(test)]
mod tests;

pub use depfile::{depfile_text, write_depfile};
pub use file::{Outcome, WriteError, Written, write_if_changed};
pub use leftover::remove_leftovers;
pub use list::{ListError, Listed, write_file_lists};
pub use manager::{Manager, OutputFile};
pub use paths::is_among;
pub use plan::{Plan, PlanError, PlanFault, Report};
pub use stamp::{Entry, Hash, Identity, Moment, Stamp, Verdict};

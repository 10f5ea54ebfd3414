//! Writes rendered files to disk, each only if its bytes change, and whole or not at all.
//!
//! Generators make [`OutputFile`]s. A [`Plan`] collects them, knows where each [`Manager`]
//! installs, refuses clashes before it writes anything, and makes the lists of outputs for build
//! systems.
//!
//! Invariant: nothing is written outside the install directories, except through existing symbolic
//! links.

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

pub use depfile::{check_depfile_targets, write_depfile};
pub use file::{WriteError, append, check_appendable, rewrite, write_text};
pub use list::{spare_inputs, write_file_lists};
pub use manager::{Manager, OutputFile};
pub use paths::{is_among, relative, without_dots};
pub use plan::{Plan, Report};
pub use stamp::{Entry, Hash, Identity, Moment, Verdict};

//! Scripts that a Python interpreter runs, and why one gave no answer.
//!
//! Invariant: warnings of what a script imports are not in its answer.

use std::ffi::OsStr;
use std::process::{Command, Output};

/// The command that runs a script.
pub fn script(python: &OsStr, text: &str) -> Command {
    let mut command = Command::new(python);
    command.args(["-W", "ignore", "-c", text]);
    command
}

/// The last line of a script's errors, which says what was raised; `None` if it has none.
pub fn raised(output: &Output) -> Option<String> {
    String::from_utf8_lossy(&output.stderr).lines().last().map(str::to_owned)
}

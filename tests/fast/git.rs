//! Runs git for tests that need a repository.
//!
//! Invariant: the settings of whoever runs the tests do not count.

use std::path::Path;
use std::process::Command;

/// Runs git in a directory.
pub(crate) fn git(directory: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]).args(arguments);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null").current_dir(directory);
    let output = command.output().expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

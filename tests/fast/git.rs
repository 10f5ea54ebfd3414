//! Runs git for tests that need a repository, and writes its files.
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

/// Commits all that is in a repository.
pub(crate) fn commit(directory: &Path, message: &str) {
    git(directory, &["add", "."]);
    git(directory, &["commit", "--quiet", "-m", message]);
}

/// Writes a file below a directory, whose folders need not be there.
pub(crate) fn write(directory: &Path, path: &str, text: &str) {
    let path = directory.join(path);
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    std::fs::write(path, text).expect("a file");
}

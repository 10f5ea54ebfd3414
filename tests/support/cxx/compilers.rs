//! The second compiler, and the tests that need it.

use std::ffi::OsStr;
use std::process::Command;
use std::sync::OnceLock;

use libtest_mimic::Trial;

/// A clang++ beside that compiler, for programs that both must take.
///
/// # Panics
///
/// If there is none: [`by_clang`] marks the tests that need it.
#[track_caller]
pub(crate) fn clang() -> &'static OsStr {
    assert!(has_clang(), "clang++ is not installed");
    OsStr::new("clang++")
}

fn has_clang() -> bool {
    static CLANG: OnceLock<bool> = OnceLock::new();
    *CLANG.get_or_init(|| Command::new("clang++").arg("--version").output().is_ok_and(|o| o.status.success()))
}

/// Tests that compile with clang++. Where it is missing, they are ignored, and the summary counts
/// them.
pub(crate) fn by_clang(tests: Vec<Trial>) -> Vec<Trial> {
    tests.into_iter().map(|test| test.with_kind("clang++").with_ignored_flag(!has_clang())).collect()
}

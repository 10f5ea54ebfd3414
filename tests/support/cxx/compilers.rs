//! The compilers: the machine's, and clang++ beside it.
//!
//! Invariant: `CXX` names the compiler of everything but the tests that clang++ is for.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};

use libtest_mimic::Trial;

/// The C++ compiler: `CXX`, or `c++`.
pub(crate) fn compiler() -> &'static OsStr {
    static COMPILER: OnceLock<std::ffi::OsString> = OnceLock::new();
    COMPILER.get_or_init(|| std::env::var_os("CXX").unwrap_or_else(|| "c++".into()))
}

/// What a compiler says it is.
pub(super) fn version(compiler: &'static OsStr) -> String {
    static VERSIONS: Mutex<BTreeMap<&'static OsStr, String>> = Mutex::new(BTreeMap::new());
    let mut versions = VERSIONS.lock().expect("nothing panics while it has the lock");
    let version = versions.entry(compiler).or_insert_with(|| {
        let output = Command::new(compiler).arg("--version").output();
        let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        said.unwrap_or_default()
    });
    assert!(!version.is_empty(), "the C++ compiler {} does not run", compiler.display());
    version.clone()
}

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

/// The compiler of programs that show behaviour: clang++, which takes half the time for torch's
/// headers. `CXX` names another; where clang++ is missing, it is that of all other programs.
pub(crate) fn quick() -> &'static OsStr {
    match std::env::var_os("CXX").is_none() && has_clang() {
        true => clang(),
        false => compiler(),
    }
}

/// The compiler of programs with sanitizers, likewise. Debian has the sanitizers of clang++ in a
/// package of its own.
pub(super) fn sanitizing() -> &'static OsStr {
    static SANITIZES: OnceLock<bool> = OnceLock::new();
    let links = || {
        let mut command = Command::new(clang());
        command.args(["-fsanitize=address,undefined", "-x", "c++", "-", "-o", "/dev/null"]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        child.stdin.take()?.write_all(b"int main() {}\n").ok()?;
        Some(child.wait().ok()?.success())
    };
    match quick() == "clang++" && *SANITIZES.get_or_init(|| links().unwrap_or_default()) {
        true => clang(),
        false => compiler(),
    }
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

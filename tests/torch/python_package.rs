//! The Python package of a library: its functions call the operators that they name, mypy and
//! pyright accept correct uses of its stubs and reject wrong ones, and a failing import reports the
//! reason.
//!
//! `golden` compares the texts. torch, mypy and pyright are those of the environment that
//! `support/torch.rs` makes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        functions_forward,
        missing_library_is_reported,
        other_version_of_torch_is_reported,
        mypy_accepts_right_and_refuses_wrong,
        pyright_accepts_right_and_refuses_wrong
    ]
}

/// The directory of the package that `tests/python_package/source` becomes.
fn tiny() -> PathBuf {
    root().join("tests/python_package/expected/python")
}

fn functions_forward() {
    run(torch().tool("python").arg(root().join("tests/python_package/forwarding.py")).arg(tiny()));
}

/// Imports `tiny` with a shared library of these bytes, or none, and compares the end of Python's
/// output.
#[track_caller]
fn check_import(library: Option<&[u8]>, expected: &str) {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let package = scratch.path().join("tiny");
    std::fs::create_dir(&package).expect("a new directory");
    for name in ["__init__.py", "_ops.py"] {
        std::fs::copy(tiny().join("tiny").join(name), package.join(name)).expect("a new file");
    }
    if let Some(bytes) = library {
        std::fs::write(package.join("libtiny.so"), bytes).expect("a new file");
    }
    let mut python = torch().tool("python");
    let output = python.args(["-c", "import tiny"]).current_dir(scratch.path()).output().expect("Python runs");
    let said = String::from_utf8_lossy(&output.stderr).replace(&*scratch.path().to_string_lossy(), "HERE");
    let last = said.trim_end().lines().last().unwrap_or_default();
    assert!(!output.status.success() && last == expected, "{said}");
}

fn missing_library_is_reported() {
    check_import(
        None,
        "ImportError: The shared library of tiny is not in HERE/tiny: build it, or name it in the environment variable TINY_LIBRARY.",
    );
}

fn other_version_of_torch_is_reported() {
    let version = run(torch().tool("python").args(["-c", "import torch; print(torch.__version__)"]));
    check_import(
        Some(b"\x7fELF ... tiny was built with torch 1.2.3\0 ..."),
        &format!(
            "ImportError: HERE/tiny/libtiny.so was built with torch 1.2.3, but torch {} is installed. Install torch 1.2, or build tiny for this one.",
            version.trim()
        ),
    );
}

/// The lines of a file that a type checker rejects; its messages begin with `path:line:`.
fn objections(said: &str, name: &str) -> BTreeSet<usize> {
    let line = |text: &str| text.split_once(name)?.1.strip_prefix(':')?.split(':').next()?.parse().ok();
    said.lines().filter(|text| text.contains("error")).filter_map(line).collect()
}

/// Runs a type checker on the correct and the wrong uses.
#[track_caller]
fn check_types(command: impl Fn() -> Command) {
    for name in ["right.py", "wrong.py"] {
        let file = root().join("tests/python_package").join(name);
        let text = std::fs::read_to_string(&file).expect("a text file");
        let comments = text.lines().enumerate().filter(|(_, line)| line.contains("  # ")).map(|(i, _)| i + 1);
        let expected: BTreeSet<usize> = comments.collect();
        let output = command().arg(&file).output().expect("the type checker runs");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(objections(&said, name), expected, "{name}\n{said}");
        assert_eq!(output.status.success(), expected.is_empty(), "{name}\n{said}");
    }
}

fn mypy_accepts_right_and_refuses_wrong() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mypy");
    check_types(|| {
        let mut command = torch().tool("mypy");
        command.arg("--strict").arg("--cache-dir").arg(&cache).env("MYPYPATH", root().join("generated/python"));
        command
    });
}

fn pyright_accepts_right_and_refuses_wrong() {
    let project = tempfile::tempdir().expect("a temporary directory");
    let settings = serde_json::json!({ "extraPaths": [root().join("generated/python")] });
    std::fs::write(project.path().join("pyrightconfig.json"), settings.to_string()).expect("a new file");
    check_types(|| {
        let mut command = torch().tool("pyright");
        command.arg("--pythonpath").arg(torch().program("python")).arg("-p").arg(project.path());
        command
    });
}

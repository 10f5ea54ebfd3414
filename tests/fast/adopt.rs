//! `torchgen-rs adopt` on the sources of a library that registers itself: the YAML and the report
//! are the expected ones, `check` accepts them, and `--verify` finds what changes later.
//!
//! `UPDATE_EXPECT=1` writes the expected files again.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::expected::assert_is_text_of_file;
use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![a_library_gets_yaml_and_a_report, files_of_an_author_stay, nothing_is_half_written]
}

/// Runs the program in a directory; its status and what it says.
pub(crate) fn run(directory: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let output = command.args(arguments).current_dir(directory).output().expect("the program runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    crate::reported::note(&said);
    (output.status.code(), said)
}

/// A copy of the sources, which nothing may change.
fn copy() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::create_dir(directory.path().join("csrc")).expect("a new directory");
    for name in ["oldlib.cpp", "oldlib.py"] {
        let source = root().join("tests/adopted/sources").join(name);
        fs::copy(source, directory.path().join("csrc").join(name)).expect("a copy");
    }
    directory
}

fn a_library_gets_yaml_and_a_report() {
    let directory = copy();
    let (status, said) = run(directory.path(), &["adopt", "csrc", "--write"]);
    assert!(status == Some(0) && said.contains("7 operators in csrc/ops"), "{said}");
    for name in ["native_functions.yaml", "library.yaml", "ADOPT-REPORT.md"] {
        let text = fs::read_to_string(directory.path().join("csrc/ops").join(name)).expect("a written file");
        assert_is_text_of_file(&root().join("tests/adopted/sources").join(name), &text);
    }
    for test in ["test_registrations.py", "test_shift.py", "hard_inputs.py"] {
        assert!(directory.path().join("csrc/ops/tests").join(test).is_file(), "{test}");
    }
    let (status, said) = run(directory.path(), &["check", "csrc/ops"]);
    assert_eq!(status, Some(0), "{said}");
    // C++ and Python declare an operator in two ways.
    let (status, said) = run(directory.path(), &["adopt", "csrc", "--verify"]);
    assert!(status == Some(1) && said.contains("is declared at csrc/oldlib.py:37"), "{said}");
    let python = directory.path().join("csrc/oldlib.py");
    let text = fs::read_to_string(&python).expect("the source");
    fs::write(&python, text.replace("by=3.", "by=2.0")).expect("a writable file");
    let (status, said) = run(directory.path(), &["adopt", "csrc", "--verify"]);
    assert!(status == Some(0) && said.contains("7 operators registered as `csrc/ops` says"), "{said}");
    // The sources change.
    let source = directory.path().join("csrc/oldlib.cpp");
    let text = fs::read_to_string(&source).expect("the source");
    fs::write(&source, text.replace("power(Tensor x)", "power(Tensor x, int n=2)")).expect("a writable file");
    let (status, said) = run(directory.path(), &["adopt", "csrc", "--verify"]);
    assert!(status == Some(1) && said.contains("error[TG6035]: the schema of `oldlib::power`"), "{said}");
    assert!(said.contains("csrc/ops/native_functions.yaml:") && said.contains("csrc/oldlib.cpp:"), "{said}");
}

/// Without `--write` nothing is written, and with it files that exist stay. `--strict` fails if
/// something is not understood.
fn files_of_an_author_stay() {
    let directory = copy();
    let (status, said) = run(directory.path(), &["adopt", "csrc"]);
    assert!(status == Some(0) && said.contains("# What was adopted"), "{said}");
    assert!(!directory.path().join("csrc/ops").exists(), "something was written");
    let (status, said) = run(directory.path(), &["adopt", "csrc", "--strict"]);
    assert!(status == Some(1) && said.contains("places not understood"), "{said}");
    let own = "- func: oldlib::power(Tensor x) -> Tensor\n";
    fs::create_dir(directory.path().join("csrc/ops")).expect("a new directory");
    fs::write(directory.path().join("csrc/ops/native_functions.yaml"), own).expect("a new file");
    let (status, said) = run(directory.path(), &["adopt", "csrc", "--write"]);
    assert_eq!(status, Some(0), "{said}");
    let kept = fs::read_to_string(directory.path().join("csrc/ops/native_functions.yaml")).expect("the file");
    assert_eq!(kept, own);
}

/// If tests cannot be made, the YAML is not written either.
fn nothing_is_half_written() {
    let directory = copy();
    let ops = directory.path().join("csrc/ops");
    fs::create_dir(&ops).expect("a new directory");
    fs::write(ops.join("derivatives.yaml"), "- name: [\n").expect("a new file");
    let (status, said) = run(directory.path(), &["adopt", "csrc", "--write"]);
    assert!(status == Some(1) && said.contains("csrc/ops/derivatives.yaml:"), "{said}");
    let names: Vec<_> =
        fs::read_dir(&ops).expect("the folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(names, ["derivatives.yaml"]);
}

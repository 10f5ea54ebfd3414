//! `torchgen-rs stable-ops`: the header with all functions compiles, and what it calls is what
//! `torch.ops` calls, in the oldest torch of the stable ABI and in the newest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::cxx::{Program, by_clang, clang};
use crate::support::torch::{Torch, oldest, root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = trials![
        functions_return_what_torch_ops_return,
        generators_are_passed_from_their_version_on,
        all_functions_compile_with_the_headers_of_either_version,
        calls_convert_what_callers_have_and_errors_name_the_operator,
        the_table_of_the_shim_is_that_of_the_libraries
    ];
    trials.extend(by_clang(trials![all_functions_compile_by_clang]));
    trials
}

/// The sources of these tests.
fn place(name: &str) -> PathBuf {
    root().join("tests/stable/ops").join(name)
}

/// Writes the header with all functions from a version on, as `stable_ops.h` in the directory.
#[track_caller]
fn header(directory: &Path, min: &str) -> PathBuf {
    let path = directory.join("stable_ops.h");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    run(command.args(["stable-ops", "--ops", "all", "--torch-min", min, "--output"]).arg(&path));
    path
}

/// A program against the headers of a torch, for a version of it and newer ones.
fn program(torch: &Torch, name: &str, target: &str) -> Program {
    Program::new(name)
        .standard("c++20")
        .system(torch.headers())
        .flag(format!("-DTORCH_TARGET_VERSION={target}"))
        .link(format!("-L{}", torch.headers().join("../lib").display()))
        .link("-ltorch_cpu")
}

const TEN: &str = "0x020a000000000000";
const THIRTEEN: &str = "0x020d000000000000";

/// Compiles what `wrap.py` writes for a header.
#[track_caller]
fn wrapped(directory: &Path, min: &str, target: &str, which: &str) -> PathBuf {
    let header = header(directory, min);
    let source = run(python(torch()).arg(place("wrap.py")).arg(&header).arg(which));
    program(torch(), "wrapped", target).shared().include(directory).text("wrapped.cpp", &source).built()
}

fn python(torch: &Torch) -> Command {
    let mut command = torch.tool("python");
    command.env("PYTHONDONTWRITEBYTECODE", "1").args(["-W", "ignore"]);
    command
}

/// The output of `compare.py`, which ends with an error if a result is not that of `torch.ops`.
#[track_caller]
fn compared(torch: &Torch, library: &Path, which: &str) -> String {
    run(python(torch).arg(place("compare.py")).arg(library).arg(which))
}

fn functions_return_what_torch_ops_return() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let library = wrapped(directory.path(), "2.10", TEN, "calls");
    for (torch, version) in [(torch(), "2.15.0"), (oldest(), "2.10.0")] {
        let said = compared(torch, &library, "calls");
        let functions = said.split_whitespace().next().and_then(|count| count.parse::<usize>().ok());
        assert!(functions.is_some_and(|count| count >= 120) && said.contains(&format!("torch {version}")), "{said}");
    }
}

fn generators_are_passed_from_their_version_on() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let library = wrapped(directory.path(), "2.13", THIRTEEN, "generator");
    let said = compared(torch(), &library, "generator");
    assert!(said.contains("functions"), "{said}");
}

/// A source that includes the header with all functions.
const ALL: &str = "#include \"stable_ops.h\"\nint main() {}\n";

fn all(torch: &Torch, header: &Path) -> Program {
    program(torch, "all", TEN).include(header).text("all.cpp", ALL)
}

fn all_functions_compile_by_clang() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    header(directory.path(), "2.10");
    for torch in [torch(), oldest()] {
        all(torch, directory.path()).compiler(clang()).built();
    }
}

fn all_functions_compile_with_the_headers_of_either_version() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    header(directory.path(), "2.10");
    for torch in [torch(), oldest()] {
        all(torch, directory.path()).built();
    }
    let newer = program(torch(), "older-target", "0x0209000000000000").include(directory.path());
    let said = newer.text("all.cpp", ALL).refused();
    assert!(said.contains("need torch 2.10"), "{said}");
}

fn calls_convert_what_callers_have_and_errors_name_the_operator() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    header(directory.path(), "2.10");
    let source = fs::read_to_string(place("usage.cpp")).expect("the source");
    let library = program(torch(), "usage", TEN).shared().include(directory.path()).text("usage.cpp", &source).built();
    for (torch, text) in [(torch(), "selected index k out of range"), (oldest(), "standard error stream")] {
        let said = run(python(torch).arg(place("usage.py")).arg(&library));
        assert!(said.contains("usage ok") && said.contains(text), "{said}");
    }
}

/// Symbols of the C shim in data/torch/versions/shim.yaml are those that the installed libraries
/// export.
fn the_table_of_the_shim_is_that_of_the_libraries() {
    let said = run(python(torch())
        .arg(root().join("tests/stable/shim.py"))
        .args([torch(), oldest()].map(|torch| torch.headers().join("../lib"))));
    assert!(said.contains("2.15: ") && said.contains("2.10: "), "{said}");
}

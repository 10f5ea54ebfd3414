//! Lines of `dims:`. Checks of sizes in C++ on both ABIs, and in the Python package, say the same
//! of random calls of `tests/dims`; generated tests find lines that do not hold; and DTensors are
//! split.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use super::stable_library::{built, generate, python};
use crate::support::torch::{adopted, root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        checks_say_the_same_on_the_stable_abi,
        checks_say_the_same_on_the_cpp_api,
        generated_tests_find_what_does_not_hold,
        processes_give_the_results_of_one,
        forty_public_operators_are_cut_and_split,
    ]
}

#[track_caller]
fn compared(out: &Path, library: &Path) {
    ran(out, library, "behaviour.py", "dims ok");
}

/// Runs a program of `tests/dims`, which says this at its end.
#[track_caller]
fn ran(out: &Path, library: &Path, program: &str, end: &str) {
    let said = python(torch(), out, "DIMS_OPS_LIBRARY", library, &root().join("tests/dims").join(program));
    assert!(said.contains(end), "{said}");
}

fn checks_say_the_same_on_the_stable_abi() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let place = root().join("tests/dims");
    generate(&place, directory.path());
    compared(directory.path(), &built("dims_ops", directory.path(), &[place.join("kernels.cpp")]));
}

fn checks_say_the_same_on_the_cpp_api() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    torch().generate(&root().join("tests/dims"), directory.path());
    compared(directory.path(), &torch().library("dims_ops_unstable", "tests/dims"));
}

/// The tests that `kernels --tests` writes hold for true lines and kernels, and find a dozen lines
/// that are not true, and a dozen kernels that are wrong.
fn generated_tests_find_what_does_not_hold() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    torch().generate(&root().join("tests/dims"), out);
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    run(command.arg("kernels").arg("-s").arg(root().join("tests/dims")).arg("--tests").arg(out.join("python")));
    let library = torch().library("dims_ops_unstable", "tests/dims");
    ran(out, &library, "proved.py", "dims proved");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.env("PYTHONPATH", out.join("python")).env("DIMS_OPS_LIBRARY", &library);
    command.args(["check", "--probe"]).arg(torch().program("python")).arg("-s").arg(root().join("tests/dims"));
    let probed = command.output().expect("the program runs");
    let said = String::from_utf8_lossy(&probed.stderr);
    assert!(said.contains("dims_ops::unpack: map(m) holds for all inputs that were tried"), "{said}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args(["check", "--probe", "/no/python", "-s"]).arg(root().join("tests/dims"));
    let refused = command.output().expect("the program runs");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("`/no/python` cannot probe `dims_ops`"));
}

/// An attention block of three operators on four processes, forward and backward, eager and
/// compiled.
fn processes_give_the_results_of_one() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    torch().generate(&root().join("tests/dims"), directory.path());
    let library = torch().library("dims_ops_unstable", "tests/dims");
    ran(directory.path(), &library, "sharded.py", "dims sharded");
}

/// Forty operators of public libraries, with kernels in Python: each word holds for cuts and on two
/// processes, and an operator without words is known to have none. Six compute what the operators
/// of published wheels do.
fn forty_public_operators_are_cut_and_split() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    let place = root().join("tests/dims/public");
    generate(&place, out);
    let modules = out.join("python");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    run(command.arg("kernels").arg("-s").arg(&place).arg("--tests").arg(&modules).arg("--sharding"));
    let kernels = std::fs::read_dir(place.join("python")).expect("a directory of kernels");
    for kernel in kernels.map(|entry| entry.expect("a readable entry").path()) {
        let name = kernel.file_name().expect("a module").to_owned();
        std::fs::copy(&kernel, modules.join("public_ops").join(name)).expect("a module of the package");
    }
    let library = built("public_ops", out, &[]);
    let said = python(adopted(), out, "PUBLIC_OPS_LIBRARY", &library, &place.join("run.py"));
    assert!(said.contains("40 operators") && said.contains("public ops ok"), "{said}");
}

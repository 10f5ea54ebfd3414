//! Checks of sizes: in C++ on both ABIs, and in the Python package, they say the same of random
//! calls of `tests/dims`.

use std::path::Path;

use libtest_mimic::Trial;

use super::stable_library::{built, generate, python};
use crate::support::torch::{root, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![checks_say_the_same_on_the_stable_abi, checks_say_the_same_on_the_cpp_api]
}

#[track_caller]
fn compared(out: &Path, library: &Path) {
    let said = python(torch(), out, "DIMS_OPS_LIBRARY", library, &root().join("tests/dims/behaviour.py"));
    assert!(said.contains("dims ok"), "{said}");
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

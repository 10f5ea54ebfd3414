//! A backend outside PyTorch: `tests/backend` is generated, built with every symbol resolved and
//! run on the device of `tests/support/privateuse1`.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{root, run, simulator_path, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![kernels_of_each_kind, without_forward_mode]
}

/// Generated sources that are compiled as one, and the kernels.
const UNITY: &str = r#"
#include "generated/RegisterOwn.cpp"
#include "generated/OwnAutogradFunctions.cpp"
#include "generated/OwnVariableType.cpp"
#include "generated/c_shim_simulator.cpp"
#include "kernels.cpp"
"#;

fn generate(directory: &Path) {
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["backend-stubs", "--strict", "-o", "out", "--data-dir", "data", "--torch-path"])
        .arg(torch().headers().join("../.."))
        .args(["-s", "backend.yaml", "--impl-path"])
        .arg(root().join("tests/backend/kernels.cpp"))
        .current_dir(directory));
}

fn kernels_of_each_kind() {
    behaves("forward", "");
}

/// Formulas for tangents are not read.
fn without_forward_mode() {
    behaves("no_forward", "forward_mode: false\n");
}

/// Builds the backend with `more` in its YAML, and runs it.
fn behaves(mode: &str, more: &str) {
    let source = root().join("tests/backend");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let yaml = std::fs::read_to_string(source.join("backend.yaml")).expect("the backend");
    std::fs::write(directory.path().join("backend.yaml"), yaml + more).expect("a writable directory");
    std::fs::create_dir_all(directory.path().join("data/torch")).expect("a writable directory");
    for name in ["derivatives.yaml", "derivatives_manual.h", "data/torch/variable_type.yaml"] {
        std::fs::copy(source.join(name), directory.path().join(name)).expect("a file of the backend");
    }
    std::fs::create_dir(directory.path().join("operators")).expect("a writable directory");
    for name in ["operators/native_functions.yaml", "operators/derivatives.yaml"] {
        std::fs::copy(source.join(name), directory.path().join(name)).expect("a file of the backend");
    }
    generate(directory.path());
    // The YAML replaces the path of the header.
    std::fs::rename(directory.path().join("out"), directory.path().join("generated")).expect("a directory was made");
    let library = torch()
        .cxx(&format!("own_backend_{mode}"))
        .shared()
        .text("unity.cpp", UNITY)
        // It declares functions of formulas that the others include.
        .source(directory.path().join("generated/src/Library_0.cpp"))
        .source(directory.path().join("generated/src/Support.cpp"))
        .include(directory.path())
        .include(directory.path().join("generated/include"))
        .include(&source)
        .built();
    let said = run(torch()
        .tool("python")
        .arg(source.join("behaviour.py"))
        .arg(&library)
        .arg(mode)
        .env("PYTHONPATH", simulator_path())
        .env("SIMULATOR", torch().simulator()));
    for behaviour in
        ["values", "gradients", "derivatives", "forward mode", "own operators", "complex", "checks", "hooks", "shim"]
    {
        assert!(said.contains(&format!("{behaviour} ok")), "{behaviour} was not tried:\n{said}");
    }
}

//! A backend outside PyTorch: `tests/backend` is generated, built with every symbol resolved and
//! run on the device of `tests/support/privateuse1`.

use std::process::Command;

use crate::support::torch::{root, run, simulator_path, torch};

#[test]
fn kernels_of_each_kind() {
    let source = root().join("tests/backend");
    let directory = tempfile::tempdir().expect("a temporary directory");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["backend-stubs", "--strict", "-o", "out", "--torch-path"])
        .arg(torch().headers().join("../.."))
        .arg("-s")
        .arg(source.join("backend.yaml"))
        .current_dir(directory.path()));
    // The YAML replaces the path of the header.
    std::fs::rename(directory.path().join("out"), directory.path().join("generated")).expect("a directory was made");
    let library = torch()
        .cxx("own_backend")
        .shared()
        .text("unity.cpp", "#include \"generated/RegisterPrivateUse1.cpp\"\n#include \"kernels.cpp\"\n")
        .include(directory.path())
        .include(&source)
        .built();
    let said = run(torch()
        .tool("python")
        .arg(source.join("behaviour.py"))
        .arg(&library)
        .env("PYTHONPATH", simulator_path())
        .env("SIMULATOR", torch().simulator()));
    for behaviour in ["values", "gradients", "checks", "hooks"] {
        assert!(said.contains(&format!("{behaviour} ok")), "{behaviour} was not tried:\n{said}");
    }
}

//! `torchgen-rs declarations` over all of torch's operators writes the bytes of a full run, which
//! the conformance suite compares with the reference.

use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![all_of_torch]
}

fn all_of_torch() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let source = torch().headers().join("../../torchgen/packaged/ATen");
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.current_dir(dir.path());
        command
    };
    run(command()
        .args(["generate", "-d", "full", "--generate", "headers", "declarations_yaml", "--aoti-install-dir", "aoti"])
        .arg("-s")
        .arg(&source));
    run(command()
        .args(["declarations", "-d", "alone", "--native-functions"])
        .arg(source.join("native/native_functions.yaml")));
    for name in ["Declarations.yaml", "RegistrationDeclarations.h"] {
        let read = |tree: &str| std::fs::read(dir.path().join(tree).join(name)).expect("a generated file");
        let (alone, full) = (read("alone"), read("full"));
        assert!(alone.len() > 500_000, "{name} has few operators");
        assert!(alone == full, "{name} differs from a full run");
    }
}

//! Libraries that once compiled, loaded and were wrong: `tests/silent` is generated, built with
//! every symbol resolved, and run in torch.

use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![what_was_silently_wrong_is_right]
}

const BEHAVIOURS: [&str; 7] = [
    "strings",
    "autograd_by_hand",
    "autograd_by_hand_for_one_backend",
    "autocast_by_hand",
    "vmap_by_hand",
    "symbolic_sizes",
    "composite_with_derivative",
];

fn what_was_silently_wrong_is_right() {
    let library = torch().library("silent", "tests/silent");
    let said = run(torch().tool("python").arg(root().join("tests/silent/behaviour.py")).arg(&library));
    for behaviour in BEHAVIOURS {
        assert!(said.contains(&format!("{behaviour} ok")), "{behaviour} was not tried:\n{said}");
    }
    // Two packages with the same operators: once, loading the second aborted Python.
    let packages = tempfile::tempdir().expect("a temporary directory");
    for name in ["silent", "quiet"] {
        let out = packages.path().join("out").join(name);
        run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .args(["--generate", "python", "--python-package", name, "-s", "tests/silent", "-d"])
            .arg(&out)
            .current_dir(root()));
        std::fs::rename(out.join("python").join(name), packages.path().join(name)).expect("a package");
        std::fs::copy(&library, packages.path().join(name).join(format!("lib{name}.so"))).expect("a copy");
    }
    let import =
        "import silent, silent as again\ntry:\n    import quiet\nexcept ImportError as error:\n    print(error)\n";
    let said = run(torch().tool("python").args(["-c", import]).current_dir(packages.path()));
    let expected = "quiet and silent both define silent::described, so only one of them can be loaded.";
    assert_eq!(said.trim(), expected);
}

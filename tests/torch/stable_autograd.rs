//! Autograd of a library on the stable ABI: derivatives.yaml in Python, in the oldest torch and in
//! the newest.

use std::path::PathBuf;

use libtest_mimic::Trial;

use super::stable_library::{bare, built, generate};
use crate::support::torch::{oldest, root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![gradients_tangents_and_versions]
}

fn place(name: &str) -> PathBuf {
    root().join("tests/stable/trained").join(name)
}

/// The shared object of a library that is written by hand.
fn by_hand() -> PathBuf {
    bare("hand").source(place("hand.cpp")).built()
}

/// Runs scripts with one build of the library in both versions of torch.
fn gradients_tangents_and_versions() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    generate(&place(""), out);
    for module in ["fakes.py", "formulas.py"] {
        std::fs::copy(place(module), out.join("python/trained").join(module)).expect("a module of the package");
    }
    let (library, hand) = (built("trained", out, &[place("kernels.cpp")]), by_hand());
    for (torch, version) in [(torch(), "2.15.0"), (oldest(), "2.10.0")] {
        for (script, what) in [("gradients.py", "gradients"), ("compiled.py", "programs"), ("traps.py", "traps")] {
            let mut command = torch.tool("python");
            command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", out.join("python"));
            command.env("TRAINED_LIBRARY", &library);
            let said = run(command.args(["-W", "ignore"]).arg(place(script)).arg(&hand));
            assert!(said.contains(&format!("{what} ok in torch {version}")), "{said}");
        }
    }
}

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

/// The rows that a script prints are those of a table in docs/transforms.md, which follows a
/// sentence with that start.
#[track_caller]
pub(crate) fn assert_documented(said: &str, start: &str) {
    let page = std::fs::read_to_string(root().join("docs/transforms.md")).expect("a page");
    let after = page.split_once(&format!("\n{start}")).expect("a sentence before the table").1;
    let is_row = |line: &&str| line.starts_with('|');
    let lines = after.lines().skip_while(|line| !is_row(line)).take_while(is_row).skip(2);
    let documented: Vec<&str> = lines.collect();
    let found: Vec<&str> = said.lines().filter(is_row).collect();
    assert_eq!(found, documented, "{said}");
}

/// Runs scripts with one build of the library in both versions of torch.
fn gradients_tangents_and_versions() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    generate(&place(""), out);
    for module in ["fakes.py", "formulas.py", "kernels.py"] {
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
            if what == "gradients" {
                assert_documented(&said, "On the stable ABI");
            }
        }
    }
}

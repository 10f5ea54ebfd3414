//! The Python module against the reference's own: `cargo test --test slow python/`.
//!
//! Each script of `tests/python_module` asks all operators of the newest torch, with both packages.
//! The integration tests compare hashes of every twentieth one.

use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::conformance::{self, Mode};
use crate::support::tool_wheel::tool;
use crate::support::torch::{root, run};

/// The scripts.
const SCRIPTS: [&str; 6] = ["answers", "signatures", "derivatives", "conventions", "kernels", "parts"];

/// A test for each script.
pub(crate) fn trials() -> Result<Vec<Trial>, String> {
    let trial = |script: &'static str| {
        let context = conformance::load(Mode::Live)?;
        Ok(Trial::test(format!("python/{script}"), move || {
            compare(context.wheel().map_err(Failed::from)?, script);
            Ok(())
        }))
    };
    SCRIPTS.into_iter().map(trial).collect()
}

/// Compares what a script prints with both packages.
fn compare(wheel: &Path, script: &str) {
    let packaged = wheel.join("torchgen/packaged");
    let said = |mut command: Command, package: &str| {
        command.arg("-B").arg(root().join(format!("tests/python_module/{script}.py"))).arg(package);
        command.args(["native_functions.yaml", "tags.yaml"].map(|name| packaged.join("ATen/native").join(name)));
        if script == "derivatives" {
            command.arg(packaged.join("autograd/derivatives.yaml"));
        }
        run(command.args(["1", "--text"]))
    };
    let path = std::env::join_paths([wheel.to_owned(), wheel.join("site")]).expect("paths");
    let mut reference = Command::new("python3");
    reference.env("PYTHONPATH", path).env("PYTHONHASHSEED", "0");
    let theirs = said(reference, "torchgen");
    let ours = said(tool("python"), "torchgen_rs");
    assert_eq!(ours.lines().count(), theirs.lines().count());
    let different: Vec<_> = ours.lines().zip(theirs.lines()).filter(|(ours, theirs)| ours != theirs).collect();
    assert!(different.is_empty(), "{} lines differ, such as {:?}", different.len(), different.first());
}

//! A library of several directories and files, with several namespaces in one Python package:
//! `tests/several` becomes a wheel, whose operators are called in a fresh environment.

use std::process::Command;

use libtest_mimic::Trial;

use crate::support::cmake::shared_header;
use crate::support::torch::{root, run, torch};
use crate::support::wheel;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![a_wheel_has_several_namespaces]
}

fn a_wheel_has_several_namespaces() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let module = root().join("cmake/TorchgenRsConfig.cmake");
    let mut options = vec![
        "cmake.build-type=None".to_owned(),
        format!("cmake.define.TORCHGEN_MODULE={}", module.display()),
        format!("build-dir={}", work.path().join("build").display()),
    ];
    options.extend(shared_header().map(|definition| format!("cmake.define.{definition}")));
    let python = wheel::installed(&root().join("tests/several"), work.path(), &options);
    let said = run(Command::new(&python).arg(root().join("tests/several/behaviour.py")));
    for expected in ["namespaces ok", "derivatives ok", "fakes ok", "Python ok"] {
        assert!(said.contains(expected), "{expected} is missing:\n{said}");
    }
    // Stubs and headers of all namespaces are in the wheel.
    let of_package = "import os, several_ops; print(os.path.dirname(several_ops.__file__), end='')";
    let package = std::path::PathBuf::from(run(Command::new(&python).args(["-c", of_package])));
    for namespace in ["several_norm", "several_cache", "several_attention"] {
        let header = package.join("include").join(namespace).join("NativeFunctions.h");
        assert!(header.is_file(), "{} is missing", header.display());
    }
    run(torch().tool("mypy").args(["--strict", "--no-error-summary"]).arg(&package));
}

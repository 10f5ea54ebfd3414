//! Operators in models that run without Python: what AOTInductor compiled calls their C functions,
//! and what is exported has their operators of ONNX. The libraries are those of other tests, one on
//! each ABI.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use tempfile::TempDir;

use super::stable_library;
use crate::support::torch::{Torch, root, run, torch, with_onnx};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![compiled_models_call_c_functions, exported_models_have_operators_of_onnx]
}

/// A directory with the packages `carried`, on the stable ABI, and `silent`, on libtorch's C++ API.
fn packages() -> TempDir {
    let work = tempfile::tempdir().expect("a temporary directory");
    let out = work.path().join("stable");
    let source = root().join("tests/stable/library");
    stable_library::generate(&source, &out);
    let carried = stable_library::built("carried", &out, &[source.join("kernels.cpp")]);
    add(work.path(), &out, "carried", &carried);
    let out = work.path().join("unstable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    run(command.args(["--generate", "python", "-s", "tests/silent", "-d"]).arg(&out).current_dir(root()));
    add(work.path(), &out, "silent", &torch().library("silent", "tests/silent"));
    work
}

/// Adds a package with its shared library.
fn add(work: &Path, out: &Path, name: &str, library: &Path) {
    std::fs::rename(out.join("python").join(name), work.join(name)).expect("a package");
    std::fs::copy(library, work.join(name).join(format!("lib{name}.so"))).expect("a copy");
}

/// Runs a script of `tests/models` with the packages.
#[track_caller]
fn check(torch: &Torch, script: &str) {
    let packages = packages();
    let mut command = torch.tool("python");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", packages.path());
    // Inductor's files would be outside of target/.
    command.env("TORCHINDUCTOR_CACHE_DIR", packages.path().join("inductor"));
    let said = run(command.args(["-W", "ignore"]).arg(root().join("tests/models").join(script)));
    assert!(said.contains("models ok"), "{said}");
}

fn compiled_models_call_c_functions() {
    check(torch(), "compiled.py");
}

fn exported_models_have_operators_of_onnx() {
    check(with_onnx(), "exported.py");
}

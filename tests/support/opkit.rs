//! The bundled library, `examples/opkit`, built with a torch in a directory of its own, and the
//! Python tests that use it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::cmake::{configure, ninja, shared_header, unittest};
use super::cxx::compiler;
use super::torch::{Torch, root, run, simulator_path, torch};

/// Configures and builds with that torch. Returns the build directory.
pub(crate) fn build(env: &Torch, name: &str, abi: &str) -> PathBuf {
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target directory").join(name);
    let mut configure = configure(env, &root().join("examples/opkit"), &build);
    configure
        .args(["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0", "-DCMAKE_UNITY_BUILD=ON"])
        .arg(format!("-DOPKIT_ABI={abi}"))
        .arg(format!("-DOPKIT_TESTS={}", if abi == "stable" { "OFF" } else { "ON" }))
        .arg("-DCMAKE_COMPILE_WARNING_AS_ERROR=ON");
    if abi == "stable" {
        // It has operators of every kind, whose code has no warnings of g++'s either.
        configure.env("CXX", compiler());
    } else if std::ptr::eq(env, torch()) {
        configure.args(shared_header().iter().map(|definition| format!("-D{definition}")));
    }
    run(&mut configure);
    ninja(&build);
    build
}

/// Runs a module of `examples/opkit/tests` with a build.
#[track_caller]
pub(crate) fn check_in(python: &mut Command, build: &Path, module: &str) {
    python
        .env("PYTHONPATH", format!("{}:{}", build.join("generated/python").display(), simulator_path().display()))
        .env("OPKIT_COUNTERPART", build.join("tests/libcounterpart.so"))
        // Inductor's files would be outside of target/.
        .env("TORCHINDUCTOR_CACHE_DIR", build.join("inductor"));
    unittest(python, &root().join("examples/opkit/tests"), module);
}

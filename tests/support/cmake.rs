//! Projects that CMake configures and Ninja builds, with this build's tool, and Python tests that
//! use what was built. CMake and Ninja are those of the environment of `torch`.

use std::path::Path;
use std::process::Command;

use super::cxx::quick;
use super::torch::{Torch, root, run, torch};

/// CMake's command that configures a project for a torch, with a quick compiler. Add definitions,
/// then run it.
pub(crate) fn configure(env: &Torch, source: &Path, build: &Path) -> Command {
    let mut command = torch().tool("cmake");
    command.env("CXX", quick());
    command.arg("-S").arg(source).arg("-B").arg(build).args(["-G", "Ninja"]);
    command.arg(format!("-DCMAKE_MAKE_PROGRAM={}", torch().program("ninja").display()));
    command.arg(format!("-DPython_EXECUTABLE={}", env.program("python").display()));
    command.arg(format!("-DTORCHGEN_RS={}", env!("CARGO_BIN_EXE_torchgen-rs")));
    command
}

/// Definitions of CMake for a project on libtorch's C++ API: it includes the header that is
/// compiled once for all tests, instead of one of its own, which takes 11 s.
pub(crate) fn shared_header() -> [String; 2] {
    let file = root().join("tests/support/shared_header.cmake");
    [
        format!("CMAKE_PROJECT_INCLUDE={}", file.display()),
        format!("SHARED_HEADER={}", torch().cxx("header").compiled_header().display()),
    ]
}

/// Builds a project. Returns Ninja's output.
#[track_caller]
pub(crate) fn ninja(build: &Path) -> String {
    run(torch().tool("ninja").arg("-C").arg(build).arg("-j2"))
}

/// Runs a module of Python tests in a directory; every test in it must pass, and there must be
/// some.
#[track_caller]
pub(crate) fn unittest(python: &mut Command, tests: &Path, module: &str) {
    let said = run(python
        .args(["-m", "unittest", "-v", module])
        // A cached graph may hold the results of an earlier build of the library.
        .env("TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1")
        // Other processes would import torch for it.
        .env("TORCHINDUCTOR_COMPILE_THREADS", "1")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("OMP_NUM_THREADS", "2")
        .current_dir(tests));
    assert!(!said.contains("\nRan 0 tests") && !said.contains("skipped"), "tests did not run:\n{said}");
}

//! The bundled library, built against the stock torch wheel and run in it: `examples/opkit`.
//!
//! The library is built once, in `target/opkit`, with what this checkout's `generated/` and kernels hold. Each Python module under
//! `examples/opkit/tests` is one test here, so that a failure names its subject.

mod support;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use support::torch_env::{root, run, torch_env};

/// Configures and builds. Returns the build directory.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let env = torch_env();
        let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target directory").join("opkit");
        run(env
            .tool("cmake")
            .arg("-S")
            .arg(root().join("examples/opkit"))
            .arg("-B")
            .arg(&build)
            .args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1", "-DOPKIT_TESTS=ON"])
            .arg("-DCMAKE_COMPILE_WARNING_AS_ERROR=ON")
            .arg(format!("-DOPKIT_GENERATED={}", root().join("generated").display()))
            .arg(format!("-DPython_EXECUTABLE={}", env.program("python").display()))
            .arg(format!("-DTORCHGEN_RS={}", env!("CARGO_BIN_EXE_torchgen-rs")))
            .arg(format!("-DCMAKE_MAKE_PROGRAM={}", env.program("ninja").display())));
        run(env.tool("ninja").arg("-C").arg(&build).arg("-j2"));
        build
    })
}

/// Runs a module of `examples/opkit/tests`; every test in it must pass, and there must be some.
#[track_caller]
fn check(module: &str) {
    let said = run(torch_env()
        .tool("python")
        .args(["-m", "unittest", "-v", module])
        .env("PYTHONPATH", built().join("python"))
        .env("OPKIT_BACKEND", built().join("tests/libbackend.so"))
        .env("OPKIT_TWIN", built().join("tests/libtwin.so"))
        // A graph that was cached may hold what an earlier build of the library did.
        .env("TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1")
        // What Inductor leaves behind would be outside of target/.
        .env("TORCHINDUCTOR_CACHE_DIR", built().join("inductor"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("OMP_NUM_THREADS", "2")
        .current_dir(root().join("examples/opkit/tests")));
    assert!(!said.contains("\nRan 0 tests") && !said.contains("skipped"), "tests did not run:\n{said}");
}

#[test]
fn values() {
    check("test_values");
}

#[test]
fn variants() {
    check("test_variants");
}

#[test]
fn gradients() {
    check("test_gradients");
}

#[test]
fn compile() {
    check("test_compile");
}

#[test]
fn privateuse1() {
    check("test_privateuse1");
}

#[test]
fn twin() {
    check("test_twin");
}

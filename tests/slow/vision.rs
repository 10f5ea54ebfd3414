//! A vision library, ported to the generator with the schemas that such a library publishes:
//! `tests/vision`. It is built by its own CMakeLists.txt, as its users would.
//!
//! The library is built once, in `target/vision`. Each Python module under `tests/vision/tests` is
//! one test here. `reference.py` there says what each operator computes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use libtest_mimic::Trial;

use crate::support::cmake::{configure, ninja, shared_header, unittest};
use crate::support::torch::{root, run, torch};
use crate::support::wheel;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        values,
        gradients,
        autocast,
        compile,
        image,
        headers_are_those_of_the_namespaces,
        mypy_accepts_a_client,
        wheel_is_installed_and_used
    ]
}

fn source() -> PathBuf {
    root().join("tests/vision")
}

/// The build directory of the library, which is built on first use.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target directory").join("vision");
        run(configure(torch(), &source(), &build)
            .args(["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0 -Wall", "-DCMAKE_UNITY_BUILD=ON"])
            .args(shared_header().map(|definition| format!("-D{definition}")))
            .arg("-DCMAKE_COMPILE_WARNING_AS_ERROR=ON"));
        ninja(&build);
        build
    })
}

/// The directory of the packages in the build directory.
fn packages() -> PathBuf {
    built().join("generated/python")
}

/// Runs a module of `tests/vision/tests`.
#[track_caller]
fn check(module: &str) {
    unittest(torch().tool("python").env("PYTHONPATH", packages()), &source().join("tests"), module);
}

fn values() {
    check("test_values");
}

fn gradients() {
    check("test_gradients");
}

fn autocast() {
    check("test_autocast");
}

fn compile() {
    check("test_compile");
}

fn image() {
    check("test_image");
}

/// Where a library with one namespace has its headers, those of an earlier build may be left.
fn headers_are_those_of_the_namespaces() {
    let rules = std::fs::read_to_string(built().join("build.ninja")).expect("Ninja's rules");
    let generated = built().join("generated");
    let included = |path: &str| rules.contains(&format!("-I{} ", generated.join(path).display()));
    assert!(included("visionkit/include") && included("visionkit_image/include"));
    assert!(!included("include"));
}

fn mypy_accepts_a_client() {
    run(torch()
        .tool("mypy")
        .args(["--strict", "--no-error-summary"])
        .arg("--cache-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("mypy-vision"))
        .arg(source().join("client.py"))
        .env("MYPYPATH", packages()));
}

fn wheel_is_installed_and_used() {
    let work = tempfile::tempdir().expect("a temporary directory");
    // In the build directory of the other tests, nothing remains to compile.
    let options = [format!("build-dir={}", built().display()), "cmake.build-type=None".into()];
    let python = wheel::installed(&source(), work.path(), &options);
    let said = run(Command::new(&python).arg(source().join("client.py")).current_dir(work.path()));
    let package = Path::new(said.trim()).parent().expect("a package is a directory");
    assert!(package.starts_with(work.path()), "another visionkit was imported: {said}");
    let stub = "visionkit_image/_ops.pyi";
    for file in ["libvisionkit.so", "py.typed", "fakes.py", "boxes.py", stub, "include/visionkit/Functions.h"] {
        assert!(package.join(file).is_file(), "{file} is not in the wheel");
    }
}

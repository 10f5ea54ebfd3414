//! The bundled library, built against the stock torch wheel and run in it: `examples/opkit`.
//!
//! The library is built once, in `target/opkit`, from this checkout's YAML and kernels, by the
//! CMake module. Each Python module under `examples/opkit/tests` is one test here, so that a
//! failure names its subject. On the stable ABI, one build runs in the oldest torch and in the
//! newest.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use libtest_mimic::Trial;

use crate::support::opkit::{build, check_in};
use crate::support::torch::{oldest, root, run, torch};
use crate::support::wheel;
use crate::trial::shared;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        values,
        variants,
        gradients,
        compile,
        cpp_api,
        stable_values,
        stable_gradients,
        stable_compile,
        stable_symbols,
        privateuse1,
        counterpart,
        wheel_installs_and_knows_its_torch,
        headers_refuse_an_older_torch,
        the_machines_compiler_has_no_warnings
    ]
}

/// The library for the torch of the other tests.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| shared("opkit", || build(torch(), "opkit", "unstable")))
}

/// The library on the stable ABI, built with the headers of the newest torch.
fn built_stable() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| shared("opkit on the stable ABI", || build(torch(), "opkit-stable", "stable")))
}

/// Runs a module of `examples/opkit/tests`.
#[track_caller]
fn check(module: &str) {
    let mut python = torch().tool("python");
    python.env("SIMULATOR", torch().simulator());
    check_in(&mut python, built(), module);
}

/// The same with the library on the stable ABI, in the newest torch and in the oldest.
#[track_caller]
fn check_stable(module: &str) {
    for torch in [torch(), oldest()] {
        check_in(torch.tool("python").env("OPKIT_ABI", "stable"), built_stable(), module);
    }
}

fn values() {
    check("test_values");
}

fn variants() {
    check("test_variants");
}

fn gradients() {
    check("test_gradients");
}

fn compile() {
    check("test_compile");
}

/// What libraries on the stable ABI do not have.
fn cpp_api() {
    check("test_cpp_api");
}

fn stable_values() {
    check_stable("test_values");
    check_stable("test_variants");
}

fn stable_gradients() {
    check_stable("test_gradients");
}

fn stable_compile() {
    check_stable("test_compile");
}

/// The shared object imports only functions of the C shim that torch 2.10 has, and those of the
/// run time of C and C++.
fn stable_symbols() {
    let library = built_stable().join("generated/python/opkit/libopkit.so");
    let said =
        run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["audit", "--torch-min", "2.10"]).arg(&library));
    assert!(said.contains("works with torch 2.10 and newer"), "{said}");
}

fn privateuse1() {
    check("test_privateuse1");
}

fn counterpart() {
    check("test_counterpart");
}

/// Uses the installed package from another directory than its own.
const USE: &str = "
import importlib.metadata, opkit, torch
assert importlib.metadata.requires('opkit') == ['torch==2.15.*'], importlib.metadata.requires('opkit')
x = torch.randn(3, requires_grad=True)
torch.testing.assert_close(opkit.soft_cap(x, 0.5), torch.tanh(x / 0.5) * 0.5)
opkit.soft_cap(x, 0.5).sum().backward()
print(opkit.__file__)
";

/// The error for a user of torch 2.16.
const OTHER_TORCH: &str = "
import torch
torch.__version__ = '2.16.0'
try:
    import opkit
except ImportError as error:
    print(error)
";

fn wheel_installs_and_knows_its_torch() {
    let work = tempfile::tempdir().expect("a temporary directory");
    // In the build directory of the other tests, nothing remains to compile.
    let options = [format!("build-dir={}", built().display()), "cmake.build-type=None".into()];
    let python = wheel::installed(&root().join("examples/opkit"), work.path(), &options);
    let said = run(Command::new(&python).args(["-c", USE]).current_dir(work.path()));
    let package = Path::new(said.trim()).parent().expect("a package is a directory");
    assert!(package.starts_with(work.path()), "another opkit was imported: {said}");
    for file in ["libopkit.so", "_ops.pyi", "py.typed", "fakes.py", "include/opkit/Functions.h"] {
        assert!(package.join(file).is_file(), "{file} is not in the wheel");
    }
    let said = run(Command::new(&python).args(["-c", OTHER_TORCH]).current_dir(work.path()));
    let library = package.join("libopkit.so");
    let said = said.replace(&*library.to_string_lossy(), "LIBRARY");
    let expected = "LIBRARY was built with torch 2.15.0, but torch 2.16.0 is installed. Install torch 2.15, or build opkit for this one.";
    assert_eq!(said.trim(), expected);
}

fn headers_refuse_an_older_torch() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let version = work.path().join("torch/headeronly");
    std::fs::create_dir_all(&version).expect("a new directory");
    std::fs::write(version.join("version.h"), "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 12\n")
        .expect("a new file");
    let output = Command::new(std::env::var("CXX").unwrap_or_else(|_| "c++".into()))
        .args(["-std=c++20", "-fsyntax-only", "-x", "c++", "-I"])
        .arg(work.path())
        .arg("-I")
        .arg(torch().headers())
        .arg(root().join("generated/include/opkit/Export.h"))
        .output()
        .expect("a compiler");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("opkit needs the headers of torch 2.13 or newer"), "{said}");
}

/// The library of the other tests is compiled by the quick compiler. It has operators of every
/// kind: what is generated for them has no warnings of g++'s either.
///
/// This includes all of torch's headers, since the author's header does.
fn the_machines_compiler_has_no_warnings() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    torch().generate(root(), out);
    std::fs::copy(root().join("derivatives_manual.h"), out.join("derivatives_manual.h")).expect("a copy");
    let sources = std::fs::read_dir(out.join("src")).expect("sources were generated");
    let sources = sources.map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned());
    let mut sources: Vec<_> = sources.filter(|name| name.ends_with(".cpp")).collect();
    sources.sort();
    let program = torch().cxx_of_machine("opkit_warnings").include(out).include(out.join("include"));
    sources.iter().fold(program, |program, name| program.source(out.join("src").join(name))).compiles();
}

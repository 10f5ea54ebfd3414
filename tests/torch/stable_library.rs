//! Libraries with `abi: stable`: one shared object, built with the newest headers, runs in the
//! oldest torch of the stable ABI and in the newest, and needs nothing but the C shim.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::cxx::Program;
use crate::support::torch::{Torch, oldest, root, run, torch};

/// Generates the library of a source path for the stable ABI.
#[track_caller]
pub(crate) fn generate(source: &Path, out: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    run(command.arg("-s").arg(source).arg("-d").arg(out).args(["--abi", "stable"]));
}

/// The shared object of a generated library and its kernels, with every symbol resolved.
#[track_caller]
pub(crate) fn built(name: &str, out: &Path, kernels: &[PathBuf]) -> PathBuf {
    program(name, out, kernels).built()
}

/// The program that [`built`] builds.
pub(crate) fn program(name: &str, out: &Path, kernels: &[PathBuf]) -> Program {
    let names = std::fs::read_dir(out.join("src")).expect("sources were generated");
    let mut sources: Vec<PathBuf> = names.map(|entry| entry.expect("a readable entry").path()).collect();
    sources.sort();
    sources.extend(kernels.iter().cloned());
    let unity: String = sources.iter().map(|path| format!("#include \"{}\"\n", path.display())).collect();
    let libraries = torch().headers().join("../lib");
    Program::new(name)
        .standard("c++20")
        .warnings(&["-Wall", "-Werror"])
        .system(torch().headers())
        .flag("-DTORCH_TARGET_VERSION=0x020a000000000000")
        .link(format!("-L{}", libraries.display()))
        .link("-ltorch_cpu")
        .link("-Wl,-z,defs")
        .include(out.join("include"))
        .shared()
        .text("unity.cpp", &unity)
}

/// Runs a script with the generated package and its shared object.
#[track_caller]
pub(crate) fn python(torch: &Torch, out: &Path, variable: &str, library: &Path, script: &Path) -> String {
    let mut command = torch.tool("python");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", out.join("python")).env(variable, library);
    run(command.args(["-W", "ignore"]).arg(script))
}

fn place(name: &str) -> PathBuf {
    root().join("tests/stable/library").join(name)
}

#[test]
fn one_library_runs_in_every_torch() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    generate(&place(""), out);
    let library = built("carried", out, &[place("kernels.cpp")]);
    let said =
        run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["audit", "--torch-min", "2.10"]).arg(&library));
    assert!(said.is_empty(), "{said}");
    for (torch, version) in [(torch(), "2.15.0"), (oldest(), "2.10.0")] {
        let said = python(torch, out, "CARRIED_LIBRARY", &library, &place("values.py"));
        assert!(said.contains(&format!("values ok in torch {version}")), "{said}");
    }
}

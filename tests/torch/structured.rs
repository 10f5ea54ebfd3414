//! Structured operators of all shapes: `tests/structured` is generated, built with every symbol resolved, and tried out in torch with known and
//! with symbolic sizes.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::torch_env::{root, run, torch_env};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

/// Each key's source has its own functions that make and check outputs; one of the keys may be compiled with the rest. Kernels of autograd and
/// of views have the same names.
const APART: [&str; 4] = [
    "RegisterCPU.cpp",
    "RegisterMeta.cpp",
    "RegisterCompositeExplicitAutogradNonFunctional.cpp",
    "ADInplaceOrView.cpp",
];

#[test]
fn all_shapes_of_operators() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    let source = root().join("tests/structured");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).arg("-s").arg(&source).arg("-d").arg(out));
    let (mut sources, together): (Vec<PathBuf>, Vec<PathBuf>) = std::fs::read_dir(out.join("src"))
        .expect("sources were generated")
        .map(|entry| entry.expect("a readable entry").path())
        .partition(|path| APART.iter().any(|name| path.ends_with(name)));
    assert_eq!(sources.len(), APART.len());
    let unity = out.join("unity.cpp");
    let kernels = source.join("kernels.cpp");
    let includes = together.iter().chain([&kernels]).map(|path| format!("#include \"{}\"\n", path.display()));
    std::fs::write(&unity, includes.collect::<String>()).expect("a file is written");
    sources.push(unity);
    let objects: Vec<PathBuf> = sources.par_iter().map(|file| compiled(file, out)).collect();
    let library = out.join("libshaped.so");
    let torch = torch_env().headers().with_file_name("lib");
    let rpath = format!("-Wl,-rpath,{}", torch.display());
    run(compiler().arg("-shared").args(&objects).arg("-o").arg(&library).arg("-L").arg(&torch).args([
        "-ltorch_cpu",
        "-lc10",
        "-ltorch",
        "-Wl,-z,defs",
        rpath.as_str(),
    ]));
    let said = run(torch_env().tool("python").arg(source.join("behaviour.py")).arg(&library));
    for behaviour in ["values", "out", "inplace", "symbolic", "meta"] {
        assert!(said.contains(&format!("{behaviour} ok")), "{behaviour} was not tried:\n{said}");
    }
}

fn compiler() -> Command {
    Command::new(std::env::var("CXX").unwrap_or_else(|_| "c++".into()))
}

/// Compiles a file without a warning.
fn compiled(file: &Path, out: &Path) -> PathBuf {
    let object = file.with_extension("o");
    run(compiler()
        .args(["-std=c++20", "-fPIC", "-O0", "-Wall", "-Werror", "-isystem"])
        .arg(torch_env().headers())
        .arg("-I")
        .arg(out.join("include"))
        .arg("-c")
        .arg(file)
        .arg("-o")
        .arg(&object));
    object
}

//! Autograd and functionalization of operators of all shapes: `tests/autograd` is generated, built with every symbol resolved, and tried out in torch.
//!
//! The bundled library shows what people write; this shows what they could: arguments of every type saved in nodes, views of several tensors
//! with arguments of every type, arguments that are written and not returned, operators without derivatives.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::torch_env::{root, run, torch_env};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

/// Kernels of autograd and of views have the same names in one unnamed namespace, and so are compiled apart; all other sources together.
const APART: [&str; 2] = ["VariableType.cpp", "ADInplaceOrView.cpp"];

#[test]
fn all_shapes_of_operators() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    let source = root().join("tests/autograd");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).arg("-s").arg(&source).arg("-d").arg(out));
    let (apart, together): (Vec<PathBuf>, Vec<PathBuf>) = std::fs::read_dir(out.join("src"))
        .expect("sources were generated")
        .map(|entry| entry.expect("a readable entry").path())
        .partition(|path| APART.iter().any(|name| path.ends_with(name)));
    assert_eq!(apart.len(), APART.len());
    let unity = out.join("unity.cpp");
    let kernels = source.join("kernels.cpp");
    let includes = together.iter().chain([&kernels]).map(|path| format!("#include \"{}\"\n", path.display()));
    std::fs::write(&unity, includes.collect::<String>()).expect("a file is written");
    let mut sources = apart;
    sources.push(unity);
    let objects: Vec<PathBuf> = sources.par_iter().map(|file| compiled(file, out, &source)).collect();
    let library = out.join("libodd.so");
    let torch = torch_env().headers().with_file_name("lib");
    let rpath = format!("-Wl,-rpath,{}", torch.display());
    run(compiler().arg("-shared").args(&objects).arg("-o").arg(&library).arg("-L").arg(&torch).args([
        "-ltorch_cpu",
        "-lc10",
        "-ltorch",
        "-Wl,-z,defs",
        rpath.as_str(),
    ]));
    let tried: [(&str, &[&str]); 2] = [
        ("behaviour.py", &["all_types", "properties", "views", "writes", "outputs"]),
        (
            "functionalization.py",
            &["views", "inductor", "gradients", "writes", "checked", "export", "transform", "factories"],
        ),
    ];
    for (script, behaviours) in tried {
        let said = run(torch_env().tool("python").arg(source.join(script)).arg(&library));
        for behaviour in behaviours {
            assert!(said.contains(&format!("{behaviour} ok")), "{behaviour} was not tried:\n{said}");
        }
    }
}

fn compiler() -> Command {
    Command::new(std::env::var("CXX").unwrap_or_else(|_| "c++".into()))
}

/// Compiles a file without a warning.
fn compiled(file: &Path, out: &Path, source: &Path) -> PathBuf {
    let object = file.with_extension("o");
    run(compiler()
        .args(["-std=c++20", "-fPIC", "-O0", "-Wall", "-Werror", "-isystem"])
        .arg(torch_env().headers())
        .arg("-I")
        .arg(out.join("include"))
        // derivatives_manual.h
        .arg("-I")
        .arg(source)
        .arg("-c")
        .arg(file)
        .arg("-o")
        .arg(&object));
    object
}

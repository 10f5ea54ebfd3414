//! `torchgen-rs kernels`: the skeletons it prints complete a library, and compile.

use std::process::{Command, Output};

use crate::support::torch::{root, run, torch};

fn kernels(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.arg("kernels").args(arguments).current_dir(root()).output().expect("the binary runs")
}

#[test]
fn skeletons_complete_a_library_and_compile() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let sources = directory.path().to_string_lossy().into_owned();
    let printed = kernels(&["-s", ".", "--sources", &sources]);
    assert_eq!(printed.status.code(), Some(1));
    let written = kernels(&["-s", ".", "--sources", &sources, "--write"]);
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let again = kernels(&["-s", ".", "--sources", &sources, "--write", "--strict"]);
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success() && said.contains("all defined"), "{said}");

    // The printed text is the written text, and all of it can be one source.
    let unit = directory.path().join("unit.cc");
    let text = format!("#include <opkit/NativeFunctions.h>\n{}", String::from_utf8_lossy(&printed.stdout));
    std::fs::write(&unit, text).expect("a new file");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    run(Command::new(compiler)
        .args(["-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-isystem"])
        .arg(torch().headers())
        .arg("-I")
        .arg(root().join("generated/include"))
        .arg(&unit));
}

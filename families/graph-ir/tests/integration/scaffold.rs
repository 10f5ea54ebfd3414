//! `new --family graph-ir`: its commands work, and CMake builds it.

use std::fs;
use std::process::Command;

use libtest_mimic::Trial;

use super::{generate, run};
use crate::support::cmake::configure;
use crate::support::cxx::Program;
use crate::support::torch;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![the_commands_of_its_readme_work, cmake_builds_it]
}

const TOOL: &str = env!("CARGO_BIN_EXE_torchgen-rs");

fn the_commands_of_its_readme_work() {
    let directory = tempfile::tempdir().expect("a directory");
    assert!(run(directory.path(), &["new", "--family", "graph-ir", "mine"]).status.success());
    let mine = directory.path().join("mine");
    let out = generate(&mine, &["-s", "ir.yaml"]);
    let printed = Program::quick("scaffold").generated(&out).source(mine.join("main.cpp")).run();
    assert!(printed.contains("%relu = relu @out %relu_res, @in %scale_res"), "{printed}");
}

/// Its CMakeLists.txt, with the CMake and the Ninja of the environment that `support` makes. An
/// edited default runs the generator again, and compiles what includes it.
fn cmake_builds_it() {
    let directory = tempfile::tempdir().expect("a directory");
    assert!(run(directory.path(), &["new", "--family", "graph-ir", "mine"]).status.success());
    let (source, module) = (directory.path().join("mine"), directory.path().join("module"));
    let build = directory.path().join("build");
    torch::run(Command::new(TOOL).arg("cmake-module").arg(&module));
    let mut configure = configure(torch::torch(), &source, &build);
    torch::run(configure.arg(format!("-DTorchgenRs_DIR={}", module.display())));
    let ninja = || torch::run(torch::torch().tool("ninja").arg("-C").arg(&build));
    ninja();
    let program = || torch::run(&mut Command::new(build.join("mine")));
    assert!(program().contains("%scale = scale @out %scale_res, @in %input {Factor: 0.5}"));
    assert!(ninja().contains("no work to do"));
    let yaml = source.join("ir.yaml");
    let text = fs::read_to_string(&yaml).expect("the family file");
    let edited = text.replace("Relu(Tensor(a) Src) -> Tensor(a) Dest", "Relu(Tensor Src) -> Tensor Dest");
    assert_ne!(edited, text);
    fs::write(&yaml, edited).expect("the family file");
    let again = ninja();
    assert!(again.contains("AutoGenInstr") && !again.contains("AutoGenNodes.cpp.o"), "{again}");
    assert!(program().contains("%relu = relu @out %relu_res, @in %scale_res"));
}

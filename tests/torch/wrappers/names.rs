//! Parameters of the graph API may have the names that the mock of that API uses itself.

use std::fs;
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{run, torch};

/// The tests of this module.
pub(super) fn trials() -> Vec<Trial> {
    trials![parameters_have_names_of_the_mock]
}

/// The names that `templates/wrappers/mock_backend.h.j2` declares, in methods, classes and around.
const MOCKS: &str = "Args ConstInput Executable Function GraphBuilder Node PrimaryInput PrimaryOutput TensorInfo \
    Tensors Values acme api at compile count_ dtype each executable first function graph graph_ host index inputs \
    inputs_ load loaded made node nodes one outputs outputs_ results run several sizes std step steps_ tensors value \
    values";

/// A function for each name, whose second parameter has it.
fn parameters_have_names_of_the_mock() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("a new file");
    write("aten.yaml", "[]\n");
    let functions: String = MOCKS
        .split_whitespace()
        .enumerate()
        .map(|(n, name)| {
            format!("- fn: F{n}(Tensor first_of_all, Tensor {name}, int last) -> Tensor\n  cpu: first_of_all + last\n")
        })
        .collect();
    write(
        "backend.yaml",
        &format!("family: wrappers\nname: acme\nnative_functions: aten.yaml\nfunctions:\n{functions}ops: []\n"),
    );
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["wrappers", "--strict", "--mock", "-s", "backend.yaml", "-d", "out"])
        .current_dir(directory.path()));
    let mock = directory.path().join("out/mock_backend.h");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    run(Command::new(compiler)
        .args(["-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-isystem"])
        .arg(torch().headers())
        .args(["-x", "c++"])
        .arg(mock));
}

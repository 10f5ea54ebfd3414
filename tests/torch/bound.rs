//! A Python module of pybind11: the operators that `adopt` makes of its functions are compiled into
//! it, do what the functions do, and have schemas that hold; its autograd functions, in C++ and
//! Python, have the gradients of the formulas that `adopt` makes of them.

use std::fs;
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::pytorch::copy;
use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![functions_of_a_module_are_operators]
}

/// The module and what registers its operators, as a build compiles them, in one source.
const SOURCES: &str = "#include \"bind.cpp\"\n#include \"kernels.cpp\"\n#include \"ops/registrations.cpp\"\n";

fn functions_of_a_module_are_operators() {
    let (torch, out) = (torch(), tempfile::tempdir().expect("a temporary directory"));
    let (source, library) = (root().join("tests/adopted/bound"), out.path().join("library"));
    copy(&source.join("library"), &library);
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["adopt", "library", "--write"]).current_dir(out.path()));
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["-s", "library/ops", "-d", "generated"])
        .current_dir(out.path()));
    let headers = run(torch.tool("python").args(["-c", "import sysconfig; print(sysconfig.get_path('include'))"]));
    let program = torch.cxx("counterlib").shared().text("unity.cpp", SOURCES).include(&library);
    // The interpreter has its own symbols.
    let built = program.include(headers.trim()).link("-ltorch_python").link("-Wl,-z,undefs").built();
    fs::copy(&built, out.path().join("counterlib.so")).expect("a copy");
    let mut command = torch.tool("python");
    let folders = ["", "library", "library/ops/tests", "generated/python"].map(|name| out.path().join(name));
    let path = std::env::join_paths(folders).expect("paths without separators");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", path);
    let said = run(command.args(["-W", "ignore"]).arg(source.join("check.py")));
    assert!(said.contains("bound ok"), "{said}");
}

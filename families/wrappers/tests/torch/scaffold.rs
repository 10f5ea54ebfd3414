//! `torchgen-rs new --family wrappers`: CMake builds its program and setup.py its extension,
//! against the wheel, and both run.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use super::torchgen;
use crate::support::cmake::configure;
use crate::support::torch::{run, simulator_path, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![cmake_builds_it, setup_py_builds_it]
}

const TOOL: &str = env!("CARGO_BIN_EXE_torchgen-rs");

/// A new project below `work`.
fn mine(work: &Path) -> PathBuf {
    let project = work.join("mine");
    run(torchgen().arg("new").arg("--family").arg("wrappers").arg(&project));
    project
}

/// The program compares its wrappers with PyTorch. An edit generates and compiles again.
fn cmake_builds_it() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let (source, module, build) = (mine(work.path()), work.path().join("module"), work.path().join("build"));
    run(torchgen().arg("cmake-module").arg(&module));
    run(configure(torch(), &source, &build).arg(format!("-DTorchgenRs_DIR={}", module.display())));
    let ninja = |arguments: &[&str]| run(torch().tool("ninja").arg("-C").arg(&build).args(arguments));
    ninja(&[]);
    assert_eq!(run(&mut Command::new(build.join("mine"))), "3 examples, 0 failures\n");
    assert!(ninja(&[]).contains("no work to do"));
    let yaml = source.join("backend.yaml");
    let text = std::fs::read_to_string(&yaml).expect("the YAML");
    std::fs::write(&yaml, text.replace("{alpha: \"== 1\"}", "{alpha: \"== 2\"}")).expect("the YAML");
    // `-n` runs nothing but CMake, which an edit of the YAML makes necessary.
    let planned = ninja(&["-n"]);
    assert!(planned.contains("Generating mine's sources") || planned.contains("Re-running CMake"), "{planned}");
}

/// The extension registers kernels that run on the test backend.
fn setup_py_builds_it() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let project = mine(work.path());
    let python = torch().program("python");
    let environment = python.ancestors().nth(2).expect("a program of the environment");
    let setup = || {
        run(torch()
            .tool("python")
            .args(["setup.py", "build_ext", "--inplace"])
            .current_dir(&project)
            .env("TORCHGEN_RS", TOOL)
            // Python's own flags have -O3, which takes most of the compiler's time.
            .env("CXXFLAGS", "-O0")
            .env("VIRTUAL_ENV", environment))
    };
    setup();
    let script = "
import sys, torch, simulator
torch.ops.load_library(sys.argv[1])
x, row = torch.randn(2, 3), torch.randn(3)
ours = torch.relu(simulator.moved(x) + simulator.moved(row))
torch.testing.assert_close(ours.cpu(), torch.relu(x + row))
assert not {'aten::relu', 'aten::add.Tensor', 'aten::add'} & simulator.fallen_back()
try:
    torch.add(simulator.moved(x), simulator.moved(x), alpha=2)
except RuntimeError as error:
    assert 'alpha' in str(error), error
else:
    raise AssertionError('alpha=2 is accepted')
";
    run(torch()
        .tool("python")
        .args(["-c", script])
        .arg(project.join("mine_ops.so"))
        .env("PYTHONPATH", simulator_path())
        .env("SIMULATOR", torch().simulator()));
    // Nothing is compiled again.
    let said = setup();
    assert!(said.contains("nothing changed") && !said.contains("building 'mine_ops'"), "{said}");
}

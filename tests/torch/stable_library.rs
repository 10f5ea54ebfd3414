//! Libraries with `abi: stable`: one shared object, built with the newest headers, runs in the
//! oldest torch of the stable ABI and in the newest, and needs nothing but the C shim.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::cxx::Program;
use crate::support::torch::{STABLE_TARGET, Torch, oldest, root, run, torch};
use crate::support::wheel;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        one_library_runs_in_every_torch,
        mistakes_of_boxed_kernels_cannot_be_made,
        kernels_are_called_as_they_are_written,
        a_new_library_is_one_wheel
    ]
}

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
    bare(name).include(out.join("include")).text("unity.cpp", &unity)
}

/// A shared object without sources, for torch 2.10 and newer.
pub(crate) fn bare(name: &str) -> Program {
    let libraries = torch().headers().join("../lib");
    Program::new(name)
        .standard("c++20")
        .warnings(&["-Wall", "-Werror"])
        .system(torch().headers())
        .flag(STABLE_TARGET)
        .link(format!("-L{}", libraries.display()))
        .link("-ltorch_cpu")
        .link("-Wl,-z,defs")
        .shared()
}

/// Runs a script with the generated package and its shared object.
#[track_caller]
pub(crate) fn python(torch: &Torch, out: &Path, variable: &str, library: &Path, script: &Path) -> String {
    let mut command = torch.tool("python");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", out.join("python")).env(variable, library);
    run(command.args(["-W", "ignore"]).arg(script))
}

/// `tests/stable/signatures`: kernels with other types than those of their declarations, and in no
/// namespace.
fn kernels_are_called_as_they_are_written() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    let source = root().join("tests/stable/signatures");
    let kernels = source.join("kernels.cpp");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    run(command.arg("-s").arg(&source).arg("-d").arg(out).arg("--kernels").arg(&kernels));
    let library = built("written", out, &[kernels]);
    for torch in [torch(), oldest()] {
        let said = python(torch, out, "WRITTEN_LIBRARY", &library, &source.join("behaviour.py"));
        assert!(said.contains("written ok"), "{said}");
    }
}

fn place(name: &str) -> PathBuf {
    root().join("tests/stable/library").join(name)
}

fn trap(name: &str) -> PathBuf {
    root().join("tests/stable/traps").join(name)
}

fn one_library_runs_in_every_torch() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    generate(&place(""), out);
    let library = built("carried", out, &[place("kernels.cpp")]);
    let said =
        run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["audit", "--torch-min", "2.10"]).arg(&library));
    assert!(said.contains("works with torch 2.10 and newer"), "{said}");
    for (torch, version) in [(torch(), "2.15.0"), (oldest(), "2.10.0")] {
        let said = python(torch, out, "CARRIED_LIBRARY", &library, &place("values.py"));
        assert!(said.contains(&format!("values ok in torch {version}")), "{said}");
    }
}

/// Mistakes that TORCH_BOX takes for kernels do not become a library, and the right kernels return
/// what those get wrong.
fn mistakes_of_boxed_kernels_cannot_be_made() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    generate(&trap(""), out);
    let library = built("traps", out, &[trap("kernels.cpp")]);
    let boxed = bare("boxed").source(trap("boxed.cpp")).built();
    for (torch, version) in [(torch(), "2.15.0"), (oldest(), "2.10.0")] {
        let mut command = torch.tool("python");
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", out.join("python"));
        command.env("TRAPS_LIBRARY", &library).env("BOXED", &boxed);
        let said = run(command.args(["-W", "ignore"]).arg(trap("compare.py")));
        assert!(said.contains(&format!("6 traps in torch {version}")), "{said}");
    }

    let said = program("wrong", out, &[trap("wrong.cpp")]).refused();
    for kernel in ["echo", "big", "maybe", "second", "sums"] {
        let is_error = |line: &str| line.contains("error") && line.contains(&format!("native::{kernel}("));
        assert!(said.lines().any(is_error), "{kernel}: {said}");
    }
    let said = program("returns", out, &[trap("returns.cpp")]).refused();
    assert!(said.contains("native::sizes("), "{said}");
}

/// README's first calls of a new library, with that package in place of its own.
fn first_calls(package: &str) -> String {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README");
    let block = readme.split("```python\n").nth(1).and_then(|block| block.split("```").next());
    block.expect("README has a block of Python").replace("my_ops", package)
}

/// A new library becomes a wheel for any Python, which runs in the oldest torch. Its tests have
/// variables of its name.
fn a_new_library_is_one_wheel() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let library = work.path().join("a");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).arg("new").arg(&library));
    let installed = wheel::installed(&library, work.path(), &["cmake.build-type=None".to_owned()]);
    let wheels = std::fs::read_dir(work.path().join("wheels")).expect("a directory of wheels");
    let names: Vec<String> =
        wheels.map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned()).collect();
    assert!(names.len() == 1 && names[0].starts_with("a-0.1.0-py3-none-"), "{names:?}");
    let metadata = "import importlib.metadata as m; print(m.requires('a'))";
    assert_eq!(run(Command::new(&installed).args(["-c", metadata])).trim(), "['torch>=2.10']");
    let said = run(Command::new(&installed)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"])
        .current_dir(&library));
    assert!(said.contains("28 passed"), "{said}");
    // Tests that are written for it pass too: each operator's values are left to the author.
    let tests = work.path().join("tests");
    let said = run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["kernels", "--tests"])
        .arg(&tests)
        .arg("-s")
        .arg(&library));
    assert!(said.contains("wrote tests of 3 operators"), "{said}");
    let said = run(Command::new(&installed).args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).arg(&tests));
    assert!(said.contains("31 passed, 3 skipped"), "{said}");

    // The oldest environment has no pytest.
    let site = run(Command::new(&installed).args(["-c", "import a; print(*a.__path__)"]));
    let site = Path::new(site.trim()).parent().expect("a directory of packages");
    let calls = "import torch, a; x = torch.tensor([-1.0, 2.0], requires_grad=True); y = a.squared_relu(x); \
                 y.sum().backward(); print(y.tolist(), x.grad.tolist())";
    let said = run(oldest().tool("python").args(["-W", "ignore", "-c", calls]).env("PYTHONPATH", site));
    assert_eq!(said.trim(), "[0.0, 4.0] [0.0, 4.0]");
    run(oldest().tool("python").args(["-W", "ignore", "-c", &first_calls("a")]).env("PYTHONPATH", site));
    let shared = site.join("a/liba.so");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).args(["audit", "--torch-min", "2.10"]).arg(shared));

    let said = run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["kernels", "--strict", "--sources", "kernels"])
        .current_dir(&library));
    assert!(said.contains("3 kernels, all defined"), "{said}");
}

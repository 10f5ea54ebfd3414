//! Packages as users build and install them: wheels of several forms of libraries, and the source
//! distribution of the program. `torch::stable_library` has the wheel of a new library.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::cmake::shared_header;
use crate::support::tool_wheel::target;
use crate::support::torch::{oldest, root, run, torch};
use crate::support::wheel;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_library_on_the_cpp_api_becomes_a_wheel_and_passes_its_tests,
        a_wheel_has_several_namespaces,
        a_library_is_inside_a_package_of_its_author,
        the_source_distribution_compiles
    ]
}

fn tool() -> Command {
    Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
}

/// A new library with kernels for CUDA, which nothing compiles.
fn a_library_on_the_cpp_api_becomes_a_wheel_and_passes_its_tests() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let library = work.path().join("gpu-ops");
    run(tool().arg("new").arg(&library).args(["--cuda", "--abi", "unstable"]));
    // Without an optimizer, and always without a toolkit.
    let options = ["cmake.build-type=None".to_owned(), "cmake.define.CMAKE_CUDA_COMPILER=NOTFOUND".to_owned()];
    let python = wheel::installed(&library, work.path(), &options);
    let said = run(Command::new(&python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"])
        .env("OMP_NUM_THREADS", "2")
        .current_dir(&library));
    assert!(said.contains("28 passed"), "{said}");

    // All its kernels are defined, those for CUDA too.
    let said = run(tool().args(["kernels", "--strict", "--sources", "kernels"]).current_dir(&library));
    assert!(said.contains("5 kernels, all defined"), "{said}");
}

/// `tests/several`: several directories and files, with several namespaces in one Python package.
fn a_wheel_has_several_namespaces() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let module = root().join("cmake/TorchgenRsConfig.cmake");
    let mut options = vec![
        "cmake.build-type=None".to_owned(),
        format!("cmake.define.TORCHGEN_MODULE={}", module.display()),
        format!("build-dir={}", work.path().join("build").display()),
    ];
    options.extend(shared_header().map(|definition| format!("cmake.define.{definition}")));
    let python = wheel::installed(&root().join("tests/several"), work.path(), &options);
    let said = run(Command::new(&python).arg(root().join("tests/several/behaviour.py")));
    for expected in ["namespaces ok", "derivatives ok", "fakes ok", "Python ok"] {
        assert!(said.contains(expected), "{expected} is missing:\n{said}");
    }
    // Stubs and headers of all namespaces are in the wheel.
    let of_package = "import os, several_ops; print(os.path.dirname(several_ops.__file__), end='')";
    let package = PathBuf::from(run(Command::new(&python).args(["-c", of_package])));
    for namespace in ["several_norm", "several_cache", "several_attention"] {
        let header = package.join("include").join(namespace).join("NativeFunctions.h");
        assert!(header.is_file(), "{} is missing", header.display());
    }
    run(torch().tool("mypy").args(["--strict", "--no-error-summary"]).arg(&package));
}

/// The generated package is a part of the author's own one, installed from a wheel and editable.
fn a_library_is_inside_a_package_of_its_author() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let library = work.path().join("studio");
    let arguments = ["--namespace", "strokes", "--inside", "studio", "--abi", "stable"];
    run(tool().arg("new").arg(&library).args(arguments));
    let tools = library.join("src/studio/tools");
    let write = |text: &str| std::fs::write(tools.join("__init__.py"), text).expect("a new file");
    std::fs::create_dir(&tools).expect("a new directory");
    write("from studio import squared_relu\n\n\ndef twice(x):\n    return 2 * squared_relu(x)\n");
    let options = ["cmake.build-type=None".to_owned()];
    let python = wheel::installed(&library, work.path(), &options);
    let pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"];
    let said = run(Command::new(&python).args(pytest).current_dir(&library));
    assert!(said.contains("28 passed"), "{said}");
    let calls = "import torch, typing, studio.tools, studio._ops; x = torch.tensor([-1.0, 2.0]); \
                 print(studio.tools.twice(x).tolist(), typing.get_type_hints(studio.squared_relu)['return'] is torch.Tensor, \
                 studio._ops.squared_relu is studio.squared_relu and studio.__version__ == '0.1.0', \
                 torch.ops.strokes.squared_relu.default.name(), studio._ops.__file__)";
    let called = || run(Command::new(&python).args(["-W", "ignore", "-c", calls]).current_dir(work.path()));
    let said = called();
    assert!(said.starts_with("[0.0, 8.0] True True strokes::squared_relu "), "{said}");
    assert!(said.trim_end().ends_with("site-packages/studio/_ops/__init__.py"), "{said}");
    // Errors of kernels name files of the project.
    let wrong = "import torch, studio\ntry:\n    studio.squared_relu(torch.arange(3))\nexcept RuntimeError as error:\n    print(error)";
    let said = run(Command::new(&python).args(["-W", "ignore", "-c", wrong]).current_dir(work.path()));
    assert!(said.contains("kernels/squared_relu.cpp:") && !said.contains("/studio/kernels"), "{said}");
    // The oldest torch takes the same package.
    let site = run(Command::new(&python).args(["-c", "import studio; print(*studio.__path__)"]));
    let site = Path::new(site.trim()).parent().expect("a directory of packages");
    let said = run(oldest().tool("python").args(["-W", "ignore", "-c", calls]).env("PYTHONPATH", site));
    assert!(said.starts_with("[0.0, 8.0] True True"), "{said}");

    run(Command::new(&python).args(["-c", "import pathlib, shutil, studio; shutil.rmtree(*studio.__path__)"]));
    wheel::installed_editable(&library, &python, &options);
    write("from studio import squared_relu\n\n\ndef twice(x):\n    return squared_relu(x) + squared_relu(x) + 1\n");
    assert!(called().starts_with("[1.0, 9.0] True True strokes::squared_relu "), "{}", called());
}

fn the_source_distribution_compiles() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let venv = work.path().join("venv");
    run(torch().tool("python").args(["-m", "venv"]).arg(&venv));
    run(Command::new(venv.join("bin/python")).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "maturin>=1.9,<2",
    ]));
    let sdist = work.path().join("sdist");
    run(Command::new(venv.join("bin/maturin")).args(["sdist", "--out"]).arg(&sdist).current_dir(root()));
    let packed = std::fs::read_dir(&sdist).expect("a directory").next().expect("a distribution");
    let packed = packed.expect("a readable entry").path();
    // Files of now: those of an archive are older than what an earlier version left in the target
    // directory, which Cargo would take.
    run(Command::new("tar").arg("-xmzf").arg(&packed).arg("-C").arg(work.path()));
    let name = packed.file_name().expect("a name").to_string_lossy().into_owned();
    let unpacked = work.path().join(name.strip_suffix(".tar.gz").expect("a packed file"));
    // The dependencies are those of this build.
    run(Command::new("cargo")
        .args(["check", "--locked", "--manifest-path=python/Cargo.toml", "--features=tested", "--target-dir"])
        .arg(target("sdist"))
        .env("CARGO_BUILD_BUILD_DIR", target(""))
        .current_dir(unpacked));
}

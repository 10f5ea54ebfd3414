//! The program in the Python package: `pip install .` puts it where the build of a library finds
//! it, and its source distribution has all that a build needs. `python_module` tests the module.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::tool_wheel::{installed, target};
use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![pip_installs_the_program, the_source_distribution_compiles]
}

/// Configures the project of `torchgen-rs new` with no program but those of `path` and of the
/// system. Returns whether that succeeds, and the output.
fn configure(work: &Path, path: &[PathBuf]) -> (bool, String) {
    let project = work.join("curves");
    if !project.exists() {
        run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
            .args(["new", "curves", "--abi", "unstable"])
            .current_dir(work));
    }
    let system = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    let path = std::env::join_paths(path.iter().chain(&system)).expect("a path without separators in it");
    let _ = std::fs::remove_dir_all(work.join("build"));
    let output = torch()
        .tool("cmake")
        .arg("-S")
        .arg(&project)
        .arg("-B")
        .arg(work.join("build"))
        .args(["-G", "Ninja"])
        .arg(format!("-DCMAKE_MAKE_PROGRAM={}", torch().program("ninja").display()))
        .arg(format!("-DPython_EXECUTABLE={}", torch().program("python").display()))
        .env("PATH", path)
        .env("HOME", work)
        .env("CARGO_HOME", work)
        .output()
        .expect("cmake runs");
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    (output.status.success(), text)
}

fn pip_installs_the_program() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let (found, said) = configure(work.path(), &[]);
    let advice = ["torchgen-rs is not in PATH", "pip install", "build-system.requires"];
    // CMake breaks the lines of its messages.
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!found && advice.iter().all(|part| words.contains(part)), "{said}");

    let programs = installed().join("bin");
    let program = programs.join("torchgen-rs");
    let version = |program: &Path| run(Command::new(program).arg("--version"));
    assert_eq!(version(&program), version(Path::new(env!("CARGO_BIN_EXE_torchgen-rs"))));

    let (found, said) = configure(work.path(), &[programs]);
    let cache = std::fs::read_to_string(work.path().join("build/CMakeCache.txt")).unwrap_or_default();
    let used = cache.lines().find(|line| line.starts_with("TORCHGEN_RS:")).unwrap_or_default();
    assert!(found && used.ends_with(&program.display().to_string()), "{used}\n{said}");
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

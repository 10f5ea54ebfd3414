//! The program in the Python package: `pip install .` puts it where the build of a library finds
//! it. `python_module` tests the module, and slow tests compile the source distribution.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::tool_wheel::installed;
use crate::support::torch::{run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![pip_installs_the_program]
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

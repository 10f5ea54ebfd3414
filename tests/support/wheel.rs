//! Builds packages with pip and installs them into a fresh virtual environment, as users do.
//!
//! torch is not installed again: after its own packages, the fresh environment uses those of the
//! environment of `torch`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::cxx::quick;
use super::torch::{run, torch};

const SITE: &str = "import sysconfig; print(sysconfig.get_path('purelib'), end='')";

/// Builds the wheel of a package with the tool of this build, and installs it below `work`. Returns
/// the Python of that environment.
///
/// `options` are settings of scikit-build-core.
pub(crate) fn installed(source: &Path, work: &Path, options: &[String]) -> PathBuf {
    let env = torch();
    let wheels = work.join("wheels");
    run(env
        .tool("python")
        .args(["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-build-isolation"])
        .args(["--no-deps", "--no-index", "--wheel-dir"])
        .arg(&wheels)
        .args(options.iter().map(|option| format!("--config-settings={option}")))
        .arg(format!("--config-settings=cmake.define.TORCHGEN_RS={}", env!("CARGO_BIN_EXE_torchgen-rs")))
        .arg(format!("--config-settings=cmake.define.CMAKE_MAKE_PROGRAM={}", env.program("ninja").display()))
        .args(["--config-settings=build.tool-args=-j2", "--config-settings=build.verbose=true"])
        .env("CMAKE_GENERATOR", "Ninja")
        .env("CXX", quick())
        .arg(source));
    let wheel = std::fs::read_dir(&wheels).expect("a directory of wheels").next().expect("a wheel");
    let wheel = wheel.expect("a readable entry").path();
    let fresh = work.join("venv");
    run(env.tool("python").args(["-m", "venv", "--without-pip"]).arg(&fresh));
    let python = fresh.join("bin/python");
    let site = run(Command::new(&python).args(["-c", SITE]));
    std::fs::write(Path::new(&site).join("torch.pth"), run(env.tool("python").args(["-c", SITE]))).expect("a new file");
    run(env
        .tool("python")
        .args(["-m", "pip", "--quiet", "--disable-pip-version-check", "--python"])
        .arg(&python)
        .args(["install", "--no-deps", "--no-index"])
        .arg(&wheel));
    python
}

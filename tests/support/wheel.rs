//! Builds packages with pip and installs them into a fresh virtual environment, as users do.
//!
//! torch is not installed again: after its own packages, the fresh environment uses those of the
//! environment of `torch`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::cxx::quick;
use super::torch::{run, torch};

const SITE: &str = "import sysconfig; print(sysconfig.get_path('purelib'), end='')";

/// pip, for packages that are built with what the environment of `torch` has.
fn pip(arguments: &[&str]) -> Command {
    let (first, rest) = arguments.split_first().expect("a command of pip");
    let mut command = torch().tool("python");
    command.args(["-m", "pip", first, "--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-deps"]);
    command.args(rest).env("CMAKE_GENERATOR", "Ninja").env("CXX", quick());
    command
}

/// The settings of scikit-build-core for a build with the tool of this build.
fn settings(options: &[String]) -> Vec<String> {
    let own = [
        format!("cmake.define.TORCHGEN_RS={}", env!("CARGO_BIN_EXE_torchgen-rs")),
        format!("cmake.define.CMAKE_MAKE_PROGRAM={}", torch().program("ninja").display()),
        "build.tool-args=-j2".to_owned(),
        "build.verbose=true".to_owned(),
    ];
    options.iter().chain(&own).map(|option| format!("--config-settings={option}")).collect()
}

/// Installs a package so that it uses its sources, into the directory for packages of `python`,
/// which has another one of its name.
pub(crate) fn installed_editable(source: &Path, python: &Path, options: &[String]) {
    let site = run(Command::new(python).args(["-c", SITE]));
    run(pip(&["install", "--no-index", "--upgrade", "--target", &site, "--editable"])
        .arg(source)
        .args(settings(options)));
}

/// Builds the wheel of a package with the tool of this build, and installs it below `work`. Returns
/// the Python of that environment.
///
/// `options` are settings of scikit-build-core.
pub(crate) fn installed(source: &Path, work: &Path, options: &[String]) -> PathBuf {
    let env = torch();
    let wheels = work.join("wheels");
    run(pip(&["wheel", "--no-index", "--wheel-dir"]).arg(&wheels).args(settings(options)).arg(source));
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

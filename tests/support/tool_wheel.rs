//! The Python package of this build, installed once into a fresh virtual environment without torch.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::torch::{root, run, torch};
use crate::trial::shared;

/// The environment, made on first use.
pub(crate) fn installed() -> &'static Path {
    static VENV: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tool-wheel");
        let _ = std::fs::remove_dir_all(&venv);
        run(torch().tool("python").args(["-m", "venv"]).arg(&venv));
        run(Command::new(venv.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            // The crates are those of this build.
            .arg("--config-settings=build-args=--profile=dev --features=tested --strip")
            .arg(root())
            .env("CARGO_TARGET_DIR", target("")));
        venv
    };
    VENV.get_or_init(|| shared("the Python package of this build", make))
}

/// A directory in the target directory, so that a second run compiles little.
pub(crate) fn target(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target directory").join(name)
}

/// A program of that environment, with nothing of the environment that the tests run in.
pub(crate) fn tool(name: &str) -> Command {
    let mut command = Command::new(installed().join("bin").join(name));
    command.env_remove("PYTHONPATH").env_remove("VIRTUAL_ENV");
    command
}

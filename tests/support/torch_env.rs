//! The virtual environment with torch, NumPy, CMake and Ninja that tests build and run C++ in.
//!
//! It is made once, in `target/torch-env`, by `torch_env.py` beside this file, and reused; `TORCHGEN_TORCH_ENV` names a ready one. What cannot be
//! had fails the test that asks: nothing is skipped.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde::Deserialize;

#[derive(Deserialize)]
struct Suite {
    wheel: Wheel,
}

#[derive(Deserialize)]
struct Wheel {
    pin: String,
    file: String,
    sha256: String,
}

/// Prints the version of torch and where it is, without importing it, which takes seconds.
const PROBE: &str = "
import importlib.metadata, importlib.util
print(importlib.metadata.version('torch'))
print(importlib.util.find_spec('torch').submodule_search_locations[0])
";

/// A virtual environment that is complete.
pub(crate) struct TorchEnv {
    root: PathBuf,
    torch: PathBuf,
}

/// The environment, made on first use.
pub(crate) fn torch_env() -> &'static TorchEnv {
    static ENV: OnceLock<TorchEnv> = OnceLock::new();
    ENV.get_or_init(TorchEnv::new)
}

impl TorchEnv {
    fn new() -> TorchEnv {
        let data = std::fs::read_to_string(root().join("tests/conformance/configurations.yaml"))
            .expect("the conformance suite's data");
        let Suite { wheel } = serde_yaml::from_str(&data).expect("the conformance suite's data");
        let directory = match std::env::var_os("TORCHGEN_TORCH_ENV") {
            Some(directory) => PathBuf::from(directory),
            None => made(&wheel),
        };
        let said = run(Command::new(directory.join("bin/python")).args(["-c", PROBE]));
        let (version, torch) = said.trim_end().split_once('\n').expect("two lines");
        let wanted = wheel.pin.rsplit('=').next().expect("a pinned version");
        assert!(version.split('+').next() == Some(wanted), "{} has torch {version}, not {wanted}", directory.display());
        TorchEnv { root: directory, torch: PathBuf::from(torch) }
    }

    /// A program of the environment, with the environment's programs first in `PATH`.
    pub(crate) fn tool(&self, name: &str) -> Command {
        let bin = self.root.join("bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(bin.clone()).chain(std::env::split_paths(&path)))
            .expect("a path without separators in it");
        let mut command = Command::new(bin.join(name));
        command.env("PATH", path);
        command
    }

    /// The path of a program of the environment.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.root.join("bin").join(name)
    }

    /// The directory of torch's headers.
    pub(crate) fn headers(&self) -> PathBuf {
        self.torch.join("include")
    }
}

/// The environment in this build's target directory.
fn made(wheel: &Wheel) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target directory");
    let directory = target.join("torch-env");
    let cache = match std::env::var_os("TORCHGEN_CONFORMANCE_DIR") {
        Some(cache) => PathBuf::from(cache),
        None => target.join("conformance"),
    };
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    run(Command::new(python).arg(root().join("tests/support/torch_env.py")).args([&directory, &cache]).args([
        &wheel.pin,
        &wheel.file,
        &wheel.sha256,
    ]));
    directory
}

/// The root of the checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a command to its end and returns what it said, both streams.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    text
}

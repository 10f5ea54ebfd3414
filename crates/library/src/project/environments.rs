//! Environments with versions of torch: those that the user names, and those that are made, one for
//! each version, in a directory that later runs use again.
//!
//! Invariant: an environment that is given is never changed. One that is made is complete if its
//! last file exists, and is made by one run at a time.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::process::{self, Finished};
use super::python::{Missing, Python, in_prefix};
use super::{Lock, error};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_generators::args::TorchVersions;
use torchgen_kit::driver::Session;
use torchgen_model::model::version::Version;

/// What a new environment has beside torch: what builds a library, and what runs its tests.
const PACKAGES: [&str; 6] = ["scikit-build-core>=1.1", "cmake>=3.26", "ninja", "pytest", "numpy", "expecttest"];

/// The last file of a new environment.
const COMPLETE: &str = "torchgen-complete";

/// pip's settings that decide where packages come from. uv has others.
const INDICES: [&str; 4] = ["index-url", "extra-index-url", "find-links", "no-index"];

/// A version of torch to test with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) minor: Version,
    /// The release, if it is given.
    release: Option<String>,
}

impl Wanted {
    /// All versions that a command line names, each once.
    pub(super) fn all(given: &[TorchVersions]) -> Vec<Wanted> {
        let mut all: Vec<Wanted> = Vec::new();
        for versions in given {
            match versions {
                TorchVersions::Minors(minors) => {
                    all.extend(minors.iter().map(|minor| Wanted { minor: *minor, release: None }));
                }
                TorchVersions::Release(minor, release) => {
                    all.push(Wanted { minor: *minor, release: Some(release.clone()) });
                }
            }
        }
        let mut unique: Vec<Wanted> = Vec::new();
        for wanted in all {
            if !unique.contains(&wanted) {
                unique.push(wanted);
            }
        }
        unique
    }

    /// The version, as it was given.
    pub(super) fn shown(&self) -> String {
        self.release.clone().unwrap_or_else(|| self.minor.to_string())
    }

    /// Whether a Python has it.
    pub(super) fn is_of(&self, python: &Python) -> bool {
        match &self.release {
            Some(release) => python.torch_release() == release,
            None => python.torch_minor() == Some(self.minor),
        }
    }

    /// What pip installs.
    fn requirement(&self) -> String {
        match &self.release {
            Some(release) => format!("torch=={release}"),
            None => format!("torch=={}.*", self.minor),
        }
    }
}

/// Why there is no environment for a version.
pub(super) enum Unavailable {
    /// No package of it exists for this Python and this machine.
    NoWheel(Diagnostic),
    /// Anything else.
    Failed(Diagnostic),
}

impl From<Diagnostic> for Unavailable {
    fn from(error: Diagnostic) -> Unavailable {
        Unavailable::Failed(error)
    }
}

/// The user's directory for caches.
pub(super) fn cache() -> Result<PathBuf, Diagnostic> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || variable("HOME");
    let of_system = || {
        if cfg!(windows) {
            return variable("LOCALAPPDATA");
        }
        Some(home()?.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
    };
    let cache = variable("XDG_CACHE_HOME").or_else(of_system);
    let none = || error("no directory for caches is known").help("name one with `--environments DIR`");
    Ok(cache.ok_or_else(none)?.join("torchgen-rs").join("environments"))
}

/// The environment with a version below a directory, which is made with a Python if it is missing.
pub(super) fn made(
    wanted: &Wanted,
    base: &Python,
    below: &Path,
    renderer: &Renderer,
    session: &mut Session,
) -> Result<Python, Unavailable> {
    let dir = below.join(base.directory_for(&wanted.shown()));
    let _lock = Lock::of(&dir, session)?;
    let python = in_prefix(&dir);
    if dir.join(COMPLETE).is_file() {
        let found = Python::ask(&python, renderer);
        if let Some(found) = found.ok().filter(|found| wanted.is_of(found)) {
            return Ok(found);
        }
    }
    session.host.say(&format!(
        "torchgen-rs: making an environment with torch {} in {}\n",
        wanted.shown(),
        dir.display()
    ));
    let _ = std::fs::remove_dir_all(&dir);
    let failed = |finished: &Finished| finished.failure(format!("`{}` cannot be made", dir.display()));
    let finished = process::run(Command::new(&base.executable).args(["-m", "venv"]).arg(&dir), |_| {})?;
    if !finished.succeeded {
        return Err(failed(&finished).into());
    }
    let python = in_prefix(&dir);
    let mut command = installer(&python);
    command.arg(wanted.requirement()).args(PACKAGES);
    let finished = process::run(&mut command, |_| {})?;
    if !finished.succeeded {
        let lacks_torch = |line: &String| {
            let says = ["No matching distribution found for torch", "no version of torch", "no wheels with a matching"];
            says.iter().any(|text| line.contains(text))
        };
        if finished.lines.iter().any(lacks_torch) {
            let message = format!("torch {} has no wheel for Python {} here", wanted.shown(), base.version());
            let help = "take another Python with `--python`, or name another index, such as with PIP_INDEX_URL";
            return Err(Unavailable::NoWheel(finished.failure(message).help(help)));
        }
        return Err(failed(&finished).into());
    }
    std::fs::write(dir.join(COMPLETE), "").map_err(|why| error(format!("`{}`: {why}", dir.display())))?;
    Ok(Python::ask(&python, renderer)?)
}

/// The command that installs into an environment: uv's, where it is installed and no setting of pip
/// says where packages are; else pip's, with all its settings.
fn installer(python: &Path) -> Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let name = if cfg!(windows) { "uv.exe" } else { "uv" };
    let uv = std::env::split_paths(&path).map(|dir| dir.join(name)).find(|uv| uv.is_file());
    if let Some(uv) = uv.filter(|_| !pip_has_indices(python)) {
        let mut command = Command::new(uv);
        command.args(["pip", "install", "--python"]).arg(python);
        return command;
    }
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-input"]);
    command
}

/// Whether pip's settings, in files or variables, say where packages are.
fn pip_has_indices(python: &Path) -> bool {
    let output = Command::new(python).args(["-m", "pip", "config", "list"]).output();
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let keys = said.lines().filter_map(|line| line.split('=').next()?.rsplit('.').next());
    keys.into_iter().any(|key| INDICES.contains(&key))
}

impl Python {
    /// Installs what a distribution requires beside torch, which the environment has.
    pub(super) fn install(
        &self,
        distribution: &str,
        missing: Vec<Missing>,
        session: &mut Session,
    ) -> Result<(), Diagnostic> {
        if let Some(torch) = missing.iter().find(|missing| missing.name == "torch") {
            let found = torch.found.as_deref().unwrap_or("none");
            let message =
                format!("{distribution} requires {}, but the environment has torch {found}", torch.requirement);
            return Err(error(message).help("install that torch, or build with this one"));
        }
        let requirements: Vec<String> = missing.into_iter().map(|missing| missing.requirement).collect();
        session.host.say(&format!("torchgen-rs: installing {}\n", requirements.join(", ")));
        let finished = process::run(self.pip().arg("install").args(&requirements), |_| {})?;
        match finished.succeeded {
            true => Ok(()),
            false => Err(finished.failure(format!("what {distribution} requires cannot be installed"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_wanted_once() {
        let given = ["2.14..2.15", "2.15", "2.15.1"].map(|text| text.parse().expect("versions"));
        let all: Vec<String> = Wanted::all(&given).iter().map(Wanted::requirement).collect();
        assert_eq!(all, ["torch==2.14.*", "torch==2.15.*", "torch==2.15.1"]);
    }
}

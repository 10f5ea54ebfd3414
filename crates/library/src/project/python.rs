//! Python environments: which one is active, and what it has.
//!
//! Invariant: an environment is only asked, by a script that does not import torch.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::{Project, error};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_kit::driver::interpreter;
use torchgen_model::model::version::Version;

/// The scripts have no values.
#[derive(Serialize)]
struct NoValues {}

/// A Python, as it describes itself.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Python {
    /// Its program.
    pub(super) executable: PathBuf,
    /// Its version, such as 3.12.
    version: String,
    /// The directory of the environment.
    pub(super) prefix: PathBuf,
    /// Whether it is an environment, not the Python of a system.
    is_environment: bool,
    /// The version of its torch.
    torch: Option<String>,
    /// The directory of its torch.
    pub(super) torch_path: Option<PathBuf>,
    /// Which of the packages it has that are needed here.
    packages: Vec<String>,
    /// Which of the programs it finds.
    programs: Vec<String>,
    /// Where packages with shared objects go.
    pub(super) site: PathBuf,
    /// Where it finds packages.
    pub(super) paths: Vec<PathBuf>,
}

/// A requirement that an environment does not fulfil.
#[derive(Debug, Deserialize)]
pub(super) struct Missing {
    /// The name of the distribution.
    pub(super) name: String,
    /// The requirement, for pip.
    pub(super) requirement: String,
    /// The version that the environment has.
    pub(super) found: Option<String>,
}

impl Python {
    /// Asks a Python.
    pub(super) fn ask(python: &Path, renderer: &Renderer) -> Result<Python, Diagnostic> {
        let script = script("environment", renderer)?;
        let failed = |why: String| {
            let message = format!("`{}` is not a Python that can be used: {why}", python.display());
            error(message).help("name the program, such as .venv/bin/python")
        };
        let output = interpreter::script(python.as_os_str(), &script).output();
        let output = output.map_err(|why| failed(why.to_string()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let described = said.lines().rev().find_map(|line| serde_json::from_str(line).ok());
        described.ok_or_else(|| failed(interpreter::raised(&output).unwrap_or_else(|| "it does not answer".to_owned())))
    }

    /// The Python that is given, or that of the active environment.
    pub(super) fn active(given: Option<&Path>, project: &Project, renderer: &Renderer) -> Result<Python, Diagnostic> {
        if let Some(python) = given {
            return Python::ask(python, renderer);
        }
        let variables = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(std::env::var_os);
        let prefixes = variables.filter(|prefix| !prefix.is_empty()).map(PathBuf::from);
        let mut pythons = prefixes.chain([project.dir.join(".venv")]).map(|prefix| in_prefix(&prefix));
        if let Some(python) = pythons.find(|python| python.is_file()) {
            return Python::ask(&python, renderer);
        }
        // That of the system does not count: packages are not installed into it.
        let found = on_path().and_then(|python| Python::ask(&python, renderer).ok());
        found.filter(|python| python.is_environment).ok_or_else(|| {
            let help = if cfg!(windows) {
                "`python -m venv .venv` makes one in the project, where it is found"
            } else {
                "`python3 -m venv .venv` makes one in the project, where it is found"
            };
            error("no Python environment is active").help(help)
        })
    }

    /// The active environment, or whatever Python is found: environments are made with it.
    pub(super) fn any(project: &Project, renderer: &Renderer) -> Result<Python, Diagnostic> {
        let active = Python::active(None, project, renderer);
        active.or_else(|none| on_path().ok_or(none).and_then(|python| Python::ask(&python, renderer)))
    }

    /// What is needed to build that it lacks, as pip names it.
    pub(super) fn lacks_for_building(&self) -> Vec<&'static str> {
        let lacks = |name: &&str| !self.packages.iter().chain(&self.programs).any(|found| found == name);
        let torch = self.torch.is_none().then_some("torch");
        torch.into_iter().chain(["scikit-build-core", "cmake", "ninja"].into_iter().filter(lacks)).collect()
    }

    /// Fails if it lacks something to build with.
    pub(super) fn must_build(&self) -> Result<(), Diagnostic> {
        let lacking = self.lacks_for_building();
        if !lacking.is_empty() {
            let message = format!("the environment {} lacks {}", self.prefix.display(), lacking.join(", "));
            return Err(error(message).help(format!("`{} install {}`", self.pip_shown(), lacking.join(" "))));
        }
        self.must_have_pip()
    }

    /// Fails if it lacks pip, which some tools leave out of an environment.
    pub(super) fn must_have_pip(&self) -> Result<(), Diagnostic> {
        if self.has("pip") {
            return Ok(());
        }
        let message = format!("the environment {} lacks pip", self.prefix.display());
        let command = format!("`{} -m ensurepip`, or `uv pip install pip`", self.executable.display());
        Err(error(message).help(command))
    }

    /// Whether it has one of the packages that are needed here.
    pub(super) fn has(&self, package: &str) -> bool {
        self.packages.iter().any(|found| found == package)
    }

    fn pip_shown(&self) -> String {
        format!("{} -m pip", self.executable.display())
    }

    /// pip's command for this environment.
    pub(super) fn pip(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.args(["-m", "pip", "--disable-pip-version-check", "--no-input"]);
        command
    }

    /// The version of its torch, without what follows a plus.
    pub(super) fn torch_release(&self) -> &str {
        self.torch.as_deref().map_or("none", |version| version.split('+').next().unwrap_or(version))
    }

    /// The minor version of its torch.
    pub(super) fn torch_minor(&self) -> Option<Version> {
        self.torch.as_ref().and_then(|_| self.torch_release().parse().ok())
    }

    /// The name of a directory for this Python with a torch.
    pub(super) fn directory_for(&self, torch: &str) -> String {
        format!("torch-{torch}-py{}", self.version)
    }

    /// Its version.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// What an installed distribution requires and the environment lacks.
    pub(super) fn missing(
        &self,
        distribution: &str,
        extra: &str,
        renderer: &Renderer,
    ) -> Result<Vec<Missing>, Diagnostic> {
        let script = script("missing", renderer)?;
        let output = interpreter::script(self.executable.as_os_str(), &script).args([distribution, extra]).output();
        let failed = |why: String| error(format!("the requirements of {distribution} cannot be read: {why}"));
        let output = output.map_err(|why| failed(why.to_string()))?;
        let why = || interpreter::raised(&output).unwrap_or_else(|| "nothing is printed".to_owned());
        serde_json::from_slice(&output.stdout).map_err(|_| failed(why()))
    }
}

impl Missing {
    /// What runs tests.
    pub(super) fn pytest() -> Missing {
        Missing { name: "pytest".to_owned(), requirement: "pytest".to_owned(), found: None }
    }
}

/// The first Python in `PATH`.
fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = if cfg!(windows) { ["python.exe", "python3.exe"] } else { ["python3", "python"] };
    let mut all = std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name)));
    all.find(|python| python.is_file())
}

/// The program of an environment.
pub(super) fn in_prefix(prefix: &Path) -> PathBuf {
    match cfg!(windows) {
        true if prefix.join("Scripts").is_dir() => prefix.join("Scripts/python.exe"),
        true => prefix.join("python.exe"),
        false => prefix.join("bin/python"),
    }
}

/// A script of this command.
fn script(name: &str, renderer: &Renderer) -> Result<String, Diagnostic> {
    renderer.fragment(&format!("torch/project/{name}.py.j2"), &NoValues {}).map_err(|error| error.diagnostic())
}

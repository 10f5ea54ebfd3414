//! The operators of a package that is imported, from torch's dispatcher.
//!
//! Invariant: a package that cannot be imported is in the report, and the sources alone are read.

use std::path::Path;
use std::process::Command;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_kit::driver::JobError;
use torchgen_model::codes;

/// What a package registers.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Loaded {
    /// Modules that cannot be imported, and why.
    pub(super) errors: Vec<(String, String)>,
    pub(super) operators: Vec<LoadedOperator>,
}

/// An operator that is registered.
#[derive(Debug, Deserialize)]
pub(super) struct LoadedOperator {
    /// The name with the namespace and the overload.
    pub(super) name: String,
    /// The schema; `None` if only kernels are registered.
    pub(super) schema: Option<String>,
    /// Where it is declared, if that is in Python.
    pub(super) place: Option<String>,
    /// Where its kernels are registered, by their keys.
    pub(super) keys: IndexMap<String, String>,
    /// Where its fake is.
    pub(super) fake: Option<String>,
}

#[derive(Serialize)]
struct Script<'a> {
    packages: &'a [&'a str],
}

/// Imports a package in an interpreter of its own.
///
/// # Errors
/// There is no such interpreter, or it has no torch.
pub(super) fn load(package: &str, python: &Path, renderer: &Renderer) -> Result<Loaded, JobError> {
    let script = renderer.fragment("torch/adopt/registered.py.j2", &Script { packages: &[package] })?;
    let failed = |why: String| {
        let message = format!("`{}` cannot show what `{package}` registers: {why}", python.display());
        let help = "name an interpreter that has torch and the package with `--python`";
        JobError::from(Diagnostic::new(&codes::READ_FAILED, message).help(help))
    };
    let output = Command::new(python).args(["-W", "ignore", "-c"]).arg(script).output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    // A package can print while it is imported.
    let found = said.lines().rev().find_map(|line| serde_json::from_str(line).ok());
    found.ok_or_else(|| {
        let errors = String::from_utf8_lossy(&output.stderr);
        failed(errors.lines().last().unwrap_or("it prints nothing").to_owned())
    })
}

//! What Python registers with torch's dispatcher: what its files say, and what a package that is
//! imported has registered, in C++ too.
//!
//! Invariant: files are read with Python's own parser, and nothing of them runs. A package that
//! cannot be imported is in the report, and the sources alone are read.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::autograd::Class;
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_kit::driver::{JobError, interpreter};
use torchgen_model::codes;

/// What Python registers.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Registered {
    /// Modules that cannot be imported, and why.
    pub(super) errors: Vec<(String, String)>,
    /// Places that cannot be read, and why.
    #[serde(default)]
    pub(super) left: Vec<(String, String)>,
    /// The shared libraries that were loaded, by their paths in installed packages.
    #[serde(default)]
    pub(super) libraries: Vec<String>,
    pub(super) operators: Vec<RegisteredOperator>,
    /// The autograd functions of files.
    #[serde(default)]
    pub(super) classes: Vec<Class>,
}

/// An operator that is registered.
#[derive(Debug, Deserialize)]
pub(super) struct RegisteredOperator {
    /// The name with the namespace and the overload.
    pub(super) name: String,
    /// The schema; `None` if only kernels are registered.
    pub(super) schema: Option<String>,
    /// Where it is declared, as `FILE:LINE`.
    pub(super) place: Option<String>,
    /// Where its kernels are registered, by their keys.
    pub(super) keys: IndexMap<String, String>,
    /// Where its fake is.
    pub(super) fake: Option<String>,
}

#[derive(Serialize)]
struct ImportScript<'a> {
    packages: &'a [&'a str],
}

#[derive(Serialize)]
struct WrittenScript {}

/// Imports a package in an interpreter of its own.
///
/// # Errors
/// There is no such interpreter, or it has no torch.
pub(super) fn imported(package: &str, python: &Path, renderer: &Renderer) -> Result<Registered, JobError> {
    let script = renderer.fragment("torch/adopt/registered.py.j2", &ImportScript { packages: &[package] })?;
    answer(python, &script, &[]).map_err(|why| {
        let message = format!("`{}` cannot show what `{package}` registers: {why}", python.display());
        let help = "name an interpreter that has torch and the package with `--python`";
        JobError::from(Diagnostic::new(&codes::READ_FAILED, message).help(help))
    })
}

/// Reads Python files. Without an interpreter, they are left.
///
/// # Errors
/// A template cannot be rendered.
pub(super) fn written(files: &[PathBuf], python: &Path, renderer: &Renderer) -> Result<Registered, JobError> {
    if files.is_empty() {
        return Ok(Registered::default());
    }
    let script = renderer.fragment("torch/adopt/written.py.j2", &WrittenScript {})?;
    Ok(answer(python, &script, files).unwrap_or_else(|why| {
        let reason = format!("`{}` cannot read Python files: {why}", python.display());
        let first = files.iter().take(1).map(|path| path.display().to_string());
        Registered { left: first.map(|first| (first, reason.clone())).collect(), ..Registered::default() }
    }))
}

/// What a script prints that gets a line for each path, or why it prints nothing.
fn answer(python: &Path, script: &str, paths: &[PathBuf]) -> Result<Registered, String> {
    let mut command = interpreter::script(python.as_os_str(), script);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        for path in paths {
            // A script that fails does not read them.
            let _ = writeln!(stdin, "{}", path.display());
        }
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    // A package can print while it is imported.
    let answer = said.lines().rev().find_map(|line| serde_json::from_str(line).ok());
    answer.ok_or_else(|| interpreter::raised(&output).unwrap_or_else(|| "it prints nothing".to_owned()))
}

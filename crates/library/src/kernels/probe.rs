//! `check --probe`: the words that lines of `dims:` lack and that hold for what an installed
//! package computes.
//!
//! Invariant: it writes nothing. What holds for the inputs that were tried is a hint, and no proof.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde::Serialize;

use super::dims_tests;
use super::packages::packages;
use super::test_skeletons::package_of;
use crate::run::{LibraryPaths, LibrarySource, renderer};
use torchgen_base::diag::Diagnostic;
use torchgen_base::lang::python::string_literal;
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::{JobError, Session, interpreter};
use torchgen_model::codes;

/// A script that has the modules which generated tests import, as literals.
#[derive(Serialize)]
struct Probe {
    modules: Vec<(String, String)>,
    /// The packages with lines, as literals.
    packages: Vec<String>,
}

/// What an interpreter says that has the library's package.
///
/// # Errors
/// The interpreter or the package cannot be used, or no operator has a line.
pub fn probed(
    sources: &[PathBuf],
    python: &OsStr,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<String, JobError> {
    let paths = LibraryPaths::new(sources, session);
    let (source, _) = LibrarySource::with_yaml(paths, None, session)?;
    let package = package_of(&source.paths.root.join("library.yaml"));
    let has_lines = |operators: &Operators| operators.functions.iter().any(|f| !f.dims_lines().is_empty());
    let packages = packages(&source, package.as_deref(), has_lines);
    if packages.is_empty() {
        let error = Diagnostic::new(&codes::USAGE, "no operator has `dims:`, so there is nothing to probe");
        return Err(error.help("write a line such as `dims: (x[*b, n]) -> [*b, n]`").into());
    }
    let renderer = renderer(&source.paths.root, common, None, session)?;
    let modules = dims_tests::modules(&packages, &renderer)?;
    let script = Probe {
        modules: modules.iter().map(|(name, text)| (string_literal(name), string_literal(text))).collect(),
        packages: packages.iter().map(|package| string_literal(package)).collect(),
    };
    let script = renderer.fragment("torch/kernels/probe.py.j2", &script)?;
    let failed = |why: String| {
        let message = format!("`{}` cannot probe `{}`: {why}", python.display(), packages.join("`, `"));
        let help = "install the library, and name an interpreter that has it: `--probe venv/bin/python`";
        JobError::from(Diagnostic::new(&codes::READ_FAILED, message).help(help))
    };
    let output = interpreter::script(python, &script).output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(interpreter::raised(&output).unwrap_or_else(|| "it says nothing".to_owned())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

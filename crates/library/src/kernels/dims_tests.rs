//! Tests of `dims:` that `kernels --tests` writes: one file for all operators of a package, with
//! the modules that make their inputs and cut them.
//!
//! Invariant: the files read the lines from the package, so that they hold for operators that get a
//! line later.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::packages::packages;
use crate::run::LibrarySource;
use torchgen_base::render::{RenderError, Renderer};
use torchgen_base::write::OutputFile;
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::scaffold::MANAGER;

/// The tests, and the modules that they import.
const TESTS: [&str; 3] = ["test_dims.py", "dims_cases.py", "dims_inputs.py"];

/// Those on DTensors.
const SHARDING: [&str; 2] = ["test_sharding.py", "dims_sharded.py"];

/// Whether a file has one of these names.
pub(super) fn is_one(name: &OsStr) -> bool {
    TESTS.iter().chain(&SHARDING).any(|own| name == *own)
}

#[derive(Serialize)]
struct DimsTests {
    /// The packages with lines.
    packages: Vec<String>,
}

/// The modules that the tests import, by their names, in the order in which they import each other.
pub(super) fn modules(packages: &[String], renderer: &Renderer) -> Result<Vec<(&'static str, String)>, RenderError> {
    let view = DimsTests { packages: packages.to_vec() };
    let module = |name| Ok((name, renderer.fragment(&format!("torch/kernels/{name}.py.j2"), &view)?));
    ["dims_inputs", "dims_cases"].into_iter().map(module).collect()
}

/// The files that a directory lacks; none if no operator has a line.
pub(super) fn files(
    source: &LibrarySource,
    package: Option<&str>,
    (directory, existing): (&Path, &BTreeMap<PathBuf, String>),
    sharding: bool,
    renderer: &Renderer,
) -> Result<Vec<OutputFile>, RenderError> {
    let has_lines = |operators: &Operators| operators.functions.iter().any(|f| !f.dims_lines().is_empty());
    let packages = packages(source, package, has_lines);
    if packages.is_empty() {
        return Ok(Vec::new());
    }
    let view = DimsTests { packages };
    let wanted = TESTS.into_iter().chain(SHARDING.into_iter().filter(|_| sharding));
    let missing = wanted.filter(|name| !existing.contains_key(&directory.join(name)));
    let file = |name: &str| {
        let text = renderer.fragment(&format!("torch/kernels/{name}.j2"), &view)?;
        Ok(OutputFile::new(MANAGER, name.to_owned(), text))
    };
    missing.map(file).collect()
}

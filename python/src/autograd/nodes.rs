//! `torchgen_rs.autograd.gen_autograd_functions`: the parts of single nodes, and of their files.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{context, read};
use crate::api::{placeless, renderer};
use crate::model::loaded_of;
use crate::report::{Report, raised};
use torchgen_api::autograd::DEFAULT_KEY;
use torchgen_base::diag::{Diagnostic, Sources};
use torchgen_base::render::Fragment;
use torchgen_generators::Errors;
use torchgen_generators::autograd_functions::shards;
use torchgen_generators::autograd_functions::single::{self, Part};

/// A part of the node of some derivatives; `None` if they have no node.
#[pyfunction]
pub(crate) fn node_part(info: &Bound<'_, PyAny>, part: &str) -> PyResult<Option<String>> {
    let part = match part {
        "declaration" => Part::Declaration,
        "definition" => Part::Definition,
        "python_class" => Part::PythonClass,
        "python_getters" => Part::PythonGetters,
        _ => return Err(PyValueError::new_err(format!("a node has no part `{part}`"))),
    };
    let py = info.py();
    let loaded = loaded_of(&info.getattr("func")?);
    let given = read::one(DEFAULT_KEY, info.clone())?;
    let info = given.read()?;
    let Some(op) = info.op.as_deref() else { return Ok(None) };
    let made = context(loaded.as_deref(), |ctx| single::part(ctx, &info, op, part));
    made.map(Some).map_err(|Errors(errors)| {
        let placeless = |error: Diagnostic| Diagnostic { primary: None, labels: Vec::new(), ..error };
        let errors: Vec<Diagnostic> = errors.into_iter().map(placeless).collect();
        raised(py, Report::of_errors(&errors, &Sources::new()))
    })
}

/// The declarations of the functions in python_functions.cpp's shards, and their calls.
#[pyfunction]
pub(crate) fn node_shards(py: Python<'_>) -> PyResult<(Vec<String>, Vec<String>)> {
    let [declarations, calls] = shards(renderer()).map_err(|error| placeless(py, error.diagnostic()))?;
    let texts = |fragments: &[Fragment]| fragments.iter().map(Fragment::to_string).collect();
    Ok((texts(&declarations), texts(&calls)))
}

//! `torchgen_rs.api.unboxing`: arguments from a stack.

use pyo3::prelude::*;

use super::types::Types;
use super::{placeless, renderer};
use crate::model::Reader;
use torchgen_backend::unboxing;
use torchgen_model::model::native_function::EntrySpans;

/// The parameters of an operator's C++ function with the names of the converted variables, and the
/// lines that convert.
#[pyfunction]
pub(crate) fn unboxed<'py>(f: &Bound<'py, PyAny>) -> PyResult<(Vec<Bound<'py, PyAny>>, Vec<String>)> {
    let py = f.py();
    let f = Reader::new(py)?.function(f)?;
    let made = unboxing::conversions(renderer(), &f);
    let (bindings, lines) = made.map_err(|error| placeless(py, error.into_diagnostic(&EntrySpans::default())))?;
    Ok((Types::new(py)?.bindings(&bindings)?, lines))
}

//! `torchgen_rs.gen_aoti_c_shim`: the C functions through which AOTInductor calls operators.

use pyo3::exceptions::PyNotImplementedError;
use pyo3::prelude::*;

use super::{placeless, renderer};
use crate::model::Reader;
use torchgen_aten::aten::aoti_shim::{self, Entry};
use torchgen_model::codes;
use torchgen_model::model::native_function::EntrySpans;

/// The declarations and the definitions of all versions of a schema's shim for a device, which calls
/// a function. A later version has a number, the arguments that it added, and its release.
#[pyfunction]
pub(crate) fn shim_texts(
    schema: &Bound<'_, PyAny>,
    device: &str,
    call: &str,
    since: Option<String>,
    later: Vec<(u32, Vec<String>, Option<String>)>,
) -> PyResult<(String, String)> {
    let py = schema.py();
    let schema = Reader::new(py)?.schema(schema)?;
    aoti_shim::texts(renderer(), &schema, &Entry::new(since, later), device, call).map_err(|error| {
        let error = error.into_diagnostic(&EntrySpans::default());
        match [&codes::UNSUPPORTED_TYPE, &codes::UNSUPPORTED_RETURN].contains(&error.code) {
            true => PyNotImplementedError::new_err(error.message),
            false => placeless(py, error),
        }
    })
}

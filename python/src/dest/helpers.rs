//! What precedes the wrappers of a key in its source: headers and functions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Asked;
use torchgen_generators::Flags;
use torchgen_generators::register_dispatch_key::frame::{self, Helper};

/// The headers for making outputs, one a line.
#[pyfunction]
pub(crate) fn registration_headers(
    index: &Bound<'_, PyAny>,
    per_operator_headers: bool,
    rocm: bool,
    native_aot: bool,
) -> PyResult<Vec<String>> {
    let flags = Flags { per_operator_headers, rocm, ..Flags::default() };
    let asked = Asked { flags, ..Asked::of_key(index)? };
    let text = asked.answer(|ctx, backend, _| Ok(frame::headers(ctx, backend, native_aot)?))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// The functions that make a tensor, without strides and with them, if they are known.
#[pyfunction]
pub(crate) fn empty_names(index: &Bound<'_, PyAny>) -> PyResult<Option<(String, String)>> {
    Asked::of_key(index)?.answer(|_, backend, _| {
        let names = frame::empty_names(backend);
        Ok(names.map(|(empty, strided)| (empty.to_owned(), strided.to_owned())))
    })
}

/// A function that structured wrappers call, or a line around all of them.
#[pyfunction]
pub(crate) fn registration_helper(
    which: &str,
    index: &Bound<'_, PyAny>,
    empty: Option<(String, String)>,
) -> PyResult<Option<String>> {
    let which = match which {
        "begin" => Helper::Begin,
        "create_out" => Helper::CreateOut,
        "resize_out" => Helper::ResizeOut,
        "check_inplace" => Helper::CheckInplace,
        "maybe_create_proxy" => Helper::MaybeCreateProxy,
        "end" => Helper::End,
        _ => return Err(PyValueError::new_err(format!("there is no function `{which}`"))),
    };
    Asked::of_key(index)?.answer(|ctx, backend, _| Ok(frame::helper(ctx, backend, empty, which)?))
}

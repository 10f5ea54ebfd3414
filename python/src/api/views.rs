//! `torchgen_rs.api.functionalization`: the parameters of views' replays, inverses and metas; and the
//! statements about tensors in the kernels of functionalization.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use super::types::Types;
use super::{Toggles, locals, placeless, renderer, unsupported};
use crate::model::Reader;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::functionalization::{self as views, Ownership, ViewInverse};
use torchgen_api::{CallingConvention, SymInts};
use torchgen_generators::functionalization::kernel;

/// The parameters of a function of a view: `replay`, `inverse`, the fields of its meta as `owned` or
/// `referred`, or what the `base` class of its meta takes.
#[pyfunction]
pub(crate) fn view_parameters<'py>(
    function: &str,
    schema: &Bound<'py, PyAny>,
    toggles: Toggles,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = schema.py();
    let (schema, locals) = (Reader::new(py)?.schema(schema)?, locals(toggles));
    let made = match function {
        "inverse" => ViewInverse { locals }.arguments(&schema),
        "owned" => views::attributes(&schema, Ownership::Owns, locals),
        "referred" => views::attributes(&schema, Ownership::Refers, locals),
        "base" => Ok(views::base_ctor_arguments(&schema)),
        _ => views::replay_arguments(&schema, locals),
    };
    Types::new(py)?.bindings(&made.map_err(|error| unsupported(py, error))?)
}

/// A parameter that is in no schema.
#[pyfunction]
pub(crate) fn view_parameter<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let made = match name {
        "base" => views::base_binding(),
        "mutated_view" => views::mutated_view_binding(),
        "has_symbolic_inputs" => views::has_symbolic_inputs_binding(),
        "out_index" => views::out_index_binding(),
        "reapply_views" => views::reapply_views_binding(),
        "inverse_return_mode" => views::inverse_return_mode_binding(),
        _ => return Err(PyKeyError::new_err(name.to_owned())),
    };
    let mut made = Types::new(py)?.bindings(&[made])?;
    Ok(made.remove(0))
}

/// What a replay returns.
#[pyfunction]
pub(crate) fn view_returns<'py>(schema: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = schema.py();
    let schema = Reader::new(py)?.schema(schema)?;
    let made = views::returns_type(&schema).map_err(|error| unsupported(py, error))?;
    Types::new(py)?.ctype(&made)
}

/// The names of a view's meta, replay and inverse, each with its namespace and without.
#[pyfunction]
pub(crate) fn view_name(which: &str, schema: &Bound<'_, PyAny>, with_namespace: bool) -> PyResult<String> {
    let schema = Reader::new(schema.py())?.schema(schema)?;
    Ok(match which {
        "meta" => views::classname(&schema, with_namespace.then_some(views::AT_VIEW_METAS)),
        "inverse" => views::reverse_name(&schema, with_namespace.then_some(views::AT_INVERSES)),
        _ => views::forward_name(&schema, "at::_ops"),
    })
}

/// Whether a view may return several tensors.
#[pyfunction]
pub(crate) fn is_multi_output(schema: &Bound<'_, PyAny>) -> PyResult<bool> {
    let schema = Reader::new(schema.py())?.schema(schema)?;
    Ok(views::is_multi_output(&schema))
}

/// The statements of a kernel that `unwrap` the tensors of the dispatcher's parameters, with or
/// without a `sync`, or that make `meta` tensors of them.
#[pyfunction]
pub(crate) fn tensor_statements(
    which: &str,
    schema: &Bound<'_, PyAny>,
    symint: bool,
    toggles: Toggles,
) -> PyResult<String> {
    let py = schema.py();
    let schema = Reader::new(py)?.schema(schema)?;
    let convention = Dispatcher { sym_ints: SymInts::kept_if(symint), locals: locals(toggles) };
    let signature = convention.signature(&schema).map_err(|error| unsupported(py, error))?;
    let made = match which {
        "meta" => kernel::meta_text(renderer(), &signature),
        _ => kernel::unwrap_text(renderer(), &signature, which == "sync"),
    };
    made.map_err(|error| placeless(py, error.diagnostic()))
}

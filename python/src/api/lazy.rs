//! `torchgen_rs.api.lazy`: the types of nodes' arguments, and the names of their classes.

use pyo3::prelude::*;

use super::types::Types;
use super::{placeless, renderer, unsupported};
use crate::model::Reader;
use torchgen_api::{CType, SymInts};
use torchgen_backend::lazy::types::{TypeRules, holds_scalar};
use torchgen_backend::lazy::{self, schema::node_name};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::BackendMetadata;

/// The type of values, whether numbers stay numbers, and whether symbolic sizes are values.
type Rules<'a> = (&'a str, bool, bool);

fn rules((value, scalars_are_constants, symint): Rules<'_>) -> TypeRules {
    TypeRules { value: CType::from_qualified_name(value), scalars_are_constants, symint }
}

/// The type of an argument in a node.
#[pyfunction]
pub(crate) fn node_type<'py>(ty: &Bound<'py, PyAny>, of: Rules<'_>) -> PyResult<Bound<'py, PyAny>> {
    let py = ty.py();
    let ty = Reader::new(py)?.ty(ty)?;
    let made = rules(of).type_of_argument(&ty).map_err(|error| unsupported(py, error))?;
    Types::new(py)?.ctype(&made)
}

/// Whether such a type is a value of the graph, or contains one.
#[pyfunction]
pub(crate) fn is_node_value(ty: &Bound<'_, PyAny>, of: Rules<'_>) -> PyResult<bool> {
    let ty = Types::new(ty.py())?.read(ty)?;
    Ok(rules(of).is_value(&ty))
}

/// Whether an argument of that type is a number, or may contain numbers.
#[pyfunction]
pub(crate) fn is_node_number(ty: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(holds_scalar(&Reader::new(ty.py())?.ty(ty)?))
}

/// What the constructor of a node takes, made of the arguments of its kernel.
#[pyfunction]
pub(crate) fn node_inputs(schema: &Bound<'_, PyAny>, value: &str, symint: bool) -> PyResult<String> {
    let py = schema.py();
    let schema = Reader::new(py)?.schema(schema)?;
    let made = lazy::node_inputs(&schema, &CType::from_qualified_name(value), SymInts::kept_if(symint));
    made.map_err(|error| unsupported(py, error))
}

/// The symbol of an operator, by its name without the overload.
#[pyfunction]
pub(crate) fn node_symbol(name: &str) -> String {
    lazy::node_symbol(name, Tables::embedded())
}

/// The statements that call the eager kernel of an operator, by its name and its overload.
#[pyfunction]
pub(crate) fn eager_fallback(
    py: Python<'_>,
    name: &str,
    overload_name: &str,
    arguments: Vec<String>,
) -> PyResult<String> {
    let made = lazy::fallback_text(renderer(), name, overload_name, arguments);
    made.map_err(|error| placeless(py, error.diagnostic()))
}

/// The declaration of the function that computes an operator's shapes, if PyTorch does not.
#[pyfunction]
pub(crate) fn shape_function(f: &Bound<'_, PyAny>, kernel: String) -> PyResult<Option<String>> {
    let py = f.py();
    let f = Reader::new(py)?.function(f)?;
    let kernel = BackendMetadata { kernel, structured: false, cpp_namespace: String::new() };
    lazy::shape::required(&f, &kernel).map_err(|error| unsupported(py, error))
}

/// The name of the class for an operator.
#[pyfunction]
pub(crate) fn node_class(name: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(node_name(&Reader::new(name.py())?.name(name)?))
}

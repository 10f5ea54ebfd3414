//! Schema strings and their parts.
//!
//! Invariant: the program's parser reads them, and its diagnostic becomes the exception.

use pyo3::prelude::*;

use super::make::Maker;
use crate::report::{Report, raised};
use torchgen_base::diag::{Diagnostic, Sources, Span, TextError};
use torchgen_kit::driver::data::Tables;
use torchgen_model::parse::{self, schema};

/// The exception for an error in a text.
fn error(py: Python<'_>, text: &str, error: TextError) -> PyErr {
    let mut sources = Sources::new();
    let file = sources.add("schema", text.to_owned());
    let span = Span::new(file, error.range.start, error.range.end);
    let diagnostic = Diagnostic::new(error.code, error.message).at(span).maybe_help(error.help);
    raised(py, Report::of_errors(&[diagnostic], &sources))
}

/// Reads a text with one of the program's parsers.
fn read<T>(py: Python<'_>, text: &str, parser: impl FnOnce(&str) -> Result<T, TextError>) -> PyResult<T> {
    parser(text).map_err(|wrong| error(py, text, wrong))
}

/// Splits the namespace off a name, and finds where the name begins.
fn namespace(text: &str) -> (Option<&str>, &str) {
    let end = text.find('(').unwrap_or(text.len());
    match text[..end].rfind("::") {
        Some(at) => (Some(&text[..at]), &text[at + 2..]),
        None => (None, text),
    }
}

/// A whole schema, which may have a namespace.
#[pyfunction]
pub(crate) fn parse_schema<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let (namespace, rest) = namespace(text);
    let parser = |rest: &str| schema::whole_schema(rest, Tables::embedded());
    let schema = read(py, rest, parser)?.schema;
    let make = Maker::new(py)?;
    if namespace.is_none() {
        return make.own_schema(schema);
    }
    // The model's names have no namespace, so the object has no handle.
    let object = make.own_schema(schema.clone())?;
    let name = make.name(&schema.name, namespace)?;
    object.call_method1("with_name", (name,))
}

/// An operator's name, which may have a namespace.
#[pyfunction]
pub(crate) fn parse_name<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let (namespace, rest) = namespace(text);
    let name = read(py, rest, parse::operator_name)?;
    Maker::new(py)?.name(&name, namespace)
}

/// An operator's name without its overload, which may have a namespace.
#[pyfunction]
pub(crate) fn parse_base_name<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let (namespace, rest) = namespace(text);
    let name = read(py, rest, parse::name::base_operator_name)?;
    Maker::new(py)?.base_name(&name, namespace)
}

/// The arguments of a schema, without parentheses.
#[pyfunction]
pub(crate) fn parse_arguments<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    Maker::new(py)?.arguments(&read(py, text, schema::arguments)?)
}

/// An argument.
#[pyfunction]
pub(crate) fn parse_argument<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let parser = |text: &str| schema::argument(text, torchgen_model::model::Language::Torchgen);
    Maker::new(py)?.argument(&read(py, text, parser)?)
}

/// A return.
#[pyfunction]
pub(crate) fn parse_return<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    Maker::new(py)?.returned(&read(py, text, schema::one_return)?)
}

/// A type without an annotation.
#[pyfunction]
pub(crate) fn parse_type<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    Maker::new(py)?.ty(&read(py, text, schema::ty)?)
}

/// An annotation, without parentheses.
#[pyfunction]
pub(crate) fn parse_annotation<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    Maker::new(py)?.annotation(&read(py, text, schema::annotation)?)
}

/// The lines of `precomputed:`.
#[pyfunction]
pub(crate) fn parse_precompute<'py>(py: Python<'py>, lines: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
    let precompute = parse::precompute(&lines).map_err(|(at, wrong)| {
        let line = lines.get(at).map_or("", String::as_str);
        error(py, line, wrong)
    })?;
    Maker::new(py)?.precompute(&precompute)
}

/// The scalar types of an inner loop, as names, and the name of its function.
#[pyfunction]
pub(crate) fn parse_inner_loop(py: Python<'_>, text: &str) -> PyResult<(String, Vec<String>)> {
    let generic = torchgen_model::model::native_function::UfuncKey::Generic;
    let inner = read(py, text, |text| parse::ufunc_inner_loop(text, generic))?;
    Ok((inner.name, inner.supported_dtypes.into_iter().collect()))
}

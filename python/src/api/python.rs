//! `torchgen_rs.api.python`: signatures of functions in Python, for `PythonArgParser` and for stubs.
//!
//! Invariant: types, defaults and formals are those of `api::python`; Python joins them to
//! signatures.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{renderer, unsupported};
use crate::model::{Maker, Reader};
use torchgen_api::ApiError;
use torchgen_api::python::pyi::{self, FormalContext};
use torchgen_api::python::{self, PythonArgument, PythonCallable, PythonSignature, field_names, parser, unsized_type};
use torchgen_aten::stubs::{hints, structseq};
use torchgen_model::model::{BaseTy, Return, Type};

/// An argument in Python: its name, its type, its default, and the C++ expression for an omitted one.
pub(super) type Argument<'py> = (String, Bound<'py, PyAny>, Option<String>, Option<String>);

/// The arguments of a signature: positional ones, keyword-only ones, the one for outputs, tensor
/// options.
pub(super) type Signature<'py> = (Vec<Argument<'py>>, Vec<Argument<'py>>, Option<Argument<'py>>, Vec<Argument<'py>>);

/// How Python calls an operator.
pub(super) fn callable(method: bool) -> PythonCallable {
    if method { PythonCallable::Method } else { PythonCallable::Function }
}

/// The exception for something that Python cannot have.
pub(super) fn refused(py: Python<'_>) -> impl Fn(ApiError) -> PyErr {
    move |error| unsupported(py, error)
}

fn made<'py>(make: &Maker<'py>, argument: &PythonArgument<'_>) -> PyResult<Argument<'py>> {
    let text = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
    Ok((argument.name.to_owned(), make.ty(&argument.ty)?, text(&argument.default), text(&argument.default_init)))
}

/// The type with lists of integers in place of those of symbolic ones.
fn with_numbers(ty: Type) -> Type {
    match ty {
        Type::Optional(elem) => with_numbers(*elem).optional(),
        Type::List(elem, size) if elem.is(BaseTy::SymInt) => Type::Base(BaseTy::Int).list(size),
        Type::List(elem, size) => with_numbers(*elem).list(size),
        other => other,
    }
}

/// The same for single integers too.
pub(super) fn numbers(ty: Type) -> Type {
    match ty {
        Type::Base(BaseTy::SymInt) => Type::Base(BaseTy::Int),
        Type::Optional(elem) => numbers(*elem).optional(),
        other => with_numbers(other),
    }
}

fn read_type(ty: &Bound<'_, PyAny>) -> PyResult<Type> {
    Reader::new(ty.py())?.ty(ty)
}

/// A type of the parser, whose signatures keep single symbolic integers.
fn parsed_type(ty: &Bound<'_, PyAny>, symint: bool) -> PyResult<Type> {
    let ty = read_type(ty)?;
    Ok(if symint { ty } else { with_numbers(ty) })
}

/// The argument that a type, a name and a default make.
fn argument<'a>(name: &'a str, ty: Type, default: Option<&'a str>, init: Option<&'a str>) -> PythonArgument<'a> {
    let (default, default_init) = (default.map(Cow::Borrowed), init.map(Cow::Borrowed));
    PythonArgument { name, ty: Cow::Owned(ty), default, default_init }
}

/// The signature of a schema.
#[pyfunction]
pub(crate) fn python_signature<'py>(
    schema: &Bound<'py, PyAny>,
    category: Option<&str>,
    method: bool,
) -> PyResult<Signature<'py>> {
    let py = schema.py();
    let (schema, make) = (Reader::new(py)?.schema(schema)?, Maker::new(py)?);
    let signature = PythonSignature::from_schema(&schema, category, callable(method)).map_err(refused(py))?;
    let all = |arguments: &[PythonArgument<'_>]| arguments.iter().map(|a| made(&make, a)).collect::<PyResult<Vec<_>>>();
    let out = signature.out.as_ref().map(|out| made(&make, &out.argument)).transpose()?;
    Ok((all(&signature.positional)?, all(&signature.keywords)?, out, all(&signature.tensor_options)?))
}

/// The default in Python of an argument of a schema.
#[pyfunction]
pub(crate) fn parser_default(argument: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let py = argument.py();
    let argument = Reader::new(py)?.argument(argument)?;
    let made = PythonArgument::from_schema_argument(&argument).map_err(refused(py))?;
    Ok(made.default.map(Cow::into_owned))
}

/// A type in a signature of the parser; `sized` lists show their sizes.
#[pyfunction]
pub(crate) fn parser_type(ty: &Bound<'_, PyAny>, sized: bool, symint: bool) -> PyResult<String> {
    let own = parsed_type(ty, symint)?;
    let made = if sized { python::parser_type(&own) } else { unsized_type(&own) };
    made.map_err(refused(ty.py()))
}

/// The size of the list in a type.
#[pyfunction]
pub(crate) fn parser_size(ty: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    Ok(python::parser_size(&read_type(ty)?))
}

/// An argument in a signature of the parser.
#[pyfunction]
pub(crate) fn parser_argument(
    name: &str,
    ty: &Bound<'_, PyAny>,
    default: Option<&str>,
    method: bool,
    symint: bool,
) -> PyResult<String> {
    let own = argument(name, parsed_type(ty, symint)?, default, None);
    own.formal(callable(method)).map_err(refused(ty.py()))
}

/// The expression of the argument with that number in the parser's result.
#[pyfunction]
pub(crate) fn parser_method(
    index: usize,
    ty: &Bound<'_, PyAny>,
    default: Option<&str>,
    default_init: Option<&str>,
    symint: bool,
) -> PyResult<String> {
    let own = read_type(ty)?;
    let own = argument("", if symint { own } else { numbers(own) }, default, default_init);
    parser::output_expr(index, &own).map_err(refused(ty.py()))
}

/// The type of an argument, or of a return, in a stub.
#[pyfunction]
pub(crate) fn stub_type(ty: &Bound<'_, PyAny>, returned: bool) -> PyResult<String> {
    let own = read_type(ty)?;
    let made = if returned { pyi::return_type(&own) } else { pyi::argument_type(&own) };
    made.map_err(refused(ty.py()))
}

/// An argument in a stub: of a method, of a deprecated signature, for outputs.
#[pyfunction]
pub(crate) fn stub_argument(
    name: &str,
    ty: &Bound<'_, PyAny>,
    default: Option<&str>,
    form: (bool, bool, bool),
) -> PyResult<String> {
    let (method, deprecated, is_out) = form;
    let own = argument(name, read_type(ty)?, default, None);
    pyi::formal_as(&own, FormalContext { method, deprecated, is_out }).map_err(refused(ty.py()))
}

fn read_returns(py: Python<'_>, returns: &[Bound<'_, PyAny>]) -> PyResult<Vec<Return>> {
    let read = Reader::new(py)?;
    returns.iter().map(|ret| read.returned(ret)).collect()
}

/// What a function returns in a stub.
#[pyfunction]
pub(crate) fn stub_returns(py: Python<'_>, name: &str, returns: Vec<Bound<'_, PyAny>>) -> PyResult<String> {
    pyi::returned(name, &read_returns(py, &returns)?).map_err(refused(py))
}

/// The definition of a return type with named fields in a stub.
#[pyfunction]
pub(crate) fn stub_structseq(py: Python<'_>, name: &str, returns: Vec<Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    let made = structseq::text(renderer(), name, &read_returns(py, &returns)?).map_err(refused(py))?;
    // The template ends with an empty line.
    Ok(made.map(|text| text.trim_end_matches('\n').to_owned() + "\n"))
}

/// The names of a return type's fields.
#[pyfunction]
pub(crate) fn structseq_fields(py: Python<'_>, returns: Vec<Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let returns = read_returns(py, &returns)?;
    let names = field_names(&returns).map_err(|error| PyValueError::new_err(error.message().to_owned()))?;
    Ok(names.into_iter().map(str::to_owned).collect())
}

/// A function in a stub.
#[pyfunction]
pub(crate) fn stub_function(name: &str, formals: Vec<String>, returns: Option<&str>) -> PyResult<String> {
    hints::text(renderer(), name, &formals, returns).map_err(|error| PyValueError::new_err(error.to_string()))
}

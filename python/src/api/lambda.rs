//! `torchgen_rs.api.python`: the lambda in which a binding calls C++.
//!
//! Invariant: parameters, values and variables are those of `api::python`, for a signature that
//! Python may have changed.

use std::borrow::Cow;

use pyo3::prelude::*;

use super::placeless;
use super::python::{Argument, Signature, callable, numbers, refused};
use crate::model::{Reader, loaded_of, tables_of};
use crate::templates::renderer;
use torchgen_api::SymInts;
use torchgen_api::python::{self, Deprecated, PythonArgument, PythonOut, PythonSignature};
use torchgen_aten::autograd::python_bindings::inits;
use torchgen_model::model::Type;

/// The parameters of the lambda for a schema of an operator: names, types, and whether they are
/// outputs.
#[pyfunction]
pub(crate) fn lambda_parameters(
    f: &Bound<'_, PyAny>,
    schema: &Bound<'_, PyAny>,
    method: bool,
    symint: bool,
) -> PyResult<Vec<(String, String, bool)>> {
    let py = f.py();
    let read = Reader::new(py)?;
    let (f, schema) = (read.function(f)?, read.schema(schema)?);
    let made = python::lambda_parameters(&schema, &f, callable(method), SymInts::kept_if(symint));
    let made = made.map_err(refused(py))?;
    Ok(made.iter().map(|a| (a.name.to_owned(), a.ty.cpp_type().to_owned(), a.is_out)).collect())
}

/// What the lambda of an operator returns.
#[pyfunction]
pub(crate) fn lambda_returns(f: &Bound<'_, PyAny>) -> PyResult<String> {
    let (py, loaded) = (f.py(), loaded_of(f));
    let tables = tables_of(loaded.as_deref());
    let made = python::returns_type(&Reader::new(py)?.function(f)?, tables).map_err(refused(py))?;
    Ok(made.cpp_type().to_owned())
}

/// What the lambda of an operator calls, and with which arguments; a deprecated signature has its
/// own.
#[pyfunction]
pub(crate) fn lambda_call(f: &Bound<'_, PyAny>, deprecated: Option<Vec<String>>) -> PyResult<(String, Vec<String>)> {
    let py = f.py();
    let f = Reader::new(py)?.function(f)?;
    let names = python::call_names(deprecated.as_deref(), &f).map_err(refused(py))?;
    Ok((python::callee(&f), names.into_iter().map(str::to_owned).collect()))
}

/// An argument that Python has.
struct Owned {
    name: String,
    ty: Type,
    default: Option<String>,
    default_init: Option<String>,
}

impl Owned {
    fn read(read: &Reader<'_>, (name, ty, default, default_init): Argument<'_>, symint: bool) -> PyResult<Owned> {
        let ty = read.ty(&ty)?;
        Ok(Owned { name, ty: if symint { ty } else { numbers(ty) }, default, default_init })
    }

    fn argument(&self) -> PythonArgument<'_> {
        PythonArgument {
            name: &self.name,
            ty: Cow::Borrowed(&self.ty),
            default: self.default.as_deref().map(Cow::Borrowed),
            default_init: self.default_init.as_deref().map(Cow::Borrowed),
        }
    }
}

/// All arguments of a list.
fn all(arguments: &[Owned]) -> Vec<PythonArgument<'_>> {
    arguments.iter().map(Owned::argument).collect()
}

/// The arguments of the lambda for a signature of an operator, and the statements that make their
/// variables. `outputs` are those that the argument `out` is split into; a deprecated signature has
/// a schema and arguments of its own.
#[pyfunction]
pub(crate) fn lambda_binding<'py>(
    f: &Bound<'py, PyAny>,
    signature: Signature<'py>,
    outputs: Vec<String>,
    deprecated: Option<(Bound<'py, PyAny>, Vec<String>)>,
    method: bool,
    symint: bool,
) -> PyResult<(Vec<String>, Vec<String>)> {
    let (py, loaded) = (f.py(), loaded_of(f));
    let read = Reader::new(py)?;
    let f = read.function(f)?;
    let owned = |arguments: Vec<Argument<'py>>| {
        arguments.into_iter().map(|argument| Owned::read(&read, argument, symint)).collect::<PyResult<Vec<Owned>>>()
    };
    let (positional, keywords, out, options) = signature;
    let (positional, keywords, options) = (owned(positional)?, owned(keywords)?, owned(options)?);
    let out = out.map(|out| Owned::read(&read, out, symint)).transpose()?;
    let deprecated = deprecated.map(|(schema, call)| PyResult::Ok((read.schema(&schema)?, call))).transpose()?;
    let deprecated = deprecated.as_ref();
    let given = PythonSignature {
        name: f.func.name.name.to_string(),
        positional: all(&positional),
        keywords: all(&keywords),
        out: out
            .as_ref()
            .map(|out| PythonOut { argument: out.argument(), outputs: outputs.iter().map(String::as_str).collect() }),
        tensor_options: all(&options),
        returns: &f.func.returns,
        callable: callable(method),
        deprecated: deprecated.map(|(schema, call)| Deprecated { schema, call }),
    };
    let bound = python::bind(&given, &f).map_err(refused(py))?;
    let arguments = bound.arguments.clone();
    let made = inits::inits(renderer(loaded.as_deref()), bound, method);
    Ok((arguments, made.map_err(|error| placeless(py, error.diagnostic()))?))
}

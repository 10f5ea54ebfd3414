//! `torchgen_rs.api`: C++ types and signatures in each convention.
//!
//! Invariant: types, names and conversions are those of the crate `api`; Python only joins them.
//! The toggles of the operator that code is made for are arguments.

pub(crate) mod lambda;
pub(crate) mod lazy;
pub(crate) mod python;
pub(crate) mod shims;
pub(crate) mod types;
pub(crate) mod unboxing;
pub(crate) mod views;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use pyo3::prelude::*;

use crate::model::Reader;
use crate::report::{Report, raised};
use torchgen_api::{self as api, CType, CallingConvention, Locals, Mode, SymInts, cpp, dispatcher, native, structured};
use torchgen_base::diag::{Diagnostic, Sources};
use torchgen_base::render::Renderer;
use torchgen_model::model::SchemaSpans;
use torchgen_model::model::schema::ArgumentRef;
use types::Types;

/// The toggles: mutable tensors as const references, lists of tensors as `ITensorListRef`.
type Toggles = (bool, bool);

fn locals((mutable, lists): Toggles) -> Locals {
    Locals::new(mutable, lists)
}

/// The exception for something without a C++ form.
pub(crate) fn unsupported(py: Python<'_>, error: api::ApiError) -> PyErr {
    placeless(py, error.into_diagnostic(&SchemaSpans::default()))
}

/// The exception for an error of which only the message has a meaning.
pub(crate) fn placeless(py: Python<'_>, mut diagnostic: Diagnostic) -> PyErr {
    (diagnostic.primary, diagnostic.labels) = (None, Vec::new());
    raised(py, Report::of_errors(&[diagnostic], &Sources::new()))
}

/// The templates of PyTorch's family.
pub(crate) fn renderer() -> &'static Renderer {
    // Tests render all of them.
    #[allow(clippy::expect_used)]
    static RENDERER: LazyLock<Renderer> = LazyLock::new(|| Renderer::new("torch").expect("templates compile"));
    &RENDERER
}

/// The name of a schema's C++ function.
#[pyfunction]
pub(crate) fn cpp_name(schema: &Bound<'_, PyAny>, faithful: bool, symint: bool) -> PyResult<String> {
    let schema = Reader::new(schema.py())?.schema(schema)?;
    let sym_ints = SymInts::kept_if(symint);
    Ok(cpp::name_as(&schema, cpp::Spelling { faithful, sym_ints, fallback_binding: false }))
}

/// The default name of a schema's kernel.
#[pyfunction]
pub(crate) fn native_name(schema: &Bound<'_, PyAny>) -> PyResult<String> {
    let schema = Reader::new(schema.py())?.schema(schema)?;
    Ok(native::name(&schema))
}

/// The type of what is passed and returned by value.
#[pyfunction]
pub(crate) fn value_type<'py>(ty: &Bound<'py, PyAny>, symint: bool) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = ty.py();
    let ty = Reader::new(py)?.ty(ty)?;
    let made = cpp::valuetype_type(&ty, SymInts::kept_if(symint)).map_err(|error| unsupported(py, error))?;
    made.map(|made| Types::new(py)?.ctype(&made)).transpose()
}

/// The type of an argument of a type, in a convention: `cpp`, which is the dispatcher's too,
/// `native` or `structured`.
#[pyfunction]
pub(crate) fn argument_type<'py>(
    convention: &str,
    ty: &Bound<'py, PyAny>,
    mutable: bool,
    owning: bool,
    symint: bool,
    toggles: Toggles,
) -> PyResult<Bound<'py, PyAny>> {
    let py = ty.py();
    let (ty, sym_ints, locals) = (Reader::new(py)?.ty(ty)?, SymInts::kept_if(symint), locals(toggles));
    let style = cpp::TypeStyle { mutable, sym_ints, remove_non_owning_ref_types: owning, locals, ..Default::default() };
    let made = match convention {
        "native" => native::argumenttype_type(&ty, style),
        "structured" => structured::argumenttype_type(&ty, SymInts::Numbers),
        _ => cpp::argumenttype_type(&ty, style),
    };
    Types::new(py)?.ctype(&made.map_err(|error| unsupported(py, error))?)
}

/// The type that a function with these returns has.
#[pyfunction]
pub(crate) fn returns_type<'py>(
    py: Python<'py>,
    returns: Vec<Bound<'py, PyAny>>,
    toggles: Toggles,
) -> PyResult<Bound<'py, PyAny>> {
    let read = Reader::new(py)?;
    let returns = returns.iter().map(|ret| read.returned(ret)).collect::<PyResult<Vec<_>>>()?;
    let made = cpp::returns_type(&returns, locals(toggles)).map_err(|error| unsupported(py, error))?;
    Types::new(py)?.ctype(&made)
}

/// The names of an operator's returns in generated code.
#[pyfunction]
pub(crate) fn return_names(f: &Bound<'_, PyAny>, fallback: &str) -> PyResult<Vec<String>> {
    let py = f.py();
    let f = Reader::new(py)?.function(f)?;
    let names = cpp::return_names(&f, fallback).map_err(|error| unsupported(py, error))?;
    Ok(names.into_iter().map(String::from).collect())
}

/// A default of a schema in C++.
#[pyfunction]
pub(crate) fn default_expr(default: &str, ty: &Bound<'_, PyAny>, symint: bool) -> PyResult<String> {
    let py = ty.py();
    let ty = Reader::new(py)?.ty(ty)?;
    let made = api::default::default_expr(default, &ty, SymInts::kept_if(symint));
    made.map(String::from).map_err(|error| unsupported(py, error))
}

/// The parameters for a schema, or for its arguments alone, in a convention: `cpp`, `faithful` (C++ that follows the
/// schema), `dispatcher` or `native`.
#[pyfunction]
pub(crate) fn parameters<'py>(
    convention: &str,
    schema: &Bound<'py, PyAny>,
    symint: bool,
    method: bool,
    no_default: BTreeSet<String>,
    toggles: Toggles,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = schema.py();
    let schema = Reader::new(py)?.schema_or_arguments(schema)?;
    let (sym_ints, locals) = (SymInts::kept_if(symint), locals(toggles));
    let bindings = match convention {
        "dispatcher" => dispatcher::Dispatcher { sym_ints, locals }.arguments(&schema),
        "native" => native::Native { sym_ints, locals }.arguments(&schema),
        _ => cpp::Cpp {
            faithful: convention == "faithful",
            sym_ints,
            method,
            fallback_binding: false,
            cpp_no_default_args: &no_default,
            locals,
        }
        .arguments(&schema),
    };
    Types::new(py)?.bindings(&bindings.map_err(|error| unsupported(py, error))?)
}

/// The parameters of structured kernels for arguments.
#[pyfunction]
pub(crate) fn structured_parameters<'py>(
    py: Python<'py>,
    arguments: Vec<Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let read = Reader::new(py)?;
    let arguments = arguments.iter().map(|argument| read.argument(argument)).collect::<PyResult<Vec<_>>>()?;
    let made = arguments.iter().map(|a| structured::argument(ArgumentRef::Arg(a), SymInts::Numbers));
    let made = made.collect::<Result<Vec<_>, _>>().map_err(|error| unsupported(py, error))?;
    Types::new(py)?.bindings(&made)
}

/// The parameters of the kernel of a structured group, whose out variant this is.
#[pyfunction]
pub(crate) fn impl_parameters<'py>(out: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = out.py();
    let out = Reader::new(py)?.function(out)?;
    let made = structured::impl_arguments(&out).map_err(|error| unsupported(py, error))?;
    Types::new(py)?.bindings(&made)
}

/// Expressions for the goals, made of the facts.
#[pyfunction]
pub(crate) fn translate<'py>(
    py: Python<'py>,
    facts: Vec<(String, Bound<'py, PyAny>)>,
    goals: Vec<Bound<'py, PyAny>>,
    method: bool,
    allow_expensive_conversions: bool,
) -> PyResult<Vec<String>> {
    let read = Types::new(py)?;
    let facts = facts.into_iter().map(|(expr, ty)| Ok(api::Expr::new(expr, read.named(&ty)?)));
    let facts = facts.collect::<PyResult<Vec<_>>>()?;
    let goals = goals.iter().map(|goal| read.named(goal)).collect::<PyResult<Vec<_>>>()?;
    let mode = Mode { method, allow_expensive_conversions, outside_at: false };
    let made = api::translate_with(facts, goals, mode).map_err(|error| read.unsatisfied(&error))?;
    Ok(made.into_iter().map(|made| made.expr.into_owned()).collect())
}

/// A C++ type as text.
#[pyfunction]
pub(crate) fn ctype_text(ty: &Bound<'_, PyAny>, strip_ref: bool) -> PyResult<String> {
    let ty: CType = Types::new(ty.py())?.read(ty)?;
    Ok(if strip_ref { ty.cpp_type_strip_ref() } else { ty.cpp_type() }.to_owned())
}

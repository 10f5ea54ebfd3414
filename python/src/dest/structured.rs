//! `dest.StructuredRegisterDispatchKey`: wrappers that run meta functions, and their parts.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Asked;
use super::wrappers::code_of;
use torchgen_generators::register_dispatch_key::given::Given;
use torchgen_generators::register_dispatch_key::single::{self, Parts};
use torchgen_generators::{Context, ItemError};
use torchgen_model::model::NativeFunction;

/// Asks about the wrapper of a group's member, which its kind names.
fn of_kind<'py, T>(
    group: &Bound<'py, PyAny>,
    kind: &str,
    index: &Bound<'py, PyAny>,
    make: impl for<'a> FnOnce(&Context<'a>, &'a NativeFunction, Parts<'a>) -> Result<T, ItemError>,
) -> PyResult<T> {
    of_asked(Asked::of(&[], Some(group), index)?, kind, make)
}

/// Asks about it, where methods of Python may have written parts.
fn of_asked<T>(
    asked: Asked<'_>,
    kind: &str,
    make: impl for<'a> FnOnce(&Context<'a>, &'a NativeFunction, Parts<'a>) -> Result<T, ItemError>,
) -> PyResult<T> {
    let made = asked.answer(|ctx, backend, asked| {
        let Some(group) = asked.group() else { return Ok(None) };
        let Some(f) = group.functions().find(|f| f.func.kind().as_str() == kind) else { return Ok(None) };
        make(ctx, f, Parts::from_member(ctx, backend, f, group)?).map(Some)
    })?;
    made.ok_or_else(|| PyValueError::new_err(format!("the group has no {kind} variant")))
}

/// The code of a member of a structured group, but for its wrapper.
#[pyfunction]
pub(crate) fn structured_code(
    target: &str,
    f: &Bound<'_, PyAny>,
    group: &Bound<'_, PyAny>,
    index: &Bound<'_, PyAny>,
    symint: bool,
) -> PyResult<Option<String>> {
    let code = code_of(target)?;
    let asked = Asked { symint, ..Asked::of(&[f], Some(group), index)? };
    asked.answer(|ctx, backend, asked| match asked.group() {
        Some(group) => single::of_structured(ctx, backend, asked.function(0), group, code),
        None => Ok(None),
    })
}

/// The names of a wrapper's class and of its base class, and whether the outputs of that one are set
/// too.
#[pyfunction]
pub(crate) fn class_names(
    group: &Bound<'_, PyAny>,
    kind: &str,
    index: &Bound<'_, PyAny>,
) -> PyResult<(String, String, bool)> {
    of_kind(group, kind, index, |_, _, parts| {
        let (class, parent, inherits) = parts.names();
        Ok((class.to_owned(), parent.to_owned(), inherits))
    })
}

/// The constructor of a wrapper's class.
#[pyfunction]
pub(crate) fn class_constructor(
    group: &Bound<'_, PyAny>,
    kind: &str,
    index: &Bound<'_, PyAny>,
    class_name: String,
    returns: usize,
) -> PyResult<String> {
    of_kind(group, kind, index, |ctx, _, parts| {
        Ok(parts.with_names(Some(class_name), None).returning(returns).constructor(ctx)?)
    })
}

/// The statements that set an output.
#[pyfunction]
pub(crate) fn set_output_body(
    group: &Bound<'_, PyAny>,
    kind: &str,
    index: &Bound<'_, PyAny>,
    proxies: bool,
) -> PyResult<String> {
    of_kind(group, kind, index, |ctx, f, parts| parts.set_output_body(ctx, f, proxies))
}

/// The functions that set outputs, around statements that do it with a proxy and without.
#[pyfunction]
pub(crate) fn set_output_functions(
    group: &Bound<'_, PyAny>,
    kind: &str,
    index: &Bound<'_, PyAny>,
    parent_class: String,
    inherits: bool,
    bodies: (String, String),
) -> PyResult<String> {
    of_kind(group, kind, index, |ctx, _, parts| {
        let parts = parts.with_names(None, Some(parent_class)).inheriting(inherits);
        Ok(parts.set_output_functions(ctx, &bodies.0, &bodies.1)?)
    })
}

/// The class of a wrapper, around its constructor and its functions.
#[pyfunction]
pub(crate) fn wrapper_class(
    group: &Bound<'_, PyAny>,
    kind: &str,
    index: &Bound<'_, PyAny>,
    names: (String, String),
    members: (String, String),
) -> PyResult<String> {
    of_kind(group, kind, index, |ctx, _, parts| {
        let parts = parts.with_names(Some(names.0), Some(names.1));
        Ok(parts.class(ctx, &members.0, &members.1)?)
    })
}

/// A wrapper with its class. A method of Python may have written the check of devices.
#[pyfunction]
pub(crate) fn structured_wrapper(
    group: &Bound<'_, PyAny>,
    kind: &str,
    index: &Bound<'_, PyAny>,
    class_text: &str,
    device_check: Option<String>,
) -> PyResult<String> {
    let given = Given { device_check, ..Given::default() };
    let asked = Asked { given, ..Asked::of(&[], Some(group), index)? };
    of_asked(asked, kind, |ctx, _, parts| Ok(parts.wrapper(ctx, class_text)?))
}

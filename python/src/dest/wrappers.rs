//! `dest.RegisterDispatchKey`: wrappers, registrations and functions of single operators.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Asked;
use crate::model::Reader;
use torchgen_generators::register_dispatch_key::single::{self, Code};
use torchgen_model::model::native_function::DeviceCheckType;

/// What to show, by its name in Python.
pub(super) fn code_of(name: &str) -> PyResult<Code> {
    Ok(match name {
        "ANONYMOUS_DEFINITION" => Code::Wrapper,
        "REGISTRATION" => Code::Registration,
        "NAMESPACED_DEFINITION" => Code::Functions,
        "NAMESPACED_DECLARATION" => Code::Declarations,
        _ => return Err(PyValueError::new_err(format!("`Target.{name}` is not code for a dispatch key"))),
    })
}

/// Whether the wrappers of a group run its meta function.
#[pyfunction]
pub(crate) fn runs_meta_function(group: &Bound<'_, PyAny>, index: &Bound<'_, PyAny>) -> PyResult<bool> {
    Asked::of(&[], Some(group), index)?.answer(|_, backend, asked| match asked.group() {
        Some(group) => single::is_structured(backend, group),
        None => Ok(false),
    })
}

/// Whether backends have to define a member of a structured group, whatever its meta function is.
#[pyfunction]
pub(crate) fn is_for_backends(f: &Bound<'_, PyAny>, index: &Bound<'_, PyAny>) -> PyResult<bool> {
    Asked::of(&[f], None, index)?.answer(|_, backend, asked| Ok(single::is_for_backends(backend, asked.function(0))))
}

/// The code of an operator that needs no meta function, which may be in a group.
#[pyfunction]
pub(crate) fn unstructured_code(
    target: &str,
    f: &Bound<'_, PyAny>,
    group: Option<&Bound<'_, PyAny>>,
    index: &Bound<'_, PyAny>,
    class_name: Option<String>,
    symint: bool,
) -> PyResult<Option<String>> {
    let code = code_of(target)?;
    let asked = Asked { class: class_name, symint, ..Asked::of(&[f], group, index)? };
    asked.answer(|ctx, backend, asked| single::unstructured(ctx, backend, asked.function(0), asked.group(), code))
}

/// The code that checks the devices of arguments.
#[pyfunction]
pub(crate) fn device_check(
    index: &Bound<'_, PyAny>,
    checks: bool,
    arguments: Vec<Bound<'_, PyAny>>,
    name: &str,
) -> PyResult<String> {
    let read = Reader::new(index.py())?;
    let arguments = arguments.iter().map(|argument| read.argument(argument)).collect::<PyResult<Vec<_>>>()?;
    let check = if checks { DeviceCheckType::ExactSame } else { DeviceCheckType::NoCheck };
    Asked::of_key(index)?.answer(|ctx, backend, _| Ok(single::device_check(ctx, backend, check, &arguments, name)?))
}

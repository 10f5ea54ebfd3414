//! `dest.RegisterDispatchKey`: wrappers, registrations and functions of single operators.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Asked;
use crate::api::types::Types;
use crate::model::Reader;
use torchgen_generators::register_dispatch_key::given::{Given, GivenSignature};
use torchgen_generators::register_dispatch_key::single::{self, Code, MadeFrom};
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

/// What the wrapper of an operator that needs no meta function is made from, which may be in a
/// group: `kernel`, `functional` or `nothing`; `None` if it has no wrapper.
#[pyfunction]
pub(crate) fn wrapper_made_from(
    f: &Bound<'_, PyAny>,
    group: Option<&Bound<'_, PyAny>>,
    index: &Bound<'_, PyAny>,
) -> PyResult<Option<&'static str>> {
    let asked = Asked::of(&[f], group, index)?;
    let from = asked.answer(|_, backend, asked| Ok(single::made_from(backend, asked.function(0), asked.group())))?;
    Ok(from.map(|from| match from {
        MadeFrom::Kernel => "kernel",
        MadeFrom::Functional => "functional",
        MadeFrom::Nothing => "nothing",
    }))
}

/// The signature of an operator's wrapper: the operator, the name, what it returns, and its
/// parameters.
type Signed<'py> = (String, String, Bound<'py, PyAny>, Vec<(String, Bound<'py, PyAny>)>);

/// What methods of Python wrote.
pub(super) fn given(py: Python<'_>, signed: Vec<Signed<'_>>, device_check: Option<String>) -> PyResult<Given> {
    let types = Types::new(py)?;
    let signature = |(operator, name, returns_type, parameters): Signed<'_>| {
        let parameter = |(name, nctype): (String, Bound<'_, PyAny>)| Ok((name, types.named(&nctype)?));
        let parameters = parameters.into_iter().map(parameter).collect::<PyResult<_>>()?;
        Ok((operator, GivenSignature { name, returns_type: types.read(&returns_type)?, parameters }))
    };
    Ok(Given { signatures: signed.into_iter().map(signature).collect::<PyResult<_>>()?, device_check })
}

/// The code of an operator that needs no meta function, which may be in a group. Methods of Python
/// may have written the signatures of wrappers and the check of devices.
#[pyfunction]
pub(crate) fn unstructured_code(
    target: &str,
    f: &Bound<'_, PyAny>,
    group: Option<&Bound<'_, PyAny>>,
    index: &Bound<'_, PyAny>,
    class_name: Option<String>,
    symint: bool,
    written: (Vec<Signed<'_>>, Option<String>),
) -> PyResult<Option<String>> {
    let code = code_of(target)?;
    let given = given(f.py(), written.0, written.1)?;
    let asked = Asked { class: class_name, symint, given, ..Asked::of(&[f], group, index)? };
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

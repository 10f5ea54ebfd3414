//! A function of Python that decides what is generated for single operators, and those that
//! templates call.
//!
//! Invariant: the run's thread calls it while no other thread of the run does anything. An exception
//! of a hook stops the run, and is that of the call; that of a function is an error in the template.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::model::Maker;
use torchgen_generators::decider::{Decider, Part, Question, Subject};
use torchgen_kit::driver::CallerFunctions;
use torchgen_rs::Host;

/// The exception of a hook.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

/// The host with a hook, and where its exception will be.
pub(crate) fn calling(host: Host, hook: Py<PyAny>, fingerprint: Option<String>) -> (Host, Raised) {
    let raised = Raised::default();
    let kept = Arc::clone(&raised);
    let decider = Decider::of_function(move |question| {
        Python::attach(|py| match answer(hook.bind(py), question) {
            Ok(answer) => Some(answer),
            Err(error) => {
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                None
            }
        })
    });
    (host.calling(decider, fingerprint), raised)
}

/// Functions of Python that templates call, by name. One function calls them: it gets a name and
/// the arguments as JSON, and returns JSON.
pub(crate) fn functions(call: Py<PyAny>, names: Vec<String>) -> Arc<dyn Any + Send + Sync> {
    CallerFunctions::of_caller(names, move |name, arguments| {
        Python::attach(|py| {
            let made = call.bind(py).call1((name, arguments)).and_then(|made| made.extract::<String>());
            made.map_err(|error| format!("raised {}", shortened(&error.to_string())))
        })
    })
}

/// The first line of a message, if it is not too long.
fn shortened(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(200).collect()
}

/// The exception, if there was one.
pub(crate) fn exception(raised: &Raised) -> Option<PyErr> {
    raised.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// A part as a value of Python.
#[derive(FromPyObject)]
enum Value {
    Flag(bool),
    Text(String),
    List(Vec<String>),
}

/// Asks a hook.
fn answer(hook: &Bound<'_, PyAny>, question: &Question<'_>) -> PyResult<BTreeMap<String, Part>> {
    let py = hook.py();
    let make = Maker::new(py)?;
    let (subject, place) = match question.subject {
        Subject::Operator(f) => {
            let span = f.spans.entry;
            let at = (question.sources.path(span.file), question.sources.line_col(span).0);
            (make.whole_function(f, at)?, format!("{}:{}", at.0, at.1))
        }
        Subject::Schema(func) => (make.own_schema(func.clone())?, String::new()),
    };
    let parts = PyDict::new(py);
    for (name, part) in question.parts {
        let value = match part {
            Part::Text(text) => text.into_bound_py_any(py)?,
            Part::Flag(flag) => flag.into_bound_py_any(py)?,
            Part::List(list) => PyTuple::new(py, list)?.into_any(),
        };
        parts.set_item(name, value)?;
    }
    let made = py.import("torchgen_rs.hooks")?.call_method1("_asked", (hook, subject, parts, place))?;
    let part = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let value = match value.extract()? {
            Value::Flag(flag) => Part::Flag(flag),
            Value::Text(text) => Part::Text(text),
            Value::List(list) => Part::List(list),
        };
        Ok((name.extract()?, value))
    };
    made.cast::<PyDict>()?.iter().map(part).collect()
}

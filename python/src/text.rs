//! Templates in the reference's syntax, and the files made of them.
//!
//! Invariant: text and files are made as those of a command are.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyKeyError, PyOSError, PyValueError};
use pyo3::prelude::*;

use torchgen_base::render::{self, Env, TextTemplate};
use torchgen_base::write;

/// A value in place of a placeholder.
#[derive(FromPyObject)]
pub(crate) enum Value {
    /// A scalar.
    Text(String),
    /// A list, whose items have their own lines.
    List(Vec<String>),
}

impl From<Value> for render::Value {
    fn from(value: Value) -> render::Value {
        match value {
            Value::Text(text) => text.into(),
            Value::List(list) => list.into(),
        }
    }
}

/// A template with values in place of its placeholders.
#[pyfunction]
pub(crate) fn substitute(template: &str, values: Vec<(String, Value)>, is_file: bool) -> PyResult<String> {
    let env: Env = values.into_iter().collect();
    let made = compiled(template).render(&env, is_file);
    made.map(|text| text.to_string()).map_err(|error| PyKeyError::new_err(error.to_string()))
}

/// How many templates are kept. Scripts have hundreds.
const KEPT: usize = 2000;

/// The templates so far, by their texts: scripts use each again and again.
static TEMPLATES: Mutex<Option<HashMap<String, Arc<TextTemplate>>>> = Mutex::new(None);

/// The template with this text.
fn compiled(text: &str) -> Arc<TextTemplate> {
    let mut kept = TEMPLATES.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    if let Some(known) = kept.get(text) {
        return Arc::clone(known);
    }
    let template = Arc::new(TextTemplate::new(text));
    if kept.len() >= KEPT {
        kept.clear();
    }
    kept.insert(text.to_owned(), Arc::clone(&template));
    template
}

/// The shard of an item.
#[pyfunction]
pub(crate) fn shard_of(key: &str, shards: u32) -> PyResult<u32> {
    render::stable_hash(key, shards).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Writes a file, unless it has the text already. Returns whether it was written.
#[pyfunction]
pub(crate) fn write_text(path: PathBuf, text: String) -> PyResult<bool> {
    write::write_text(&path, text).map_err(|error| PyOSError::new_err(error.to_string()))
}

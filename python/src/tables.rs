//! The program's tables of facts, for modules of the package that show them.
//!
//! Invariant: a table is that of the newest torch, without a run's additions.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

/// The table of facts at that path below `data/`, as JSON.
#[pyfunction]
pub(crate) fn table(name: &str) -> PyResult<String> {
    let text = torchgen_data::text(name).ok_or_else(|| PyKeyError::new_err(format!("there is no table `{name}`")))?;
    let table: serde_yaml::Value = serde_yaml::from_str(text).expect("a test reads each table");
    Ok(serde_json::to_string(&table).expect("keys of tables are words and numbers"))
}

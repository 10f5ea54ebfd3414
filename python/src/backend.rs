//! `torchgen_rs.gen_backend_stubs`: the kernels of backends.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::api::renderer;
use crate::model::group::Listed;
use crate::model::yaml::reading;
use crate::model::{Loaded, Maker, Reader};
use torchgen_backend::backend::{kernels, pieces};

/// The keys below autograd and at it, the class, the namespace, and the kernels by key.
type Parsed<'py> = ([Option<&'static str>; 2], Option<String>, String, Bound<'py, PyDict>);

/// The kernels that the YAML of a backend names, for some operators of PyTorch.
#[pyfunction]
pub(crate) fn parse_backend<'py>(
    py: Python<'py>,
    path: PathBuf,
    functions: &Bound<'py, PyAny>,
) -> PyResult<Parsed<'py>> {
    let (mut operators, tables) = Listed::of(py, functions)?.copied();
    let (loaded, added) = reading(py, move |session| {
        session.tables = tables;
        let added = kernels::add(&path, &mut operators, session)?;
        let (sources, tables) = (session.sources.clone(), session.tables.clone());
        Ok((Loaded::new(operators, sources, tables), added))
    })?;
    let (loaded, make, indices) = (Arc::new(loaded), Maker::new(py)?, PyDict::new(py));
    for key in [added.key, added.autograd_key].into_iter().flatten() {
        indices.set_item(make.key(key)?, make.index(&loaded, key)?)?;
    }
    let keys = [added.key, added.autograd_key].map(|key| key.map(|key| key.as_str()));
    let class = added.record.class_name.as_ref().map(ToString::to_string);
    Ok((keys, class, added.record.cpp_namespace.to_string(), indices))
}

/// The comment of the header, its include, the include of PyTorch's functions, and the registrations.
type Texts = (String, String, String, String);

/// What a key's files have beside the code of single operators.
#[pyfunction]
pub(crate) fn backend_texts(
    header: &Bound<'_, PyAny>,
    key: &Bound<'_, PyAny>,
    directory: &str,
    flags: (bool, bool),
    deferred: Option<&str>,
    registrations: Vec<String>,
) -> PyResult<Texts> {
    let read = Reader::new(key.py())?;
    let (in_tree, per_operator_headers) = flags;
    let made = pieces::pieces(
        renderer(),
        pieces::Of {
            header_key: read.key(header)?,
            directory,
            in_tree,
            per_operator_headers,
            key: read.key(key)?,
            deferred,
            registrations: registrations.iter().map(|text| text.trim_end()).collect(),
        },
    );
    let made = made.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((made.comment, made.header, made.functions, made.registrations))
}

//! Reads derivatives.yaml.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::key_name;
use super::make::Objects;
use crate::model::yaml::{KeyNames, Keys, Source, operators, reading};
use crate::model::{Maker, SchemaOf};
use crate::report::{Report, raised};
use torchgen_api::autograd::{self, Operators, formula_uses};
use torchgen_base::diag::{Diagnostics, Severity};
use torchgen_generators::inputs;
use torchgen_model::group;
use torchgen_model::model::{NativeFunction, Target};

/// The derivatives by key of each operator, with its schema.
type Derivatives<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, PyDict>)>;

/// The derivatives of a file, and all keys that it has.
#[pyfunction]
pub(crate) fn load_derivatives(
    py: Python<'_>,
    derivatives: PathBuf,
    native_functions: PathBuf,
    tags: PathBuf,
    keys: KeyNames,
) -> PyResult<(Derivatives<'_>, BTreeSet<&'static str>)> {
    let (loaded, records) = reading(py, move |session| {
        let mut loaded = operators(session, Source::Files(native_functions, tags), &Keys::named(&keys), true)?;
        let records = inputs::derivative_records(session, &derivatives)?;
        // Those of the second file are among them now.
        loaded.sources = session.sources.clone();
        Ok((loaded, records))
    })?;
    let loaded = Arc::new(loaded);
    let (functions, target, mut found) =
        (&loaded.operators.functions, Target::pytorch(&loaded.tables), Diagnostics::new());
    let views = group::view_groups(functions, target, &mut found);
    let (all, views): (Vec<_>, Vec<_>) = (functions.iter().collect(), views.iter().collect());
    let known = Operators { functions: &all, view_groups: &views, target, manual: "" };
    // Threads of its own, which a fork of the process does not need.
    let threads =
        rayon::ThreadPoolBuilder::new().build().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let infos = py.detach(|| threads.install(|| autograd::load(&records, known, &mut found)));
    if found.has_errors() {
        let errors = found.into_sorted().into_iter().filter(|one| one.severity == Severity::Error);
        return Err(raised(py, Report::of_errors(&errors.collect::<Vec<_>>(), &loaded.sources)));
    }
    let places: HashMap<*const NativeFunction, usize> =
        functions.iter().enumerate().map(|(at, f)| (std::ptr::from_ref(f), at)).collect();
    let (objects, make) = (Objects::new(py)?, Maker::new(py)?);
    let mut made = Vec::with_capacity(infos.by_operator.len());
    for by_key in infos.by_operator.values() {
        let Some(at) = by_key.values().next().and_then(|info| places.get(&std::ptr::from_ref(info.func))) else {
            continue;
        };
        let (f, of_keys) = (make.function(&loaded, *at)?, PyDict::new(py));
        for (key, info) in by_key.iter() {
            of_keys.set_item(key_name(*key), objects.info(info, &f, false)?)?;
        }
        made.push((make.schema(SchemaOf::Operator(Arc::clone(&loaded), *at))?, of_keys));
    }
    Ok((made, infos.used_dispatch_keys.iter().map(|key| key_name(*key)).collect()))
}

/// Whether a formula uses a name.
#[pyfunction]
pub(crate) fn formula_has(formula: &str, name: &str) -> bool {
    formula_uses(formula, name)
}

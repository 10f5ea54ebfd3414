//! Finds the derivatives of operators, and their differentiable outputs.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::make::Objects;
use super::{key_name, key_of, read};
use crate::api::{placeless, unsupported};
use crate::model::{Maker, Reader};
use torchgen_api::autograd::{
    self, DEFAULT_KEY, DifferentiabilityInfos, InfoByKey, NativeFunctionWithDifferentiabilityInfo, OperatorId,
};
use torchgen_base::diag::{Diagnostics, Severity};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::{NativeFunction, Target};

/// What was found for an operator.
#[derive(IntoPyObject)]
pub(crate) struct Found<'py> {
    /// The place of the derivatives among those given, unless they were made.
    at: Option<usize>,
    /// Only those for the default key are used.
    default_only: bool,
    /// Derivatives that were made for this operator.
    made: Option<Bound<'py, PyAny>>,
    /// The formulas for tangents by key, where they are not those of the derivatives.
    forward: Bound<'py, PyDict>,
}

/// Finds the derivatives of operators among those by key of other operators.
#[pyfunction]
pub(crate) fn match_derivatives<'py>(
    py: Python<'py>,
    functions: Vec<Bound<'py, PyAny>>,
    infos: Vec<Bound<'py, PyAny>>,
) -> PyResult<Vec<Option<Found<'py>>>> {
    let read = Reader::new(py)?;
    let own = functions.iter().map(|f| read.function(f)).collect::<PyResult<Vec<NativeFunction>>>()?;
    let parts = infos.iter().map(read::by_key).collect::<PyResult<Vec<_>>>()?;
    let target = Target::pytorch(Tables::embedded());
    let mut known = DifferentiabilityInfos::default();
    let mut places = HashMap::new();
    for (at, parts) in parts.iter().enumerate() {
        let by_key = read::infos(parts)?;
        known.used_dispatch_keys.extend(by_key.keys().copied());
        places.extend(by_key.values().map(|info| (std::ptr::from_ref(info.func), at)));
        if let Some(info) = by_key.values().next() {
            known.by_operator.insert(OperatorId::new(info.func, target), by_key);
        }
    }
    let mut found = Diagnostics::new();
    let matched = autograd::match_differentiability_info(&own, &known, target, &mut found);
    if let Some(error) = found.into_sorted().into_iter().find(|one| one.severity == Severity::Error) {
        return Err(placeless(py, error));
    }
    let objects = Objects::new(py)?;
    let answer = |(one, f): (&NativeFunctionWithDifferentiabilityInfo<'_>, &Bound<'py, PyAny>)| {
        let Some(info) = &one.info else { return Ok(None) };
        let made = matched.foreach.get(&OperatorId::new(one.func, target)).filter(|made| Arc::ptr_eq(made, info));
        let is_given = known.by_operator.values().any(|given| Arc::ptr_eq(given, info));
        let of = info.values().next().map(|info| std::ptr::from_ref(info.func));
        let forward = PyDict::new(py);
        for (key, formulas) in &one.fw_derivatives {
            let same = info.get(key).is_some_and(|info| Arc::ptr_eq(&info.forward_derivatives, formulas));
            if !same {
                forward.set_item(key_name(*key), objects.forwards(formulas)?)?;
            }
        }
        let made = match made.and_then(|by_key| by_key.get(&DEFAULT_KEY)) {
            Some(info) => Some(objects.info(info, f, true)?),
            None => None,
        };
        let at = of.and_then(|of| places.get(&of).copied()).filter(|_| made.is_none());
        Ok(Some(Found { at, default_only: !is_given, made, forward }))
    };
    matched.functions.iter().zip(&functions).map(answer).collect()
}

/// The differentiable outputs of an operator by its derivatives for a key: names, types, and types
/// in C++.
#[pyfunction]
pub(crate) fn differentiable_outputs<'py>(
    f: &Bound<'py, PyAny>,
    infos: Option<&Bound<'py, PyAny>>,
    key: &str,
) -> PyResult<Vec<(String, Bound<'py, PyAny>, String)>> {
    let py = f.py();
    let func = Reader::new(py)?.function(f)?;
    let parts = infos.map(read::by_key).transpose()?;
    let info: Option<Arc<InfoByKey<'_>>> = parts.as_deref().map(read::infos).transpose()?;
    let one = NativeFunctionWithDifferentiabilityInfo { func: &func, info, fw_derivatives: IndexMap::new() };
    let key = key_of(key).unwrap_or(DEFAULT_KEY);
    let outputs = autograd::gen_differentiable_outputs(&one, key).map_err(|error| unsupported(py, error))?;
    let make = Maker::new(py)?;
    let output = |output: autograd::DifferentiableOutput<'_>| {
        Ok((output.name, make.ty(output.ty)?, output.cpp_type.cpp_type().to_owned()))
    };
    outputs.into_iter().map(output).collect()
}

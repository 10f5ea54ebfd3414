//! `torchgen_rs.autograd.gen_variable_type` and its neighbors: the kernels of single operators.

use std::sync::Arc;

use indexmap::IndexMap;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{context, key_of, read};
use crate::api::{placeless, renderer};
use crate::model::{Reader, loaded_of};
use torchgen_api::autograd::{DEFAULT_KEY, ForwardDerivative, InfoByKey, NativeFunctionWithDifferentiabilityInfo};
use torchgen_aten::autograd::variable_factories;
use torchgen_base::render::Fragment;
use torchgen_generators::variable_type::single::{self, Method};
use torchgen_generators::{AutogradContext, ItemError, ad_inplace_or_view};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::{DispatchKey, NativeFunction};

/// Answers about an operator with its derivatives.
fn answer<T>(
    function: &Bound<'_, PyAny>,
    make: impl FnOnce(&AutogradContext<'_, '_>, &NativeFunctionWithDifferentiabilityInfo<'_>) -> Result<T, ItemError>,
) -> PyResult<T> {
    let py = function.py();
    let operator = function.getattr("func")?;
    let (func, loaded) = (Reader::new(py)?.function(&operator)?, loaded_of(&operator));
    let infos = function.getattr("info")?;
    let parts = if infos.is_none() { None } else { Some(read::by_key(&infos)?) };
    let info: Option<Arc<InfoByKey<'_>>> = parts.as_deref().map(read::infos).transpose()?;
    let mut fw_derivatives: IndexMap<DispatchKey, Arc<[ForwardDerivative]>> = IndexMap::new();
    let forward = function.getattr("fw_derivatives")?;
    if !forward.is_none() {
        for (key, formulas) in forward.cast::<PyDict>()? {
            let formulas =
                formulas.try_iter()?.map(|formula| read::forward(&formula?)).collect::<PyResult<Vec<_>>>()?;
            fw_derivatives.insert(key_of(&key.extract::<String>()?).unwrap_or(DEFAULT_KEY), formulas.into());
        }
    }
    let one = NativeFunctionWithDifferentiabilityInfo { func: &func, info, fw_derivatives };
    let made = context(loaded.as_deref(), |ctx| make(ctx, &one));
    made.map_err(|error| placeless(py, error.into_diagnostic(&func.spans)))
}

/// The key of that name; another one is that of all keys.
fn named(key: &str) -> DispatchKey {
    key_of(key).unwrap_or(DEFAULT_KEY)
}

/// The lines of an operator's kernel for a key. An empty line is the beginning of the next one, since
/// a list loses empty items when it fills a template.
#[pyfunction]
pub(crate) fn kernel_body(function: &Bound<'_, PyAny>, key: &str, for_complex: Option<bool>) -> PyResult<Vec<String>> {
    let text = answer(function, |ctx, one| single::body(ctx, one, named(key), for_complex))?;
    let (mut lines, mut before) = (Vec::new(), String::new());
    for line in text.lines() {
        if line.is_empty() {
            before.push('\n');
        } else {
            lines.push(std::mem::take(&mut before) + line);
        }
    }
    Ok(lines)
}

/// The base names of operators whose gradients are those of complex tensors too.
#[pyfunction]
pub(crate) fn names_for_complex() -> Vec<&'static str> {
    single::for_complex(Tables::embedded()).collect()
}

/// The statements that an operator's kernel begins with, and the names of its arguments after them.
#[pyfunction]
pub(crate) fn unpacking(f: &Bound<'_, PyAny>) -> PyResult<(Vec<String>, Vec<String>)> {
    let (text, names) = of_operator(f, |f| Ok(single::unpacking(renderer(), f)?))?;
    Ok((text.lines().map(str::to_owned).collect(), names))
}

/// Whether an operator's kernel is generated.
#[pyfunction]
pub(crate) fn is_derived(function: &Bound<'_, PyAny>) -> PyResult<bool> {
    answer(function, |ctx, one| Ok(single::is_derived(one, ctx.target)))
}

/// The include, the definition and the registration of the kernel that counts versions and tracks
/// views; `None` if an operator needs none.
#[pyfunction]
pub(crate) fn inplace_or_view_parts(function: &Bound<'_, PyAny>) -> PyResult<Option<(String, String, String)>> {
    answer(function, |ctx, one| {
        if !ad_inplace_or_view::has_kernel(one.func, ctx.target) {
            return Ok(None);
        }
        let made = ad_inplace_or_view::kernel(ctx, one, ad_inplace_or_view::SCOPE)?;
        let text = |fragment: Fragment| fragment.as_str().to_owned();
        Ok(Some((
            text(made.header).trim_end().to_owned(),
            text(made.definition.unwrap_or_default()),
            text(made.registration),
        )))
    })
}

/// Reads an operator and answers about it.
fn of_operator<T>(f: &Bound<'_, PyAny>, make: impl FnOnce(&NativeFunction) -> Result<T, ItemError>) -> PyResult<T> {
    let function = Reader::new(f.py())?.function(f)?;
    make(&function).map_err(|error| placeless(f.py(), error.into_diagnostic(&function.spans)))
}

/// The name of an operator's kernel for a key, its parameters, and its registration.
#[pyfunction]
pub(crate) fn kernel_parts(f: &Bound<'_, PyAny>, key: &str) -> PyResult<(String, String, String)> {
    of_operator(f, |f| {
        let key = named(key);
        Ok((single::name(f, key), single::parameters(renderer(), f)?, single::registration(renderer(), f, key)?))
    })
}

/// A kernel around its parts.
#[pyfunction]
pub(crate) fn kernel_text(
    py: Python<'_>,
    returns_type: &str,
    name: &str,
    formals: &str,
    body: &str,
) -> PyResult<String> {
    let made = single::method(renderer(), &Method { returns_type, name, formals, body });
    let text = made.map_err(|error| placeless(py, error.diagnostic()))?;
    Ok(text.lines().filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect())
}

/// The functions of an operator that makes tensors, which set whether those require gradients;
/// `None` if it makes none.
#[pyfunction]
pub(crate) fn factory_definition(f: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let loaded = loaded_of(f);
    of_operator(f, |f| {
        if !variable_factories::is_factory(f) {
            return Ok(None);
        }
        context(loaded.as_deref(), |ctx| variable_factories::definition(ctx, f).map(Some))
    })
}

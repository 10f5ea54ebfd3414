//! From Python objects to derivatives.
//!
//! Invariant: what derivatives refer to is read first, and kept while they are used.

use std::sync::Arc;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::key_of;
use crate::api::types::Types;
use crate::model::Reader;
use torchgen_api::autograd::{Derivative, DifferentiabilityInfo, ForwardDerivative, InfoByKey, SavedAttribute};
use torchgen_api::{Binding, NamedCType};
use torchgen_base::diag::Span;
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{Argument, DispatchKey, NativeFunction};

/// A parameter, with the argument that it is for.
struct Parameter {
    name: String,
    nctype: NamedCType<'static>,
    argument: Argument,
}

impl Parameter {
    fn binding(&self) -> Binding<'_> {
        Binding {
            name: self.name.as_str().into(),
            nctype: self.nctype.clone(),
            argument: ArgumentRef::Arg(&self.argument),
            default: None,
        }
    }
}

/// The derivatives of an operator for a key, as they are in Python.
pub(super) struct Info<'py> {
    key: DispatchKey,
    object: Bound<'py, PyAny>,
    func: NativeFunction,
    parameters: Vec<Parameter>,
}

/// Reads what the derivatives by key of an operator refer to.
///
/// # Errors
/// An object is not what it has to be.
pub(super) fn by_key<'py>(of_keys: &Bound<'py, PyAny>) -> PyResult<Vec<Info<'py>>> {
    let each = of_keys.cast::<PyDict>()?.iter().map(|(name, object)| {
        let name: String = name.extract()?;
        one(key_of(&name).ok_or_else(|| PyKeyError::new_err(name))?, object)
    });
    each.collect()
}

/// Reads what the derivatives for a key refer to.
///
/// # Errors
/// An object is not what it has to be.
pub(super) fn one<'py>(key: DispatchKey, object: Bound<'py, PyAny>) -> PyResult<Info<'py>> {
    let py = object.py();
    let (read, types) = (Reader::new(py)?, Types::new(py)?);
    let parameter = |binding: PyResult<Bound<'py, PyAny>>| {
        let binding = binding?;
        Ok(Parameter {
            name: binding.getattr("name")?.extract()?,
            nctype: types.named(&binding.getattr("nctype")?)?,
            argument: read.argument(&binding.getattr("argument")?)?,
        })
    };
    let parameters = object.getattr("args_with_derivatives")?.try_iter()?.map(parameter);
    let parameters = parameters.collect::<PyResult<_>>()?;
    let func = read.function(&object.getattr("func")?)?;
    Ok(Info { key, object, func, parameters })
}

/// The derivatives that refer to what was read.
///
/// # Errors
/// An object is not what it has to be.
pub(super) fn infos<'a>(of: &'a [Info<'_>]) -> PyResult<Arc<InfoByKey<'a>>> {
    let read = of.iter().map(|info| Ok((info.key, info.read()?)));
    Ok(Arc::new(read.collect::<PyResult<InfoByKey<'a>>>()?))
}

impl<'py> Info<'py> {
    /// The derivatives, which refer to what was read.
    ///
    /// # Errors
    /// An object is not what it has to be.
    pub(super) fn read(&self) -> PyResult<DifferentiabilityInfo<'_>> {
        let object = &self.object;
        Ok(DifferentiabilityInfo {
            name: object.getattr("name")?.extract()?,
            func: &self.func,
            op: object.getattr("op")?.extract()?,
            derivatives: each(object, "derivatives", derivative)?,
            forward_derivatives: each(object, "forward_derivatives", forward)?.into(),
            all_saved_inputs: each(object, "all_saved_inputs", saved)?,
            all_saved_outputs: each(object, "all_saved_outputs", saved)?,
            available_named_gradients: names(object, "available_named_gradients")?,
            used_named_gradients: names(object, "used_named_gradients")?.into_iter().collect(),
            args_with_derivatives: self.parameters.iter().map(Parameter::binding).collect(),
            non_differentiable_arg_names: names(object, "non_differentiable_arg_names")?,
            output_differentiability: object.getattr("output_differentiability")?.extract()?,
            output_differentiability_conditions: object.getattr("output_differentiability_conditions")?.extract()?,
            complex_gradients: None,
            span: Span::default(),
        })
    }
}

fn each<'py, T>(
    object: &Bound<'py, PyAny>,
    name: &str,
    read: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    object.getattr(name)?.try_iter()?.map(|item| read(&item?)).collect()
}

fn names(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<String>> {
    each(object, name, |item| item.extract())
}

/// Names that may be absent, which means that there are none.
fn maybe_names(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<String>> {
    if object.getattr(name)?.is_none() { Ok(Vec::new()) } else { names(object, name) }
}

fn saved(object: &Bound<'_, PyAny>) -> PyResult<SavedAttribute> {
    let named = Types::new(object.py())?.named(&object.getattr("nctype")?)?;
    Ok(SavedAttribute { name: named.name.to_string(), ty: named.ty, expr: object.getattr("expr")?.extract()? })
}

fn derivative(object: &Bound<'_, PyAny>) -> PyResult<Derivative> {
    Ok(Derivative {
        formula: object.getattr("formula")?.extract()?,
        original_formula: object.getattr("original_formula")?.extract()?,
        var_names: names(object, "var_names")?,
        saved_inputs: each(object, "saved_inputs", saved)?,
        saved_outputs: each(object, "saved_outputs", saved)?,
        named_gradients: names(object, "named_gradients")?.into_iter().collect(),
        span: Span::default(),
    })
}

pub(super) fn forward(object: &Bound<'_, PyAny>) -> PyResult<ForwardDerivative> {
    let read = Reader::new(object.py())?;
    Ok(ForwardDerivative {
        formula: object.getattr("formula")?.extract()?,
        var_names: names(object, "var_names")?,
        var_types: each(object, "var_types", |ty| read.ty(ty))?,
        required_inputs_fw_grad: maybe_names(object, "required_inputs_fw_grad")?,
        required_inputs_primal: maybe_names(object, "required_inputs_primal")?,
        required_original_self_value: object.getattr("required_original_self_value")?.extract()?,
        is_reusing_outplace_formula: object.getattr("is_reusing_outplace_formula")?.extract()?,
        span: Span::default(),
    })
}

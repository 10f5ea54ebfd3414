//! The outputs of an operator: their names in formulas and in Python, and which have gradients.
//!
//! Invariant: gradients are numbered by differentiable outputs, as in C++.

use serde::Serialize;

use super::variables;
use torchgen_api::autograd::{DEFAULT_KEY, NativeFunctionWithDifferentiabilityInfo, gen_differentiable_outputs};
use torchgen_api::cpp;
use torchgen_model::model::{DispatchKey, NativeFunction, Type};

/// An output.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Output {
    /// Its name in formulas.
    pub(super) name: String,
    /// Its name in C++, which formulas that are made of others have.
    pub(super) cpp_name: String,
    /// Its variable.
    pub(super) variable: String,
    /// It is a list of tensors.
    pub(super) is_list: bool,
    /// It is a tensor.
    pub(super) is_tensor: bool,
    /// It may be `None`.
    pub(super) is_optional: bool,
    pub(super) differentiable: bool,
}

/// The outputs of an operator with the derivatives of a key.
pub(super) fn outputs(matched: &NativeFunctionWithDifferentiabilityInfo<'_>, key: DispatchKey) -> Vec<Output> {
    let f = matched.func;
    let names = names(f);
    let differentiable = gen_differentiable_outputs(matched, key).unwrap_or_default();
    let cpp_names: Vec<String> = cpp::return_names(f, "result")
        .map(|names| names.into_iter().map(std::borrow::Cow::into_owned).collect())
        .unwrap_or_default();
    let is_differentiable =
        |i: usize| cpp_names.get(i).is_some_and(|name| differentiable.iter().any(|output| output.name == *name));
    names
        .into_iter()
        .zip(&f.func.returns)
        .enumerate()
        .map(|(i, (name, ret))| Output {
            variable: variables::result(&name),
            cpp_name: cpp_names.get(i).cloned().unwrap_or_else(|| name.clone()),
            name,
            is_optional: matches!(ret.ty, Type::Optional(_)),
            is_list: matches!(ret.ty, Type::List(..)) && ret.ty.is_tensor_like(),
            is_tensor: ret.ty.is_tensor_like(),
            differentiable: ret.ty.is_tensor_like() && is_differentiable(i),
        })
        .collect()
}

/// The names of outputs in formulas.
fn names(f: &NativeFunction) -> Vec<String> {
    let single = f.func.returns.len() == 1;
    let fallback = |i: usize| if single { "result".to_owned() } else { format!("result{i}") };
    f.func
        .returns
        .iter()
        .enumerate()
        .map(|(i, ret)| match &ret.name {
            Some(name) if !f.func.is_out_fn() && !ret.is_write() => name.clone(),
            _ => fallback(i),
        })
        .collect()
}

/// The keys that an operator has derivatives for; the default one if it has none.
pub(super) fn keys(matched: &NativeFunctionWithDifferentiabilityInfo<'_>) -> Vec<DispatchKey> {
    let keys: Vec<DispatchKey> = matched.info.iter().flat_map(|info| info.keys().copied()).collect();
    if keys.is_empty() { vec![DEFAULT_KEY] } else { keys }
}

//! What generators ask about an operator and its derivatives: its dispatch strategy, and which
//! outputs are differentiable.
//!
//! Invariant: pure functions of the operator and its derivatives. Rule: torchgen/api/autograd.py.

use super::{DifferentiabilityInfo, NativeFunctionWithDifferentiabilityInfo};
use crate::error::{ApiError, BAD_SHAPE, Result};
use crate::{CType, Locals, cpp};
use torchgen_model::model::{DispatchKey, SchemaKind, Type};

/// An output that gradients flow from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferentiableOutput<'a> {
    /// Its name in generated code.
    pub name: String,
    /// Its type in the schema.
    pub ty: &'a Type,
    /// Its type in C++.
    pub cpp_type: CType,
}

/// How the kernel of an operator is called from its autograd kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DispatchStrategy {
    /// Below autograd: its operations are not recorded, since its derivative is known or the
    /// operator has backend kernels.
    UseDerived,
    /// It is composed of operators that are recorded themselves.
    UseType,
}

/// How the kernel of an operator is called. Derivatives for any key count.
pub fn dispatch_strategy(fn_: &NativeFunctionWithDifferentiabilityInfo<'_>) -> DispatchStrategy {
    let has_derivatives =
        fn_.info.as_ref().is_some_and(|by_key| by_key.values().any(DifferentiabilityInfo::has_derivatives));
    if fn_.func.is_abstract || has_derivatives { DispatchStrategy::UseDerived } else { DispatchStrategy::UseType }
}

/// Whether gradients can flow to or from something of that name and type.
pub fn is_differentiable(name: &str, ty: &Type, info: Option<&DifferentiabilityInfo<'_>>) -> bool {
    let refused =
        |info: &DifferentiabilityInfo<'_>| info.non_differentiable_arg_names.iter().any(|other| other == name);
    ty.is_tensor_like() && !info.is_some_and(refused)
}

/// The outputs that gradients flow from, by the derivatives for a key. An operator without
/// derivatives has them all, unless its entry says `differentiable: False`.
///
/// # Errors
/// `output_differentiability:` does not fit this variant; or an output has no C++ form.
pub fn gen_differentiable_outputs<'a>(
    fn_: &NativeFunctionWithDifferentiabilityInfo<'a>,
    key: DispatchKey,
) -> Result<Vec<DifferentiableOutput<'a>>> {
    let f = fn_.func;
    if !f.differentiable {
        return Ok(Vec::new());
    }
    let info = fn_.info_of(key);
    let names = cpp::return_names(f, "result")?;
    let mut outputs = Vec::with_capacity(names.len());
    for (name, ret) in names.into_iter().zip(&f.func.returns) {
        // A mutable argument is an output by itself. An optional one may be missing, and then the
        // return is new.
        let is_new = !ret.given_back || f.func.aliased_arguments(ret).any(|a| a.ty.is_nullable());
        if !is_new && info.is_none() {
            continue;
        }
        let cpp_type = cpp::return_type(ret, Locals::for_operator(f))?;
        outputs.push(DifferentiableOutput { name: name.into_owned(), ty: &ret.ty, cpp_type });
    }
    if let Some(listed) = info.and_then(|info| info.output_differentiability.as_ref()) {
        if listed.len() != outputs.len() {
            let message = format!(
                "`{}` has {} outputs, but `output_differentiability:` of its derivative lists {}",
                f.func.name,
                outputs.len(),
                listed.len()
            );
            return Err(ApiError::new(&BAD_SHAPE, message));
        }
        if listed.contains(&false) && f.func.kind() == SchemaKind::Inplace {
            let message = format!("inplace operator `{}` has an output that is not differentiable", f.func.name);
            return Err(ApiError::new(&BAD_SHAPE, message));
        }
        let mut listed = listed.iter();
        outputs.retain(|_| listed.next() == Some(&true));
        return Ok(outputs);
    }
    outputs.retain(|output| is_differentiable(&output.name, output.ty, info));
    if info.is_some_and(DifferentiabilityInfo::uses_single_grad) {
        outputs.truncate(1);
    }
    Ok(outputs)
}

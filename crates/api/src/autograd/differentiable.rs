//! The outputs that have a gradient, in the order of `grads`.
//!
//! Invariant: the same for all who number gradients, on both ABIs of libraries.

use torchgen_model::model::{FunctionSchema, Return};

/// The outputs that have a gradient. `output_differentiability:` says which do, or else their
/// types.
pub(super) fn differentiable<'s>(
    schema: &'s FunctionSchema,
    listed: Option<&'s [bool]>,
) -> impl Iterator<Item = &'s Return> {
    let is_listed = move |i: usize| listed.is_none_or(|flags| flags.get(i) == Some(&true));
    let outputs = schema.returns.iter().enumerate();
    outputs.filter(move |(i, ret)| is_listed(*i) && ret.ty.is_tensor_like()).map(|(_, ret)| ret)
}

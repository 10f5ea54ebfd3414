//! Fakes that follow from schemas.
//!
//! An operator that returns what it writes returns its arguments. One without results returns
//! nothing. The functional variant of an operator that mutates `self` has an output like it, as
//! have operators with one tensor that are tagged `pointwise`. The line of `dims:` gives the sizes
//! of other outputs, which are then like the first tensor.
//!
//! Invariant: there is one fake for each operator: that of `fake:` comes first. On the stable ABI,
//! a meta function in C++ comes last, because it sees concrete sizes. On libtorch's C++ API it
//! comes before what follows from the schema, as does a composite kernel.

use torchgen_model::group::Variants;
use torchgen_model::model::dims::{DimsLine, DimsResult};
use torchgen_model::model::{DispatchKey, NativeFunction, Return, SchemaKind};

/// What the outputs of an operator are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Implied {
    /// The arguments that it writes; none if it returns nothing.
    Written,
    /// A tensor like its first one, or a list of such tensors.
    LikeFirst,
    /// New tensors with the sizes of its line, beside the arguments that it writes.
    Sizes,
}

/// What follows from the schema of an operator, among those of its library.
pub(crate) fn implied(f: &NativeFunction, all: &Variants<'_>) -> Option<Implied> {
    let returns = &f.func.returns;
    if f.func.is_mutable() || (returns.is_empty() && f.func.tensor_arguments().next().is_some()) {
        let is_written = |ret| f.func.aliased_arguments(ret).next().is_some();
        let written = returns.iter().all(is_written).then_some(Implied::Written);
        return written.or_else(|| gives_sizes(f).then_some(Implied::Sizes));
    }
    like_first(f, all).then_some(Implied::LikeFirst).or_else(|| gives_sizes(f).then_some(Implied::Sizes))
}

/// Whether the output of an operator is like its first tensor.
fn like_first(f: &NativeFunction, all: &Variants<'_>) -> bool {
    let [one] = f.func.returns.as_slice() else { return false };
    let mut tensors = f.func.tensor_arguments();
    let Some(first) = tensors.next().filter(|a| a.ty == one.ty && one.annotation.is_none()) else { return false };
    let pointwise = f.has_tag("pointwise") && tensors.next().is_none();
    let is_self =
        first.schema_name() == "self" && all.variants_of(f).any(|other| other.func.kind() == SchemaKind::Inplace);
    is_self || pointwise
}

/// Whether the lines of `dims:` give the sizes of all outputs that are new tensors.
fn gives_sizes(f: &NativeFunction) -> bool {
    let is_new = |ret: &Return| ret.annotation.is_none() && ret.ty.is_tensor_like() && !ret.ty.is_nullable();
    let is_made = |ret| is_new(ret) || f.func.mutated_argument(ret).is_some();
    let has_first = f.func.tensor_arguments().any(|a| !a.ty.is_nullable());
    let all_known = |line: &DimsLine| {
        line.results.iter().all(|result| match result {
            DimsResult::Dims(dims) => dims.value.iter().all(|dim| dim.value.base.is_given()),
            DimsResult::Argument(_) => true,
        })
    };
    !f.has_composite_implicit_autograd_kernel
        && has_first
        && f.func.returns.iter().all(is_made)
        && !f.dims_lines().is_empty()
        && f.dims_lines().iter().all(all_known)
}

/// Whether the outputs of an operator follow from its schema alone.
pub fn outputs_follow(f: &NativeFunction) -> bool {
    implied(f, &Variants::new(std::slice::from_ref(f))).is_some()
}

/// Whether Python knows the outputs of an operator without data, so that a meta function in C++ has
/// no effect.
pub(crate) fn has_fake(f: &NativeFunction, all: &Variants<'_>) -> bool {
    f.fake.is_some() || implied(f, all).is_some()
}

/// Whether a kernel is for libtorch's C++ API only.
pub(crate) fn is_replaced(f: &NativeFunction, key: DispatchKey, all: &Variants<'_>) -> bool {
    key == DispatchKey::Meta && has_fake(f, all)
}

//! Fakes that follow from schemas.
//!
//! An operator that returns what it writes returns its arguments. One without results returns
//! nothing. The functional variant of an operator that mutates `self` has an output like it, as
//! have operators with one tensor that are tagged `pointwise`.
//!
//! Invariant: there is one fake for each operator: that of `fake:` comes first. On the stable ABI,
//! a meta function in C++ comes last, because it sees concrete sizes. On libtorch's C++ API it
//! comes before what follows from the schema, as does a composite kernel.

use torchgen_model::group::Variants;
use torchgen_model::model::{DispatchKey, NativeFunction, SchemaKind};

/// What the outputs of an operator are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Implied {
    /// The arguments that it writes; none if it returns nothing.
    Written,
    /// A tensor like its first one, or a list of such tensors.
    LikeFirst,
}

/// What follows from the schema of an operator, among those of its library.
pub(crate) fn implied(f: &NativeFunction, all: &Variants<'_>) -> Option<Implied> {
    let returns = &f.func.returns;
    if f.func.is_mutable() || (returns.is_empty() && f.func.schema_order_arguments().any(|a| a.ty.is_tensor_like())) {
        let is_written = |ret| f.func.aliased_arguments(ret).next().is_some();
        return returns.iter().all(is_written).then_some(Implied::Written);
    }
    let [one] = returns.as_slice() else { return None };
    let mut tensors = f.func.schema_order_arguments().filter(|a| a.ty.is_tensor_like());
    let first = tensors.next().filter(|a| a.ty == one.ty && one.annotation.is_none())?;
    let pointwise = f.has_tag("pointwise") && tensors.next().is_none();
    let is_self =
        first.schema_name() == "self" && all.variants_of(f).any(|other| other.func.kind() == SchemaKind::Inplace);
    (is_self || pointwise).then_some(Implied::LikeFirst)
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

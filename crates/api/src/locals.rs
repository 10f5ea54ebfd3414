//! The toggles that PyTorch's conventions depend on.
//!
//! Invariant: a plain value, passed to every function that depends on it.

use torchgen_model::model::NativeFunction;

/// How to spell tensors and lists of tensors, which PyTorch decides for each operator.
///
/// A signature usually uses the toggles of its own operator; where one operator's wrapper calls
/// another, the callee's signature uses those of the caller. In a structured group the out variant
/// decides, in a view group the view. Use [`Locals::default`] where no toggle can matter. Rule:
/// torchgen/local.py and torchgen/context.py, `native_function_manager`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Locals {
    /// Mutable tensors are `const at::Tensor &` instead of `at::Tensor &`.
    pub(crate) use_const_ref_for_mutable_tensors: bool,
    /// `Tensor[]` is `const at::ITensorListRef &` instead of `at::TensorList`.
    pub(crate) use_ilistref_for_tensor_lists: bool,
}

impl Locals {
    /// These toggles.
    pub const fn new(use_const_ref_for_mutable_tensors: bool, use_ilistref_for_tensor_lists: bool) -> Locals {
        Locals { use_const_ref_for_mutable_tensors, use_ilistref_for_tensor_lists }
    }

    /// The toggles for the code of `f`.
    pub fn for_operator(f: &NativeFunction) -> Locals {
        Locals {
            use_const_ref_for_mutable_tensors: f.use_const_ref_for_mutable_tensors,
            use_ilistref_for_tensor_lists: f.part_of_structured_group(),
        }
    }
}

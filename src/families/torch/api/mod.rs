//! C++ calling conventions: what an operator's arguments, returns and names look like in each C++ API that is generated.
//!
//! One module per convention. Those that make signatures of schemas implement [`CallingConvention`]: `name`, `arguments`, `returns_type`,
//! `signature`.
//!
//! | module | convention |
//! | --- | --- |
//! | [`cpp`] | what people call: gathered `TensorOptions`, defaults, out arguments first |
//! | [`dispatcher`] | what goes through the dispatcher: every schema argument on its own, no defaults |
//! | [`native`] | kernels in the tree |
//! | [`structured`], [`meta`] | structured kernels and their meta functions |
//! | [`ufunc`] | inner loops, functors and dispatch stubs of ufuncs |
//! | [`functionalization`] | view metas and view inverses |
//! | [`python`] | from Python, through `PythonArgParser` |
//! | [`wrapper`] | kernels between the dispatcher and a backend |
//! | [`c_shim`] | C functions for code that AOTInductor compiled |
//! | [`autograd`] | derivatives: formulas, what they save, whom they serve |
//!
//! [`translate()`] makes the arguments of one out of those of another.
//!
//! Invariant: nothing here depends on hidden state. Where the reference consults thread-local toggles, functions take [`Locals`].
//! Deliberately absent: statements and bodies (templates have them), files, spans. Namespaces of operators are parameters.

pub mod autograd;
mod base_type;
pub mod binding;
pub mod c_shim;
pub mod cpp;
pub mod ctype;
pub mod default;
pub mod dispatcher;
pub mod error;
pub mod functionalization;
mod literal;
pub mod meta;
pub mod native;
pub mod python;
pub mod signature;
pub mod structured;
#[cfg(test)]
mod tests;
pub mod translate;
pub mod ufunc;
pub mod wrapper;

pub use base_type::BaseCppType;
pub use binding::{ArgName, Binding, Expr, NamedCType, joined};
pub use cpp::SignatureGroup as CppSignatureGroup;
pub use ctype::{CType, CTypeKind};
pub use error::{ApiError, Unsatisfied};
pub use literal::cpp_string;
pub use signature::{CallingConvention, Convention, Signature, SymInts, kernel_signature};
pub use translate::{Mode, translate, translate_call, translate_with};

use crate::families::torch::model::NativeFunction;

/// How tensors and lists of tensors are spelled, which PyTorch decides operator by operator.
///
/// Signatures are usually made under the toggles of their own operator; where one operator's wrapper calls another, the callee's signature is made
/// under the caller's. Of a structured group the out variant decides, of a view group the view. [`Locals::default`] serves where no toggle
/// can matter. Rule: torchgen/local.py and torchgen/context.py, `native_function_manager`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Locals {
    /// Mutable tensors are `const at::Tensor &` instead of `at::Tensor &`.
    pub use_const_ref_for_mutable_tensors: bool,
    /// `Tensor[]` is `const at::ITensorListRef &` instead of `at::TensorList`.
    pub use_ilistref_for_tensor_lists: bool,
}

impl Locals {
    /// The toggles under which the code of `f` is generated.
    pub fn of(f: &NativeFunction) -> Locals {
        Locals {
            use_const_ref_for_mutable_tensors: f.use_const_ref_for_mutable_tensors,
            use_ilistref_for_tensor_lists: f.part_of_structured_group(),
        }
    }
}

//! C++ calling conventions: how each generated C++ API spells an operator's arguments, returns and
//! names.
//!
//! One module per convention. Those that make signatures from schemas implement
//! [`CallingConvention`]: `name`, `arguments`, `returns_type`, `signature`.
//!
//! | module | convention |
//! | --- | --- |
//! | [`cpp`] | the public functions: gathered `TensorOptions`, defaults, out arguments first |
//! | [`dispatcher`] | calls through the dispatcher: every schema argument separately, no defaults |
//! | [`native`] | in-tree kernels |
//! | [`structured`], [`meta`] | structured kernels and their meta functions |
//! | [`ufunc`] | inner loops, functors and dispatch stubs of ufuncs |
//! | [`functionalization`] | view metas and view inverses |
//! | [`python`] | calls from Python, through `PythonArgParser` |
//! | [`wrapper`] | kernels between the dispatcher and a backend |
//! | [`stable`] | functions and kernels on libtorch's stable ABI |
//! | [`c_shim`] | C functions for code compiled by AOTInductor |
//! | [`autograd`] | derivatives: formulas, saved values, and the operators that use them |
//!
//! [`translate()`] makes the arguments of one from those of another.
//!
//! Invariant: nothing here depends on hidden state. Where the reference consults thread-local
//! toggles, functions take [`Locals`]. Statements and bodies are in templates. Namespaces of
//! operators are parameters.

pub mod autograd;
mod base_type;
pub mod binding;
pub mod c_shim;
pub mod cpp;
pub(crate) mod ctype;
pub mod default;
pub mod dispatcher;
pub mod error;
pub mod functionalization;
mod kernel;
mod literal;
mod locals;
pub mod meta;
pub mod native;
pub mod python;
pub(crate) mod signature;
pub mod stable;
pub mod structured;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod translate;
pub mod ufunc;
pub mod wrapper;

pub use base_type::BaseCppType;
pub use binding::{Binding, Expr, NamedCType, joined};
pub use cpp::SignatureGroup as CppSignatureGroup;
pub use ctype::{CType, CTypeKind};
pub use error::{ApiError, Unsatisfied};
pub use kernel::kernel_signature;
pub(crate) use literal::braced;
pub use locals::Locals;
pub use signature::{CallingConvention, Signature, SymInts};
/// A literal of a string. Rule: torchgen/gen.py, `cpp_string`.
pub use torchgen_base::lang::cpp::string_literal as cpp_string;
pub use translate::{Mode, translate, translate_with};

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

pub(crate) mod autograd;
mod base_type;
pub(crate) mod binding;
pub(crate) mod c_shim;
pub(crate) mod cpp;
pub(crate) mod ctype;
pub(crate) mod default;
pub(crate) mod dispatcher;
pub(crate) mod error;
pub(crate) mod functionalization;
mod kernel;
mod literal;
mod locals;
pub(crate) mod meta;
pub(crate) mod native;
pub(crate) mod python;
pub(crate) mod signature;
pub(crate) mod stable;
pub(crate) mod structured;
#[cfg(test)]
mod tests;
pub(crate) mod translate;
pub(crate) mod ufunc;
pub(crate) mod wrapper;

pub(crate) use base_type::BaseCppType;
pub(crate) use binding::{Binding, Expr, NamedCType, joined};
pub(crate) use cpp::SignatureGroup as CppSignatureGroup;
pub(crate) use ctype::{CType, CTypeKind};
pub(crate) use error::{ApiError, Unsatisfied};
pub(crate) use kernel::kernel_signature;
pub(crate) use literal::{braced, cpp_string};
pub(crate) use locals::Locals;
pub(crate) use signature::{CallingConvention, Signature, SymInts};
pub(crate) use translate::{Mode, translate, translate_with};

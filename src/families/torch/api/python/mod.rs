//! Operators in Python: the signatures of `PythonArgParser`, its results, and how they become the
//! arguments of a C++ call.
//!
//! A binding parses Python arguments by a signature string, calls C++ in a lambda and wraps the
//! result. An operator and its out variant share a signature, since `out` is optional.
//!
//! Types, names and single expressions only. Statements are in `templates/torch/python_bindings/`;
//! `autograd::python_bindings` decides which operators have bindings. Rule: torchgen/api/python.py.

pub(crate) mod annotation;
mod argument;
mod default;
mod dispatch;
mod parser;
pub(crate) mod pyi;
mod signature;
mod structseq;
mod types;
pub(crate) use argument::PythonCallable;
pub(crate) use dispatch::{Bound, OutCheck, TensorOptionsExprs};
pub(crate) use dispatch::{bind, call_arguments, callee, lambda_arguments, returns_type};
pub(crate) use signature::{Deprecated, PythonSignature};
pub(crate) use structseq::{field_names, structseq_key};
pub(crate) use types::{parser_size, simple_type};

//! Operators in Python: the signatures of `PythonArgParser`, its results, and how they become the
//! arguments of a C++ call.
//!
//! A binding parses Python arguments by a signature string, calls C++ in a lambda and wraps the
//! result. An operator and its out variant share a signature, since `out` is optional.
//!
//! Types, names and single expressions only. Statements are in `templates/torch/python_bindings/`;
//! `autograd::python_bindings` decides which operators have bindings. Rule: torchgen/api/python.py.

pub mod annotation;
mod argument;
mod default;
mod dispatch;
pub mod parser;
pub mod pyi;
mod signature;
mod structseq;
mod types;
pub use argument::{PythonArgument, PythonCallable, PythonOut};
pub use dispatch::{
    Bound, OutCheck, TensorOptionsExprs, bind, call_arguments, call_names, callee, lambda_arguments, lambda_parameters,
    returns_type,
};
pub use signature::{Deprecated, PythonSignature};
pub use structseq::{field_names, structseq_key};
pub use types::{parser_size, parser_type, simple_type, unsized_type};

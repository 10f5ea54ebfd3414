//! Python's view of operators: what `PythonArgParser` is told, what it hands out, and how that becomes the arguments of a C++ call.
//!
//! A binding parses Python arguments by a signature string, calls C++ in a lambda and wraps what comes back. One signature serves an operator
//! and its out variant, since `out` is optional.
//!
//! Invariant: types, names and single expressions only. Deliberately absent: the statements around them (see `templates/torch/python_bindings/`)
//! and which operators have bindings at all (see `generate::python_bindings`). Rule: torchgen/api/python.py.

pub(crate) mod annotation;
mod argument;
mod default;
mod dispatch;
mod parser;
#[allow(dead_code, reason = "gen_pyi, which comes with the generators around the backends, uses it")]
pub(crate) mod pyi;
mod signature;
mod structseq;
mod types;
pub(crate) use dispatch::{Bound, OutCheck, TensorOptionsExprs};
pub(crate) use dispatch::{bind, call_arguments, callee, lambda_arguments, returns_type};
pub(crate) use signature::{Deprecated, PythonSignature};
pub(crate) use structseq::{field_names, structseq_key};
pub(crate) use types::{parser_size, simple_type};

//! Python's view of operators: what `PythonArgParser` is told, what it hands out, and how that becomes the arguments of a C++ call.
//!
//! A binding parses Python arguments by a signature string, calls C++ in a lambda and wraps what comes back. One signature serves an operator
//! and its out variant, since `out` is optional.
//!
//! Invariant: types, names and single expressions only. Deliberately absent: the statements around them (see `templates/torch/python_bindings/`)
//! and which operators have bindings at all (see `generate::python_bindings`). Rule: torchgen/api/python.py.

pub mod annotation;
mod argument;
mod default;
mod dispatch;
mod parser;
pub mod pyi;
mod signature;
mod structseq;
mod types;

pub use argument::{PythonArgument, PythonOut};
pub use dispatch::{Bound, LambdaArgument, OutCheck, TensorOptionsExprs};
pub use dispatch::{bind, call_arguments, callee, lambda_arguments, returns_type};
pub use parser::{is_none_expr, output_expr, output_exprs};
pub use signature::{Deprecated, PythonSignature};
pub use structseq::{field_names, structseq_key};
pub use types::{parser_size, parser_type, simple_type};

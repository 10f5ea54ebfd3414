//! PyTorch's autograd and Python bindings: the job of tools/autograd, and the generators that only it has.

pub mod annotated_fn_args;
pub mod command;
pub mod comments;
pub mod python_bindings;
pub mod request;
pub mod trace_type;
pub mod tracing;
pub mod variable_factories;

pub(crate) use request::Request;

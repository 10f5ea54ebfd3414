//! PyTorch's autograd and Python bindings: the job of tools/autograd, and the generators that are
//! only in it.

pub(crate) mod annotated_fn_args;
pub mod command;
pub(crate) mod comments;
pub mod python_bindings;
pub(crate) mod request;
#[cfg(test)]
mod tests;
pub(crate) mod trace_type;
pub(crate) mod tracing;
pub mod variable_factories;

pub use request::Request;

//! External backends: a dispatch key whose kernels lie outside PyTorch, and what registers them.

pub mod check;
pub mod command;
mod external;
mod header;
mod impl_path;
mod input;
mod registration;

pub(crate) use external::External;
pub(crate) use registration::Style;

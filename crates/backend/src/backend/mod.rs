//! External backends: a dispatch key with kernels outside PyTorch, and their registration.

pub(crate) mod autograd;
pub mod check;
pub mod command;
mod contract;
pub(crate) mod decided;
mod external;
pub(crate) mod header;
mod helpers;
pub(crate) mod impl_path;
pub(crate) mod input;
pub mod kernels;
pub mod operators;
pub mod pieces;
pub(crate) mod registration;
pub mod state;

pub(crate) use decided::Decided;
pub(crate) use external::{External, guards};
pub(crate) use registration::Style;

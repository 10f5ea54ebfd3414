//! The generators of PyTorch's own sources.

pub mod aten;
pub mod autograd;
pub mod selection;
pub mod static_runtime;
pub mod stubs;

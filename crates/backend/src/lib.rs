//! The generators of PyTorch's backends.

pub mod backend;
pub mod lazy;
pub mod unboxing;

//! Tools for libraries on the stable ABI of libtorch.

pub mod audit;
pub mod from_cpp;

//! Tools for libraries on the stable ABI of libtorch.

pub mod adopt;
pub mod audit;
pub mod from_cpp;

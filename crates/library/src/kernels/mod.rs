//! `torchgen-rs kernels`: the kernels that a library must define, compared with its sources.

pub mod command;
mod dims_tests;
mod packages;
mod probe;
mod python;
pub mod test_skeletons;
mod write;

pub use probe::probed;

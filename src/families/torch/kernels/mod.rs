//! `torchgen-rs kernels`: the kernels that a library has to define, compared with its sources.

pub mod command;
pub mod skeletons;

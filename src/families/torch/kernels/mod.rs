//! `torchgen-rs kernels`: the kernels that a library has to define, compared with its sources.

pub(crate) mod command;
pub(crate) mod skeletons;

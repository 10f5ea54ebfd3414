//! `torchgen-rs kernels`: the kernels that a library must define, compared with its sources.

pub(crate) mod command;
mod write;

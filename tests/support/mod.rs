//! Helpers that several test programs share. Each uses a part of them.
#![allow(dead_code)]

pub(crate) mod callers;
pub(crate) mod cases;
pub(crate) mod cmake;
pub(crate) mod cuda;
pub(crate) mod cxx;
pub(crate) mod edits;
pub(crate) mod expected;
pub(crate) mod facts;
pub(crate) mod forks;
pub(crate) mod formulas;
pub(crate) mod gradients;
pub(crate) mod memory;
pub(crate) mod opkit;
pub(crate) mod processor;
pub(crate) mod pytorch;
pub(crate) mod random;
pub(crate) mod refused;
pub(crate) mod schema;
pub(crate) mod selections;
pub(crate) mod tool_wheel;
pub(crate) mod torch;
pub(crate) mod wheel;

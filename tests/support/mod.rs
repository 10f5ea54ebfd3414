//! What several test programs share. Each uses a part of it.
#![allow(dead_code)]

pub(crate) mod cxx;
pub(crate) mod torch_env;
pub(crate) mod wheel;

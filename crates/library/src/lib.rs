//! The generators of operator libraries.

pub mod kernels;
pub mod library;
pub mod run;
pub mod stable;

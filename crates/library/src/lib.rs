//! The generators of operator libraries.

mod formula;
pub mod kernels;
pub mod library;
pub mod project;
pub mod run;
pub mod stable;

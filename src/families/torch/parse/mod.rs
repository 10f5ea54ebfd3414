//! From strings to the model: operator schemas and the other small languages inside YAML values.
//!
//! Invariant: no input makes a parser here panic; a fault's range lies inside the string and on character boundaries.
//! Deliberately absent: YAML and files; the caller turns a [`Fault`](crate::diag::Fault) into a diagnostic with a place.

mod arguments;
pub mod c10;
mod checks;
mod defaults;
pub mod deprecated;
pub mod entry;
mod error;
pub mod name;
pub mod precompute;
pub mod schema;
pub(crate) mod selector;
#[cfg(test)]
mod tests;
mod types;
pub mod ufunc;

pub use checks::{Part, Violation, check};
pub use name::operator_name;
pub use precompute::precompute;
pub use ufunc::ufunc_inner_loop;

//! Parses strings into the model: operator schemas and the other small languages in YAML values.
//!
//! Invariant: no input makes a parser here panic; an error's range is inside the string and on
//! character boundaries. The caller turns a [`TextError`](torchgen_base::diag::TextError) into a
//! diagnostic with a place.

mod arguments;
pub mod c10;
mod checks;
mod defaults;
pub mod deprecated;
pub mod dims;
pub mod entry;
mod error;
pub mod name;
pub(crate) mod precompute;
pub mod schema;
pub(crate) mod selector;
#[cfg(test)]
mod tests;
mod types;
pub(crate) mod ufunc;
mod when;
pub use name::{operator_name, written_name};
pub use precompute::precompute;
pub use ufunc::ufunc_inner_loop;
pub use when::when;

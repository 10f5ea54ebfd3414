//! Parses strings into the model: operator schemas and the other small languages in YAML values.
//!
//! Invariant: no input makes a parser here panic; an error's range is inside the string and on
//! character boundaries. The caller turns a [`TextError`](crate::diag::TextError) into a diagnostic
//! with a place.

mod arguments;
pub(crate) mod c10;
mod checks;
mod defaults;
pub(crate) mod deprecated;
pub(crate) mod entry;
mod error;
pub(crate) mod formula;
pub(crate) mod name;
pub(crate) mod precompute;
pub(crate) mod schema;
pub(crate) mod selector;
#[cfg(test)]
mod tests;
mod types;
pub(crate) mod ufunc;
mod when;
pub(crate) use name::operator_name;
pub(crate) use precompute::precompute;
pub(crate) use ufunc::ufunc_inner_loop;
pub(crate) use when::when;

//! The formulas of a library, on either ABI: what they can call, what is wrong in them, and their
//! translation to Python.
//!
//! Invariant: one resolver, that of the crate `formula`, selects what a call means, whoever asks.

mod author;
mod callables;
pub(crate) mod check;
mod foreign;
pub(crate) mod includes;
mod names;
pub(crate) mod python;
#[cfg(test)]
mod tests;
mod unknown;
mod writes;

pub use self::callables::operator_of;
pub use self::check::{BackendFormulas, check_backend, expressions};
pub(crate) use self::writes::lints;

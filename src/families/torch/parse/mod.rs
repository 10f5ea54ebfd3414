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
#[cfg(test)]
mod tests;
mod types;
pub mod ufunc;

pub use checks::{Part, Violation, check};
pub use name::operator_name;
pub use precompute::precompute;
pub use ufunc::ufunc_inner_loop;

/// Which schemas are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// What the reference accepts in `native_functions.yaml`, down to the single space.
    ///
    /// The reference lets pass by accident what cannot work later; of that only what is harmless is accepted here. A default
    /// may be any word (it may name a C++ constant), and an overload may begin with a digit. Names that are not identifiers
    /// (`zz-zz`, `zz zz`, `1zz`), the same argument name twice, a return with a default and unbalanced quotes are faults: each
    /// would end in C++ that does not compile.
    ATen,
    /// What c10 accepts in `m.def("...")`; see [`c10`].
    Library,
}

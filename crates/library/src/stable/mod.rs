//! The stable ABI of libtorch: which torch has which operators and types, and what to write for it.
//!
//! Invariant: what a version has comes from `data/torch/versions`; nothing here looks at an
//! installed torch. `ops` generates typed functions that call torch's own operators.

pub mod calls;
pub(crate) mod check;
pub(crate) mod facts;
pub mod library;
pub mod ops;
mod python;
pub mod shim;

//! `torchgen-rs stable-ops`: a header with a typed C++ function for each overload of torch's
//! operators.
//!
//! Data flows `select -> view -> command`. Invariant: a function passes
//! exactly the arguments of its schema, in order, each as the type that the schema has in every
//! version from the minimum on.

pub mod command;
pub(crate) mod select;
mod view;

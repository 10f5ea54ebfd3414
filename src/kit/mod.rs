//! What several families build on: the grammar of schema strings, a language of expressions, and
//! the parts of intermediate representations.
//!
//! Invariant: nothing here knows a family; a table supplies what differs between families.

pub(crate) mod expr;
pub(crate) mod ir;
pub(crate) mod schema;

//! What several families build on: the grammar of schema strings, a language of expressions, and what
//! intermediate representations are made of.
//!
//! Invariant: nothing here knows a family; what differs between families comes in as a table.

pub(crate) mod expr;
pub(crate) mod ir;
pub(crate) mod schema;

//! What several families build on: the grammar of schema strings, and a language of expressions.
//!
//! Invariant: nothing here knows a family; what differs between families comes in as a table.

pub mod expr;
pub mod schema;

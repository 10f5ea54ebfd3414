//! What several families build on: the grammar of schema strings, a language of expressions, the
//! parts of intermediate representations, and texts in comments.
//!
//! Invariant: nothing here knows a family; a table supplies what differs between families.

pub(crate) mod comment;
pub(crate) mod expr;
pub(crate) mod header;
pub(crate) mod ir;
pub(crate) mod schema;

//! What several families build on: the grammar of schema strings, a language of expressions, the
//! parts of intermediate representations, pictures of graphs, facts for other programs, sites for
//! people, and texts in comments.
//!
//! Invariant: nothing here knows a family; a table supplies what differs between families.

pub mod changes;
pub mod comment;
pub mod driver;
pub mod expr;
pub mod facts;
pub mod header;
pub mod ir;
pub mod picture;
pub mod schema;
pub mod site;

//! The files as written: YAML text becomes a tree with spans, and the tree becomes plain records.
//!
//! Invariant: every value knows its place in the file, and a reader reports all faults of a file, not only the first. Deliberately
//! absent: what a schema string means (see `parse`) and whether entries make sense together (see `model`).

mod build;
pub mod decode;
pub mod fields;
pub(crate) mod json_schema;
pub mod keys;
mod libyaml;
mod mapping;
pub mod resolve;
mod text;
mod tree;

pub use decode::decode;
pub use fields::{Fields, Spanned};
pub use keys::{KeySpec, KeyTable, Null};
pub use resolve::{Resolved, resolve};
pub use text::{Style, Text};
pub use tree::{Duplicates, MergeKeys, Node, NodeKind, Options, parse, parse_documents};

#[cfg(test)]
mod tests;

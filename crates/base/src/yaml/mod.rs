//! Reads YAML files: text becomes a tree with spans, and the tree becomes plain records.
//!
//! Invariant: every value knows its place in the file, and a reader reports all errors of a file,
//! not only the first. Families interpret the values.

mod build;
pub(crate) mod decode;
mod document;
pub mod fields;
pub mod format;
pub mod json_schema;
pub mod keys;
mod libyaml;
mod mapping;
pub mod resolve;
mod slips;
mod text;
mod tree;
mod unmapped;

pub use decode::{decode, encode_as, encode_like};
pub use document::{parse, parse_documents, parse_part};
pub use resolve::{Resolved, resolve};
pub(crate) use text::Style;
pub use text::Text;
pub use tree::{Node, NodeKind, Options};

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;

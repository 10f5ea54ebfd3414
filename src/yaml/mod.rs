//! Reads YAML files: text becomes a tree with spans, and the tree becomes plain records.
//!
//! Invariant: every value knows its place in the file, and a reader reports all errors of a file,
//! not only the first. Families interpret the values.

mod build;
pub(crate) mod decode;
mod document;
pub(crate) mod fields;
pub(crate) mod json_schema;
pub(crate) mod keys;
mod libyaml;
mod mapping;
pub(crate) mod resolve;
mod text;
mod tree;

pub(crate) use decode::{decode, encode_like};
pub(crate) use document::{parse, parse_documents, parse_part};
pub(crate) use resolve::{Resolved, resolve};
pub(crate) use text::{Style, Text};
pub(crate) use tree::{Node, NodeKind, Options};

#[cfg(test)]
pub(crate) mod tests;

//! The files as written: YAML text becomes a tree with spans, and the tree becomes plain records.
//!
//! Invariant: every value knows its place in the file, and a reader reports all faults of a file, not only the first. Deliberately
//! absent: what a schema string means (see `parse`) and whether entries make sense together (see `model`).

pub mod backend;
mod build;
pub mod decode;
pub mod deprecated;
pub mod derivatives;
pub mod fields;
pub mod json_schema;
pub mod keys;
mod libyaml;
mod mapping;
pub mod native;
pub mod resolve;
pub mod selective;
pub mod tags;
mod text;
mod tree;

pub use backend::{BackendRecord, NonNativeRecord, read_backend};
pub use decode::decode;
pub use deprecated::{DeprecatedRecord, read_deprecated};
pub use derivatives::{DerivativeRecord, FormulaRecord, KeyedFormulas, OutputDifferentiability, read_derivatives};
pub use fields::{Fields, Spanned};
pub use json_schema::json_schema;
pub use keys::{KeySpec, KeyTable, Null};
pub use native::{DispatchEntry, NativeFunctionRecord, UfuncRecord, read_native_functions};
pub use resolve::{Resolved, resolve};
pub use selective::{SelectiveRecord, read_names, read_selective};
pub use tags::{TagRecord, read_tags};
pub use text::{Style, Text};
pub use tree::{Duplicates, MergeKeys, Node, NodeKind, Options, parse};

#[cfg(test)]
mod tests;

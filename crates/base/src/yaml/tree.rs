//! Nodes that know their place, and how files are read into them.
//!
//! Invariant: plain data. `document` reads it, `resolve` finds the types of scalars.

use super::Text;
use crate::diag::Span;

/// The tag of nodes with a reported error. Tags in files never look like this.
pub(super) const WRONG: &str = "wrong";

/// A node of the tree.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its place. A block collection ends where its last child ends.
    pub span: Span,
    /// The explicit tag in its long form, if it has one.
    pub tag: Option<Box<str>>,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Debug, Clone)]
pub enum NodeKind {
    /// A scalar; `resolve` determines its type.
    Scalar(Text),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys and values in the order of the file.
    Mapping(Vec<(Node, Node)>),
}

/// How to treat a repeated key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Duplicates {
    /// As an error, as in operator files.
    Reject,
    /// The later value replaces the earlier one, as in PyYAML's safe loader.
    LastWins,
}

/// How to treat `<<`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MergeKeys {
    /// As an error: the reference's loader of operator files does not support it.
    Reject,
    /// It is expanded, as in PyYAML's safe loader.
    Expand,
}

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Repeated keys.
    pub(crate) duplicates: Duplicates,
    /// The key `<<`.
    pub(crate) merge_keys: MergeKeys,
}

impl Options {
    /// As the reference reads operator files. Rule: torchgen/yaml_utils.py.
    pub const OPERATORS: Options = Options { duplicates: Duplicates::Reject, merge_keys: MergeKeys::Reject };
    /// As the library layout reads operator files.
    pub const LIBRARY: Options = Options { duplicates: Duplicates::Reject, merge_keys: MergeKeys::Expand };
    /// As PyYAML's `safe_load` reads files.
    pub const SAFE_LOAD: Options = Options { duplicates: Duplicates::LastWins, merge_keys: MergeKeys::Expand };
}

impl Node {
    /// The scalar's text, whatever its type.
    pub fn as_text(&self) -> Option<&Text> {
        match &self.kind {
            NodeKind::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// Whether an error in it was reported already, so that its type does not matter.
    pub(crate) fn is_wrong(&self) -> bool {
        self.tag.as_deref() == Some(WRONG)
    }
}

//! The role of an operator among the views of its name.
//!
//! Invariant: it depends on the schema and the tags alone.

use super::NativeFunction;

/// The role of an operator in a view group. Rule: torchgen/model.py, `ViewSchemaKind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ViewSchemaKind {
    /// Returns an alias of its input.
    Aliasing,
    /// Changes its input's geometry in place.
    AliasingInplace,
    /// Not a view.
    NonAliasing,
}

impl NativeFunction {
    /// The operator's role in a view group.
    ///
    /// An inplace view without the tag `inplace_view` is an error that grouping reports.
    pub fn view_schema_kind(&self) -> ViewSchemaKind {
        match (self.is_view_op(), self.func.name.name.inplace) {
            (true, true) => ViewSchemaKind::AliasingInplace,
            (true, false) => ViewSchemaKind::Aliasing,
            (false, _) => ViewSchemaKind::NonAliasing,
        }
    }
}

//! Names with their places, for diagnostics.

use crate::diag::Span;

/// A name and where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Name {
    pub(crate) fn new(text: impl Into<String>, span: Span) -> Name {
        Name { text: text.into(), span }
    }
}

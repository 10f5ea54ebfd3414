//! Names with their places, for diagnostics.

use torchgen_base::diag::Span;

/// A name and where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

impl Name {
    pub(crate) fn new(text: impl Into<String>, span: Span) -> Name {
        Name { text: text.into(), span }
    }
}

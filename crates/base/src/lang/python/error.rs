//! Errors in the syntax of Python.

use std::ops::Range;

use crate::diag::{TextError, codes};

/// An error in the syntax at that place.
pub fn error(range: Range<usize>, message: impl Into<String>) -> TextError {
    TextError::new(&codes::PYTHON_SYNTAX, range, message)
}

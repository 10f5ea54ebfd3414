//! What is wrong in a formula, and where.
//!
//! Invariant: the range is in the formula, on character boundaries.

use std::ops::Range;
use torchgen_base::diag::Help;

/// Why a formula cannot be read, called or translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The bytes of the formula.
    pub range: Range<usize>,
    /// One sentence without a full stop.
    pub message: String,
    /// What to write instead, if that is known.
    pub help: Option<Help>,
    /// The formula is not C++.
    pub not_cpp: bool,
    /// A value has a type that is not taken where it is.
    pub wrong_type: bool,
}

impl Problem {
    /// A problem without a help.
    pub fn new(range: Range<usize>, message: impl Into<String>) -> Problem {
        Problem { range, message: message.into(), help: None, not_cpp: false, wrong_type: false }
    }

    /// The same of a formula that is not C++.
    pub fn not_cpp(range: Range<usize>, message: impl Into<String>) -> Problem {
        Problem { not_cpp: true, ..Problem::new(range, message) }
    }

    /// The same with a help.
    pub fn help(mut self, help: impl Into<Help>) -> Problem {
        self.help = Some(help.into());
        self
    }
}

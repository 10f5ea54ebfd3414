//! The expressions of C++ that formulas consist of, and what in a formula is not C++.
//!
//! Invariant: [`Problem::not_cpp`] is certain: no compiler accepts such a formula. A formula with
//! another problem may be C++ that this does not read, such as a lambda.

mod ast;
mod expression;
mod foreign;

use std::ops::Range;

pub use self::ast::{Binary, Expr, Node, Path, Unary};
pub use self::expression::parse;
pub use self::foreign::not_a_pointer;

/// Why a formula cannot be read, or has no translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The bytes of the formula.
    pub range: Range<usize>,
    /// One sentence without a full stop.
    pub message: String,
    /// What to write instead, if that is known.
    pub help: Option<String>,
    /// The formula is not C++.
    pub not_cpp: bool,
}

impl Problem {
    /// A problem without a help.
    pub fn new(range: Range<usize>, message: String) -> Problem {
        Problem { range, message, help: None, not_cpp: false }
    }

    /// The same with a help.
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }
}

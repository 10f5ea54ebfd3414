//! The expressions of formulas.
//!
//! Invariant: a range is that of the whole expression in the formula's text.

use std::ops::Range;

use crate::kit::expr::Comparison;

/// An expression and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expr {
    pub(super) node: Node,
    pub(super) range: Range<usize>,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// A number as written.
    Number(String),
    /// The contents of a string literal.
    Text(String),
    /// A name with its namespaces, and the arguments of its template.
    Path(Path),
    /// A function or a type with arguments in parentheses.
    Call(Path, Vec<Expr>),
    /// A method of a value.
    Method {
        object: Box<Expr>,
        name: String,
        place: Range<usize>,
        arguments: Vec<Expr>,
    },
    /// An element.
    Index(Box<Expr>, Box<Expr>),
    /// A type, if it is written, and values in braces.
    Braces(Option<Path>, Vec<Expr>),
    /// The value of an optional.
    Dereferenced(Box<Expr>),
    Unary(Unary, Box<Expr>),
    Binary {
        operator: Binary,
        place: Range<usize>,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Ternary {
        condition: Box<Expr>,
        yes: Box<Expr>,
        no: Box<Expr>,
    },
}

/// A qualified name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) parts: Vec<String>,
    /// The text between the angle brackets.
    pub(super) template: Option<String>,
    pub(super) range: Range<usize>,
}

impl Path {
    /// The name as written, without a template.
    pub(super) fn text(&self) -> String {
        self.parts.join("::")
    }

    /// The last part.
    pub(super) fn name(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// The only part, if nothing qualifies it.
    pub(super) fn single(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unary {
    Minus,
    Plus,
    Not,
    Invert,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Compare(Comparison),
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Binary {
    /// How tightly it binds in C++.
    pub(super) fn strength(self) -> u8 {
        use Binary::*;
        match self {
            Or => 1,
            And => 2,
            BitOr => 3,
            BitXor => 4,
            BitAnd => 5,
            Compare(comparison) if !comparison.orders() => 6,
            Compare(_) => 7,
            ShiftLeft | ShiftRight => 8,
            Add | Subtract => 9,
            Multiply | Divide | Remainder => 10,
        }
    }

    /// Its spelling in Python.
    pub(super) fn python(self) -> &'static str {
        use Binary::*;
        match self {
            Or => "or",
            And => "and",
            BitOr => "|",
            BitXor => "^",
            BitAnd => "&",
            Compare(comparison) => comparison.symbol(),
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Add => "+",
            Subtract => "-",
            Multiply => "*",
            Divide => "/",
            Remainder => "%",
        }
    }

    /// It compares.
    pub(super) fn compares(self) -> bool {
        matches!(self, Binary::Compare(_))
    }
}

//! The syntax tree: what was written, with the bytes it was written in.
//!
//! Invariant: a node's range covers the ranges of its parts. Deliberately absent: types, and what names mean.

use std::ops::Range;

/// A name and where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ident {
    /// The name.
    pub name: String,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// An expression and where it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ExprKind {
    /// `None`
    None,
    /// `True` or `False`, also in lower case.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number with a point or an exponent, as it is written.
    Float(String),
    /// A string; `{…}` in it are expressions.
    Str(Vec<Piece>),
    /// A name.
    Name(String),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `[element for variable in list if condition]`
    Comprehension(Box<Comprehension>),
    /// `-a` or `not a`
    Unary(Unary, Box<Expr>),
    /// `a + b`, comparisons, `and`, `or`, `in`
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a is None`, or `a is not None` where `negated`.
    IsNone {
        /// What is compared.
        value: Box<Expr>,
        /// Whether it says `is not`.
        negated: bool,
    },
    /// `then if condition else otherwise`
    Conditional {
        /// The value if the condition holds.
        then: Box<Expr>,
        /// The condition.
        condition: Box<Expr>,
        /// The value if it does not hold.
        otherwise: Box<Expr>,
    },
    /// `list[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `list[from:to]`
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    /// `f(a, key=b)`
    Call(Call),
}

/// The parts of a comprehension.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Comprehension {
    /// What each item becomes.
    pub element: Expr,
    /// The name of the item.
    pub variable: Ident,
    /// Where items come from.
    pub list: Expr,
    /// Which of them count.
    pub condition: Option<Expr>,
}

/// A part of a string.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    /// Characters, escapes resolved.
    Text(String),
    /// The value of an expression.
    Value(Expr),
}

/// How a call is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sigil {
    /// `f(…)`
    Plain,
    /// `f!(…)`
    Exact,
    /// `@f(…)`
    At,
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    /// What is called.
    pub callee: Ident,
    /// How it is marked.
    pub sigil: Sigil,
    /// Arguments by position.
    pub positional: Vec<Expr>,
    /// Arguments by name, in the order written.
    pub keywords: Vec<(Ident, Expr)>,
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    /// `-`
    Negate,
    /// `not`
    Not,
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Binary {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
    Add,
    Subtract,
    Multiply,
    /// `/`, which always gives a float.
    Divide,
    /// Two slashes: division of integers, rounded down.
    FloorDivide,
    /// `%`, with the sign of the divisor.
    Modulo,
}

impl Binary {
    /// How it is written.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Binary::Or => "or",
            Binary::And => "and",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::In => "in",
            Binary::NotIn => "not in",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::FloorDivide => FLOOR_DIVIDE,
            Binary::Modulo => "%",
        }
    }

    /// How tightly it binds; comparisons share one level and do not chain.
    pub(crate) fn power(self) -> u8 {
        match self {
            Binary::Or => 1,
            Binary::And => 2,
            Binary::Add | Binary::Subtract => 5,
            Binary::Multiply | Binary::Divide | Binary::FloorDivide | Binary::Modulo => 6,
            _ => COMPARISON,
        }
    }
}

/// The operator that divides integers.
pub(super) const FLOOR_DIVIDE: &str = "\u{2f}\u{2f}";

/// How tightly `not` binds.
pub(super) const NOT: u8 = 3;
/// How tightly comparisons bind.
pub(super) const COMPARISON: u8 = 4;
/// How tightly a sign binds.
pub(super) const SIGN: u8 = 7;
/// How tightly calls and indices bind.
pub(super) const POSTFIX: u8 = 8;

/// A statement and where it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Its bytes in the text, those of its blocks included.
    pub range: Range<usize>,
}

/// The kinds of statements.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StatementKind {
    /// `name = value`
    Assign {
        /// What gets the value.
        target: Ident,
        /// The value.
        value: Expr,
    },
    /// `if condition:` with its blocks; `elif` is an `if` in the second.
    If {
        /// The condition.
        condition: Expr,
        /// What happens if it holds.
        then: Vec<Statement>,
        /// What happens otherwise.
        otherwise: Vec<Statement>,
    },
    /// `for variable in list:`
    For {
        /// The name of the item.
        variable: Ident,
        /// Where items come from.
        list: Expr,
        /// What happens for each.
        body: Vec<Statement>,
    },
    /// `require condition, "message"`
    Require {
        /// What must hold.
        condition: Expr,
        /// What is said otherwise.
        message: Expr,
    },
    /// `fail "message"`
    Fail {
        /// What is said.
        message: Expr,
    },
    /// `return a, b`
    Return {
        /// The results.
        values: Vec<Expr>,
    },
}

//! The syntax tree: the text's structure, with places.
//!
//! Invariant: a node's range covers the ranges of its parts.

use std::ops::Range;

/// A name and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: String,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// An expression and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `None`
    None,
    /// `True` or `False`, in upper or lower case.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number with a point or an exponent, as written.
    Float(String),
    /// A string; `{…}` in it are expressions.
    Str(Vec<Piece>),
    /// A name.
    Name(String),
    /// `[a, *b]`
    List(Vec<Expr>),
    /// `*a`: all items of a list, as items of another.
    Starred(Box<Expr>),
    /// `[element for variable in list if condition]`
    Comprehension(Box<Comprehension>),
    /// `-a` or `not a`
    Unary(Unary, Box<Expr>),
    /// `a + b`, comparisons, `and`, `or`, `in`
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a is None`, or `a is not None` if `negated`.
    IsNone {
        /// The value.
        value: Box<Expr>,
        /// Whether it is `is not`.
        negated: bool,
    },
    /// `then if condition else otherwise`
    Conditional {
        /// The value if the condition holds.
        then: Box<Expr>,
        /// The condition.
        condition: Box<Expr>,
        /// The value otherwise.
        otherwise: Box<Expr>,
    },
    /// `list[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `list[from:to]`
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    /// `f(a, key=b)`
    Call(Call),
    /// `a.name`, or `a.name(b)` with arguments.
    Member {
        /// The value.
        of: Box<Expr>,
        /// The name of the property or method.
        name: Ident,
        /// The arguments of a method.
        arguments: Option<Vec<Expr>>,
    },
    /// `pattern as name`; in patterns only.
    Bound(Box<Expr>, Ident),
    /// `a | b`: one of several; in patterns only.
    Either(Vec<Expr>),
}

/// The parts of a comprehension.
#[derive(Debug, Clone, PartialEq)]
pub struct Comprehension {
    /// The expression for each item.
    pub element: Expr,
    /// The name of the item.
    pub(crate) variable: Ident,
    /// The list.
    pub(crate) list: Expr,
    /// The filter.
    pub(crate) condition: Option<Expr>,
}

/// A part of a string.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Characters, with escapes decoded.
    Text(String),
    /// The value of an expression.
    Value(Expr),
}

/// How a call is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sigil {
    /// `f(…)`
    Plain,
    /// `f!(…)`
    Exact,
    /// `@f(…)`
    At,
}

/// A call, of which nothing is left if a condition does not hold: `f(x) if c else None`.
#[derive(Debug, Clone, PartialEq)]
pub struct GuardedCall {
    /// The call.
    pub call: Call,
    /// The condition.
    pub condition: Option<Expr>,
    /// The bytes of the call.
    pub range: Range<usize>,
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The name called.
    pub callee: Ident,
    /// Its mark.
    pub sigil: Sigil,
    /// Positional arguments.
    pub positional: Vec<Expr>,
    /// Keyword arguments, in the order written.
    pub keywords: Vec<(Ident, Expr)>,
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `-`
    Negate,
    /// `not`
    Not,
}

/// How two values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    /// Every comparison.
    pub const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Greater,
        Comparison::GreaterEqual,
    ];

    /// Its symbol, in YAML, C++ and Python.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
        }
    }

    /// The comparison with that symbol.
    pub fn of_symbol(symbol: &str) -> Option<Comparison> {
        Comparison::ALL.into_iter().find(|comparison| comparison.symbol() == symbol)
    }

    /// Whether it needs values with an order.
    pub fn orders(self) -> bool {
        !matches!(self, Comparison::Equal | Comparison::NotEqual)
    }
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Or,
    And,
    Compare(Comparison),
    In,
    NotIn,
    Add,
    Subtract,
    Multiply,
    /// `/`, whose result is always a float.
    Divide,
    /// Two slashes: division of integers, rounded down.
    FloorDivide,
    /// `%`, with the sign of the divisor.
    Modulo,
}

impl Binary {
    /// Its symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Or => "or",
            Binary::And => "and",
            Binary::Compare(comparison) => comparison.symbol(),
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

    /// Its precedence; comparisons share a level and do not chain.
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

/// The operator of integer division.
pub(super) const FLOOR_DIVIDE: &str = "\u{2f}\u{2f}";

/// The precedence of `not`.
pub(super) const NOT: u8 = 3;
/// The precedence of comparisons.
pub(super) const COMPARISON: u8 = 4;
/// The precedence of a sign.
pub(super) const SIGN: u8 = 7;
/// The precedence of calls and indices.
pub(super) const POSTFIX: u8 = 8;

/// A statement and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// Its bytes in the text, those of its blocks included.
    pub range: Range<usize>,
}

/// The kinds of statements.
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `name = value`
    Assign {
        /// The variable.
        target: Ident,
        /// The value.
        value: Expr,
    },
    /// `if condition:` with its blocks; `elif` is an `if` in the second.
    If {
        /// The condition.
        condition: Expr,
        /// The block if it holds.
        then: Vec<Statement>,
        /// The block otherwise.
        otherwise: Vec<Statement>,
    },
    /// `for variable in list:`
    For {
        /// The name of the item.
        variable: Ident,
        /// The list.
        list: Expr,
        /// The block for each item.
        body: Vec<Statement>,
    },
    /// `require condition, "message"`
    Require {
        /// The condition.
        condition: Expr,
        /// The error message if it does not hold.
        message: Expr,
    },
    /// `fail "message"`
    Fail {
        /// The error message.
        message: Expr,
    },
    /// `return a, b`
    Return {
        /// The results.
        values: Vec<Expr>,
    },
}

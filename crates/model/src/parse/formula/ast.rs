//! The expressions of formulas.
//!
//! Invariant: a range is that of the whole expression in the formula's text.

use std::ops::Range;

use torchgen_kit::expr::Comparison;

/// An expression and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub node: Node,
    /// The bytes of the formula.
    pub range: Range<usize>,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
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
        /// The value.
        object: Box<Expr>,
        /// The method.
        name: String,
        /// The bytes of its name.
        place: Range<usize>,
        /// The arguments in parentheses.
        arguments: Vec<Expr>,
    },
    /// An element.
    Index(Box<Expr>, Box<Expr>),
    /// A type, if it is written, and values in braces.
    Braces(Option<Path>, Vec<Expr>),
    /// The value of an optional.
    Dereferenced {
        /// The optional.
        value: Box<Expr>,
        /// The place of the star, or of two of them without space between.
        place: Range<usize>,
    },
    /// An operator before a value.
    Unary(Unary, Box<Expr>),
    /// An operator between two values.
    Binary {
        /// The operator.
        operator: Binary,
        /// The bytes of the operator.
        place: Range<usize>,
        /// The first value.
        left: Box<Expr>,
        /// The second value.
        right: Box<Expr>,
    },
    /// `condition ? yes : no`
    Ternary {
        /// What decides.
        condition: Box<Expr>,
        /// The value if it holds.
        yes: Box<Expr>,
        /// The value otherwise.
        no: Box<Expr>,
    },
}

/// A qualified name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// The names between the colons.
    pub parts: Vec<String>,
    /// The text between the angle brackets.
    pub template: Option<String>,
    /// The bytes of the whole path.
    pub range: Range<usize>,
}

impl Path {
    /// The name as written, without a template.
    pub fn text(&self) -> String {
        self.parts.join("::")
    }

    /// The last part.
    pub fn name(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// The only part, if nothing qualifies it.
    pub fn single(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// An operator before a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `!` or `not`
    Not,
    /// `~` or `compl`
    Invert,
}

/// An operator between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==` and the other comparisons
    Compare(Comparison),
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl Binary {
    /// How tightly it binds in C++.
    pub(crate) fn strength(self) -> u8 {
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
    pub fn python(self) -> &'static str {
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
    pub fn compares(self) -> bool {
        matches!(self, Binary::Compare(_))
    }
}

impl Expr {
    /// Shows this expression and all in it, outer ones first.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        let parts: Vec<&Expr> = match &self.node {
            Node::Number(_) | Node::Text(_) | Node::Path(_) => Vec::new(),
            Node::Call(_, items) | Node::Braces(_, items) => items.iter().collect(),
            Node::Method { object, arguments, .. } => std::iter::once(&**object).chain(arguments).collect(),
            Node::Index(object, index) => vec![object, index],
            Node::Dereferenced { value, .. } | Node::Unary(_, value) => vec![value],
            Node::Binary { left, right, .. } => vec![left, right],
            Node::Ternary { condition, yes, no } => vec![condition, yes, no],
        };
        parts.into_iter().for_each(|part| part.walk(visit));
    }

    /// The name, if it is one without a namespace.
    pub(crate) fn single(&self) -> Option<&str> {
        match &self.node {
            Node::Path(path) => path.single(),
            _ => None,
        }
    }
}

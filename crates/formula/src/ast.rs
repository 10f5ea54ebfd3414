//! The expressions of formulas.
//!
//! Invariant: a range is that of the whole expression in the formula's text. An expression in
//! parentheses has them in its range.

use std::ops::Range;

use super::{Ty, ValueKind};
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
    /// String literals that follow each other, or a character, with their quotes.
    Literal(Vec<String>),
    /// A name with its namespaces, and the arguments of its template.
    Path(Path),
    /// A function or a type with arguments in parentheses.
    Call(Path, Vec<Expr>),
    /// A value that is called, such as a lambda.
    Apply(Box<Expr>, Vec<Expr>),
    /// A method of a value.
    Method(Method),
    /// A member that is not called.
    Member {
        /// The value.
        object: Box<Expr>,
        /// The member.
        name: String,
        /// The bytes of its name.
        place: Range<usize>,
    },
    /// An element.
    Index(Box<Expr>, Box<Expr>),
    /// A type, if it is written, and values in braces.
    Braces(Option<Path>, Vec<Expr>),
    /// A type in parentheses before a value.
    Cast(Path, Box<Expr>),
    /// The value of an optional.
    Dereferenced {
        /// The optional.
        value: Box<Expr>,
        /// The place of the star, or of two of them without space between.
        place: Range<usize>,
    },
    /// An operator before or after a value.
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
    /// A function without a name: its parameters and its body.
    Lambda(Vec<Parameter>, Vec<Statement>),
    /// Statements in parentheses and braces, whose value is that of the last one.
    Statements(Vec<Statement>),
    /// An exception that is thrown.
    Throw(Option<Box<Expr>>),
    /// `sizeof(T)` and other operators on types.
    OnType,
}

/// A parameter of a lambda.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The words of its type.
    pub ty: Vec<String>,
    /// The words of its default.
    pub default: Vec<String>,
}

impl Parameter {
    /// What is certain about it: only tensors are.
    pub(super) fn known(&self) -> Ty {
        match self.ty.last().is_some_and(|word| word == "Tensor") {
            true => ValueKind::Tensor.into(),
            false => Ty::UNKNOWN,
        }
    }
}

/// A method that is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// The value.
    pub object: Box<Expr>,
    /// It is called with `->`, on the value of an optional.
    pub arrow: bool,
    /// The method.
    pub name: String,
    /// The bytes of its name.
    pub place: Range<usize>,
    /// The arguments of its template.
    pub template: Option<String>,
    /// The arguments in parentheses.
    pub arguments: Vec<Expr>,
}

/// A statement of a lambda or a statement expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// The words before the names that are declared, these names, and the values that they get.
    Declare(Vec<Path>, Vec<String>, Vec<Expr>),
    /// Names for the parts of one value.
    Unpack(Vec<String>, Expr),
    /// An expression.
    Evaluate(Expr),
    /// An expression that is returned.
    Return(Expr),
    /// Statements with names of their own.
    Block(Vec<Statement>),
    /// What decides, the statement if it holds, and perhaps the one otherwise.
    If(Vec<Statement>),
    /// What a loop begins with, and what it repeats.
    Loop(Vec<Statement>),
    /// A statement whose tokens are not read.
    Other(Range<usize>),
}

/// A qualified name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// The names between the colons.
    pub parts: Vec<String>,
    /// The text between the angle brackets.
    pub template: Option<String>,
    /// It starts with `::`.
    pub is_global: bool,
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

/// An operator on one value.
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
    /// `&`
    AddressOf,
    /// `++` or `--`, on either side.
    Step,
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
    /// `=` and its compound forms.
    Assign,
    /// `,` in parentheses.
    Comma,
}

impl Binary {
    /// How tightly it binds in C++.
    pub(crate) fn strength(self) -> u8 {
        use Binary::*;
        match self {
            Assign | Comma => 0,
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

    /// Its symbol in Python.
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
            Assign => "=",
            Comma => ",",
        }
    }

    /// Its symbol in C++.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Or => "||",
            Binary::And => "&&",
            other => other.python(),
        }
    }

    /// It compares.
    pub fn compares(self) -> bool {
        matches!(self, Binary::Compare(_))
    }
}

impl Expr {
    /// The expressions that this one consists of, in order. Those of statements are not among them.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.node {
            Node::Number(_) | Node::Literal(_) | Node::Path(_) | Node::OnType => Vec::new(),
            Node::Lambda(..) | Node::Statements(_) => Vec::new(),
            Node::Call(_, items) | Node::Braces(_, items) => items.iter().collect(),
            Node::Apply(called, items) => std::iter::once(&**called).chain(items).collect(),
            Node::Method(method) => std::iter::once(&*method.object).chain(&method.arguments).collect(),
            Node::Index(object, index) => vec![object, index],
            Node::Member { object: value, .. }
            | Node::Dereferenced { value, .. }
            | Node::Unary(_, value)
            | Node::Cast(_, value) => vec![value],
            Node::Binary { left, right, .. } => vec![left, right],
            Node::Ternary { condition, yes, no } => vec![condition, yes, no],
            Node::Throw(value) => value.as_deref().into_iter().collect(),
        }
    }

    /// The statements that this expression consists of.
    pub fn statements(&self) -> &[Statement] {
        match &self.node {
            Node::Lambda(_, body) | Node::Statements(body) => body,
            _ => &[],
        }
    }

    /// Shows this expression and all in it, outer ones first.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        self.parts().into_iter().for_each(|part| part.walk(visit));
        self.statements().iter().for_each(|statement| statement.walk(visit));
    }

    /// The name, if it is one without a namespace.
    pub fn single(&self) -> Option<&str> {
        match &self.node {
            Node::Path(path) => path.single(),
            _ => None,
        }
    }

    /// The name with its namespaces, if this has one.
    pub fn path(&self) -> Option<&Path> {
        match &self.node {
            Node::Path(path) | Node::Call(path, _) | Node::Braces(Some(path), _) => Some(path),
            _ => None,
        }
    }
}

impl Statement {
    /// Shows the expressions in this statement, and all in them.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Statement::Declare(_, _, values) => values.iter().for_each(|value| value.walk(visit)),
            Statement::Evaluate(value) | Statement::Return(value) | Statement::Unpack(_, value) => value.walk(visit),
            Statement::Block(body) | Statement::If(body) | Statement::Loop(body) => {
                body.iter().for_each(|statement| statement.walk(visit));
            }
            Statement::Other(_) => {}
        }
    }
}

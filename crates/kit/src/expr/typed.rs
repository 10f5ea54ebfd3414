//! The checked tree: every value has a type, and every conversion is explicit.
//!
//! Invariant: a printer can print the tree without checking types.

use std::borrow::Cow;
use std::ops::Range;

use super::syntax::{Binary, Sigil, Unary};
use super::types::Type;

/// A checked expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// Its kind.
    pub kind: TypedKind,
    /// Its type.
    pub ty: Type,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// The kinds of checked expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TypedKind {
    None,
    Bool(bool),
    Int(i64),
    Float(String),
    Text(String),
    /// Parts that are concatenated to a string.
    Format(Vec<Typed>),
    /// A variable; if `unwrapped`, its type is optional and it is known not to be `None`.
    Variable {
        name: String,
        unwrapped: bool,
    },
    /// A constant, and its spelling in C++.
    Constant {
        name: String,
        cpp: String,
    },
    List(Vec<Typed>),
    /// In a list: all items of another, whose type it has.
    Starred(Box<Typed>),
    Comprehension(Box<TypedComprehension>),
    Unary(Unary, Box<Typed>),
    Binary(Binary, Box<Typed>, Box<Typed>),
    IsNone {
        value: Box<Typed>,
        negated: bool,
    },
    Conditional {
        then: Box<Typed>,
        condition: Box<Typed>,
        otherwise: Box<Typed>,
    },
    Index(Box<Typed>, Box<Typed>),
    Slice(Box<Typed>, Option<Box<Typed>>, Option<Box<Typed>>),
    /// A function without side effects; of a property or method, the value is the first argument.
    Call(Cow<'static, str>, Vec<Typed>),
    /// A call that the family handles.
    Custom(Box<CustomCall>),
    /// A conversion to the type of this expression.
    Convert(Box<Typed>),
}

/// The parts of a checked comprehension.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct TypedComprehension {
    pub element: Typed,
    pub variable: String,
    pub item: Type,
    pub list: Typed,
    pub condition: Option<Typed>,
}

/// A call that the family handles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomCall {
    /// The name called.
    pub name: String,
    /// Its mark.
    pub sigil: Sigil,
    /// Whether `name` is a variable that holds the name.
    pub by_variable: bool,
    /// A word by which the family distinguishes its kinds of calls.
    pub role: &'static str,
    /// The converted positional arguments.
    pub positional: Vec<Typed>,
    /// The converted keyword arguments.
    pub keywords: Vec<(String, Typed)>,
    /// The type of the result.
    pub result: Type,
}

impl Typed {
    /// Converts to a type that this one fits, if the two differ.
    pub(crate) fn convert(self, wanted: &Type) -> Typed {
        if self.ty == *wanted || *wanted == Type::Any {
            return self;
        }
        let range = self.range.clone();
        match (self.kind, &self.ty, wanted) {
            (TypedKind::Int(value), _, Type::Float) => {
                Typed { kind: TypedKind::Float(format!("{value}.0")), ty: Type::Float, range }
            }
            (TypedKind::List(items), _, Type::List(item)) => {
                let items = items.into_iter().map(|typed| typed.convert_item(item)).collect();
                Typed { kind: TypedKind::List(items), ty: wanted.clone(), range }
            }
            (kind, ty, _) => {
                let inner = Typed { kind, ty: ty.clone(), range: range.clone() };
                Typed { kind: TypedKind::Convert(Box::new(inner)), ty: wanted.clone(), range }
            }
        }
    }

    /// Converts an item of a list, or the list that is starred there.
    pub(crate) fn convert_item(self, wanted: &Type) -> Typed {
        match self.kind {
            TypedKind::Starred(list) => {
                let list = list.convert(&wanted.clone().list());
                Typed { ty: list.ty.clone(), kind: TypedKind::Starred(Box::new(list)), range: self.range }
            }
            _ => self.convert(wanted),
        }
    }

    /// Calls `visit` for this expression and all its parts, outer ones first.
    pub fn walk(&self, visit: &mut impl FnMut(&Typed)) {
        visit(self);
        match &self.kind {
            TypedKind::Format(items) | TypedKind::List(items) | TypedKind::Call(_, items) => {
                items.iter().for_each(|item| item.walk(visit));
            }
            TypedKind::Comprehension(parts) => {
                parts.list.walk(visit);
                parts.element.walk(visit);
                parts.condition.iter().for_each(|condition| condition.walk(visit));
            }
            TypedKind::Unary(_, a)
            | TypedKind::Starred(a)
            | TypedKind::IsNone { value: a, .. }
            | TypedKind::Convert(a) => a.walk(visit),
            TypedKind::Binary(_, a, b) | TypedKind::Index(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            TypedKind::Conditional { then, condition, otherwise } => {
                condition.walk(visit);
                then.walk(visit);
                otherwise.walk(visit);
            }
            TypedKind::Slice(a, from, to) => {
                a.walk(visit);
                from.iter().chain(to).for_each(|bound| bound.walk(visit));
            }
            TypedKind::Custom(call) => {
                call.positional.iter().for_each(|argument| argument.walk(visit));
                call.keywords.iter().for_each(|(_, argument)| argument.walk(visit));
            }
            TypedKind::None
            | TypedKind::Bool(_)
            | TypedKind::Int(_)
            | TypedKind::Float(_)
            | TypedKind::Text(_)
            | TypedKind::Variable { .. }
            | TypedKind::Constant { .. } => {}
        }
    }

    /// Whether it contains a call that the family handles.
    pub fn has_custom_call(&self) -> bool {
        let mut found = false;
        self.walk(&mut |typed| found |= matches!(typed.kind, TypedKind::Custom(_)));
        found
    }

    /// Whether it contains a comprehension.
    pub fn has_comprehension(&self) -> bool {
        let mut found = false;
        self.walk(&mut |typed| found |= matches!(typed.kind, TypedKind::Comprehension(_)));
        found
    }
}

/// A checked statement.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Step {
    /// Assigns to a variable; if `fresh`, declares it.
    Let { name: String, ty: Type, value: Typed, fresh: bool },
    /// A choice. The variables in `hoisted` are declared before it and assigned in both blocks.
    If { condition: Typed, then: Vec<Step>, otherwise: Vec<Step>, hoisted: Vec<(String, Type)> },
    /// A loop.
    For { variable: String, item: Type, list: Typed, body: Vec<Step> },
    /// A check.
    Require { condition: Typed, message: Typed },
    /// An unconditional error.
    Fail { message: Typed },
    /// The results.
    Return { values: Vec<Typed> },
}

//! Types and functions.
//!
//! Invariant: the language itself has only numbers, text and lists; everything else comes from a
//! [`Vocabulary`](super::Vocabulary).

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// The type of the items of an empty list.
    Never,
    /// The type of `None`.
    None,
    /// A boolean.
    Bool,
    /// An integer of 64 bits.
    Int,
    /// A 64-bit floating-point number.
    Float,
    /// Text.
    Str,
    /// A list.
    List(Box<Type>),
    /// A value or `None`.
    Optional(Box<Type>),
    /// A type of the family.
    Named(Arc<str>),
    /// In a function's signature: any type, but the same one everywhere.
    Any,
}

impl Type {
    /// A type of the family.
    pub fn with_name(name: &str) -> Type {
        Type::Named(Arc::from(name))
    }

    /// A list of this type.
    pub fn list(self) -> Type {
        Type::List(Box::new(self))
    }

    /// This type or `None`.
    pub fn optional(self) -> Type {
        Type::Optional(Box::new(self))
    }

    /// Whether it is a number, or may be one after an earlier error.
    pub fn is_number(&self) -> bool {
        matches!(self, Type::Int | Type::Float | Type::Never)
    }

    /// The type that both can be converted to, if there is one.
    pub(crate) fn join(&self, other: &Type) -> Option<Type> {
        match (self, other) {
            _ if self == other => Some(self.clone()),
            (Type::Never, ty) | (ty, Type::Never) => Some(ty.clone()),
            (Type::Int, Type::Float) | (Type::Float, Type::Int) => Some(Type::Float),
            (Type::List(a), Type::List(b)) => Some(a.join(b)?.list()),
            (Type::None, ty @ Type::Optional(_)) | (ty @ Type::Optional(_), Type::None) => Some(ty.clone()),
            (Type::None, ty) | (ty, Type::None) => Some(ty.clone().optional()),
            (Type::Optional(a), Type::Optional(b)) => Some(a.join(b)?.optional()),
            (Type::Optional(a), b) | (b, Type::Optional(a)) => Some(a.join(b)?.optional()),
            _ => None,
        }
    }

    /// Whether a value of this type can be used as the other.
    pub(crate) fn fits(&self, wanted: &Type) -> bool {
        match (self, wanted) {
            _ if self == wanted => true,
            (Type::Never, _) | (_, Type::Any) | (Type::Int, Type::Float) | (Type::None, Type::Optional(_)) => true,
            (Type::List(a), Type::List(b)) => a.fits(b),
            (Type::Optional(a), Type::Optional(b)) => a.fits(b),
            (a, Type::Optional(b)) => a.fits(b),
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Never => f.write_str("nothing"),
            Type::None => f.write_str("None"),
            Type::Bool => f.write_str("bool"),
            Type::Int => f.write_str("int"),
            Type::Float => f.write_str("float"),
            Type::Str => f.write_str("str"),
            Type::List(item) => write!(f, "{item}[]"),
            Type::Optional(inner) => write!(f, "{inner}?"),
            Type::Named(name) => f.write_str(name),
            Type::Any => f.write_str("any"),
        }
    }
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its name, for documentation.
    pub name: Cow<'static, str>,
    /// Its type.
    pub ty: Type,
}

/// A function of the language or the family, without side effects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its parameters, all required.
    pub(crate) parameters: Vec<Parameter>,
    /// Whether the last parameter may be repeated.
    pub(crate) variadic: bool,
    /// The type of its result; [`Type::Any`] is that of the parameters.
    pub result: Type,
    /// Its result, in one sentence.
    pub(crate) doc: &'static str,
}

impl Function {
    /// A function with these parameters.
    pub fn new<N: Clone + Into<Cow<'static, str>>>(
        name: N,
        parameters: &[(N, Type)],
        result: Type,
        doc: &'static str,
    ) -> Function {
        let parameter = |(name, ty): &(N, Type)| Parameter { name: name.clone().into(), ty: ty.clone() };
        let parameters = parameters.iter().map(parameter).collect();
        Function { name: name.into(), parameters, variadic: false, result, doc }
    }

    /// The type of the parameter at a position.
    pub(crate) fn parameter(&self, at: usize) -> Option<&Type> {
        let last = self.parameters.last().filter(|_| self.variadic);
        self.parameters.get(at).or(last).map(|parameter| &parameter.ty)
    }

    /// Whether it accepts this number of arguments.
    pub(crate) fn takes(&self, count: usize) -> bool {
        if self.variadic { count >= self.parameters.len() } else { count == self.parameters.len() }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for (i, parameter) in self.parameters.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{} {}", parameter.ty, parameter.name)?;
        }
        let dots = if self.variadic { ", ..." } else { "" };
        write!(f, "{dots}) -> {}", self.result)
    }
}

/// The functions that every family has.
pub fn core_functions() -> Vec<Function> {
    use Type::{Any, Bool, Float, Int, Str};
    let ints = || Int.list();
    vec![
        Function::new("len", &[("list", Any.list())], Int, "How many items a list has."),
        Function::new("len", &[("text", Str)], Int, "How many bytes a text has."),
        Function::new("range", &[("end", Int)], ints(), "The integers from 0 up to, but not including, `end`."),
        Function::new("range", &[("start", Int), ("end", Int)], ints(), "The integers from `start` up to `end`."),
        Function::new("sum", &[("list", ints())], Int, "The sum of a list."),
        Function::new("product", &[("list", ints())], Int, "The product of a list, 1 for an empty one."),
        Function::new("min", &[("a", Int), ("b", Int)], Int, "The smaller of two."),
        Function::new("min", &[("a", Float), ("b", Float)], Float, "The smaller of two."),
        Function::new("max", &[("a", Int), ("b", Int)], Int, "The larger of two."),
        Function::new("max", &[("a", Float), ("b", Float)], Float, "The larger of two."),
        Function::new(
            "smallest_index",
            &[("list", ints())],
            Int,
            "The index of the smallest item, the first of equal ones.",
        ),
        Function::new("ceil_div", &[("a", Int), ("b", Int)], Int, "`a` divided by `b`, rounded up."),
        Function::new("sqrt", &[("a", Float)], Float, "The square root."),
        Function::new(
            "replaced",
            &[("list", Any.list()), ("index", Int), ("item", Any)],
            Any.list(),
            "The list with another item at an index.",
        ),
        Function::new(
            "without",
            &[("list", Any.list()), ("index", Int)],
            Any.list(),
            "The list without the item at an index.",
        ),
        Function::new("all_equal", &[("list", ints()), ("item", Int)], Bool, "Whether all items equal `item`."),
    ]
}

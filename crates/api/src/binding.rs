//! C++ types with a meaning: the argument that a value of the type represents, and the parameters
//! that carry it.
//!
//! Invariant: two [`NamedCType`]s are equal only if either value can replace the other. Rule:
//! torchgen/api/types/types_base.py.

use std::borrow::Cow;
use std::fmt;

use super::ctype::CType;
use torchgen_model::model::schema::ArgumentRef;

/// What a value represents: usually an argument of the schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ArgName<'a> {
    /// The argument of that name.
    Named(Cow<'a, str>),
    /// A memory format beside tensor options that may contain one as well. Generated code checks
    /// that the two agree.
    PossiblyRedundantMemoryFormat,
}

impl<'a> ArgName<'a> {
    /// The argument's name, or `None` for the special one.
    pub(crate) fn as_named(&self) -> Option<&str> {
        match self {
            ArgName::Named(name) => Some(name),
            ArgName::PossiblyRedundantMemoryFormat => None,
        }
    }
}

impl<'a> From<&'a str> for ArgName<'a> {
    fn from(name: &'a str) -> ArgName<'a> {
        ArgName::Named(Cow::Borrowed(name))
    }
}

impl<'a> From<&'a String> for ArgName<'a> {
    fn from(name: &'a String) -> ArgName<'a> {
        ArgName::Named(Cow::Borrowed(name))
    }
}

impl From<String> for ArgName<'_> {
    fn from(name: String) -> Self {
        ArgName::Named(Cow::Owned(name))
    }
}

impl fmt::Display for ArgName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_named().unwrap_or("possibly redundant memory_format"))
    }
}

/// A C++ type and what its value represents.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NamedCType<'a> {
    /// What the value represents.
    pub name: ArgName<'a>,
    /// Its type.
    pub ty: CType,
}

impl<'a> NamedCType<'a> {
    /// A value of type `ty` that represents `name`.
    pub fn new(name: impl Into<ArgName<'a>>, ty: impl Into<CType>) -> NamedCType<'a> {
        NamedCType { name: name.into(), ty: ty.into() }
    }

    /// The type as C++ spells it.
    pub(crate) fn cpp_type(&self) -> &str {
        self.ty.cpp_type()
    }

    /// The same without references.
    pub(crate) fn remove_const_ref(&self) -> NamedCType<'a> {
        NamedCType { name: self.name.clone(), ty: self.ty.remove_const_ref() }
    }

    /// The same type for another argument.
    pub(crate) fn with_name(&self, name: impl Into<ArgName<'a>>) -> NamedCType<'a> {
        NamedCType { name: name.into(), ty: self.ty }
    }
}

/// A parameter of a C++ function.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding<'a> {
    /// The parameter's name, which may differ from the argument that it represents.
    pub name: Cow<'a, str>,
    /// Its type and what it represents.
    pub nctype: NamedCType<'a>,
    /// The schema argument it comes from.
    pub argument: ArgumentRef<'a>,
    /// Its default as a C++ expression.
    pub default: Option<Cow<'a, str>>,
}

impl<'a> Binding<'a> {
    /// The parameter for an argument, under the argument's own name and without a default.
    pub fn new(name: &'a str, ty: impl Into<CType>, argument: ArgumentRef<'a>) -> Binding<'a> {
        Binding { name: Cow::Borrowed(name), nctype: NamedCType::new(name, ty), argument, default: None }
    }

    /// The parameter's type as C++ spells it.
    pub fn ty(&self) -> &str {
        self.nctype.cpp_type()
    }

    /// `type name=default`
    pub fn decl(&self) -> String {
        let mut out = String::new();
        self.write_decl(&mut out);
        out
    }

    /// `type name`
    pub fn defn(&self) -> String {
        let mut out = String::new();
        self.write_defn(&mut out);
        out
    }

    /// Appends `type name`.
    pub(super) fn write_defn(&self, out: &mut String) {
        out.push_str(self.ty());
        out.push(' ');
        out.push_str(&self.name);
    }

    /// Appends `type name=default`.
    pub(super) fn write_decl(&self, out: &mut String) {
        self.write_defn(out);
        if let Some(default) = &self.default {
            out.push('=');
            out.push_str(default);
        }
    }

    /// The same parameter under another C++ name; its meaning is the same.
    pub fn with_name(&self, name: impl Into<Cow<'a, str>>) -> Binding<'a> {
        Binding { name: name.into(), ..self.clone() }
    }

    /// The parameter, used as an expression.
    pub fn to_expr(&self) -> Expr<'a> {
        Expr { expr: self.name.clone(), nctype: self.nctype.clone() }
    }
}

/// A C++ expression and what it provides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr<'a> {
    /// The expression.
    pub expr: Cow<'a, str>,
    /// Its type and what it represents.
    pub nctype: NamedCType<'a>,
}

impl<'a> Expr<'a> {
    /// An expression of that type that represents that argument.
    pub fn new(expr: impl Into<Cow<'a, str>>, nctype: NamedCType<'a>) -> Expr<'a> {
        Expr { expr: expr.into(), nctype }
    }
}

/// The expressions, as the arguments of a call.
pub fn joined(expressions: &[Expr<'_>]) -> String {
    expressions.iter().map(|e| &*e.expr).collect::<Vec<_>>().join(", ")
}

impl<'a> From<&Binding<'a>> for Expr<'a> {
    fn from(binding: &Binding<'a>) -> Expr<'a> {
        binding.to_expr()
    }
}

impl<'a> From<&Expr<'a>> for Expr<'a> {
    fn from(expr: &Expr<'a>) -> Expr<'a> {
        expr.clone()
    }
}

impl<'a> From<&Binding<'a>> for NamedCType<'a> {
    fn from(binding: &Binding<'a>) -> NamedCType<'a> {
        binding.nctype.clone()
    }
}

impl<'a> From<&NamedCType<'a>> for NamedCType<'a> {
    fn from(nctype: &NamedCType<'a>) -> NamedCType<'a> {
        nctype.clone()
    }
}

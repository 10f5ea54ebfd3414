//! Expressions of Python, with what is known of their values.
//!
//! Invariant: a kind other than [`Kind::Unknown`] is certain.

use torchgen_model::model::{BaseTy, Return, Type};

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Tensor,
    Tensors,
    /// Symbolic ones too.
    Int,
    Ints,
    Float,
    Floats,
    Bool,
    Bools,
    /// A number of any type.
    Scalar,
    Text,
    Dtype,
    Layout,
    Device,
    MemoryFormat,
    Generator,
    /// Keywords of a factory function.
    Options,
    Tuple,
    /// No tensor, or an optional without a value.
    Nothing,
    /// Braces without values, which are empty, or nothing.
    Empty,
    Unknown,
}

impl Kind {
    /// The kind of values of a type. That of an optional is the one of its values.
    pub(crate) fn of(ty: &Type) -> Kind {
        match ty {
            Type::Base(base) => Kind::of_base(*base),
            Type::Optional(elem) => Kind::of(elem),
            Type::List(elem, _) => match Kind::of(elem) {
                Kind::Tensor => Kind::Tensors,
                Kind::Int => Kind::Ints,
                Kind::Float => Kind::Floats,
                Kind::Bool => Kind::Bools,
                _ => Kind::Unknown,
            },
            Type::Dict(..) | Type::CustomClass(_) => Kind::Unknown,
        }
    }

    fn of_base(base: BaseTy) -> Kind {
        match base {
            BaseTy::Tensor => Kind::Tensor,
            BaseTy::Int | BaseTy::SymInt | BaseTy::DeviceIndex => Kind::Int,
            BaseTy::Float => Kind::Float,
            BaseTy::Bool | BaseTy::SymBool => Kind::Bool,
            BaseTy::Scalar => Kind::Scalar,
            BaseTy::Str => Kind::Text,
            BaseTy::ScalarType => Kind::Dtype,
            BaseTy::Layout => Kind::Layout,
            BaseTy::Device => Kind::Device,
            BaseTy::MemoryFormat => Kind::MemoryFormat,
            BaseTy::Generator => Kind::Generator,
            _ => Kind::Unknown,
        }
    }

    /// The kind of an element of a list.
    pub(super) fn element(self) -> Kind {
        match self {
            Kind::Tensors => Kind::Tensor,
            Kind::Ints => Kind::Int,
            Kind::Floats => Kind::Float,
            Kind::Bools => Kind::Bool,
            _ => Kind::Unknown,
        }
    }

    /// The kind of what an operator returns.
    pub(super) fn returned(returns: &[Return]) -> Kind {
        match returns {
            [] => Kind::Nothing,
            [one] => Kind::of(&one.ty),
            _ => Kind::Tuple,
        }
    }

    /// How far a value of this kind is from a parameter's type: 0 if it is of that type, `None` if
    /// C++ has no conversion.
    pub(super) fn distance(self, ty: &Type) -> Option<u8> {
        let wanted = Kind::of(ty);
        let nullable = matches!(ty, Type::Optional(_)) || wanted == Kind::Tensor;
        match (self, wanted) {
            (Kind::Unknown, _) | (_, Kind::Unknown) => Some(0),
            (one, other) if one == other => Some(0),
            (Kind::Nothing, _) => nullable.then_some(0),
            (Kind::Empty, _) => (nullable || is_list(wanted)).then_some(0),
            (Kind::Int, Kind::Float | Kind::Scalar | Kind::Bool | Kind::Ints)
            | (Kind::Float, Kind::Scalar)
            | (Kind::Bool, Kind::Int | Kind::Scalar | Kind::Float)
            | (Kind::Tensor, Kind::Tensors) => Some(1),
            _ => None,
        }
    }
}

/// A kind of lists.
pub(super) fn is_list(kind: Kind) -> bool {
    matches!(kind, Kind::Tensors | Kind::Ints | Kind::Floats | Kind::Bools)
}

/// How tightly the parts of a Python expression bind.
pub(super) mod strength {
    pub(in super::super) const TERNARY: u8 = 1;
    pub(in super::super) const OR: u8 = 2;
    pub(in super::super) const AND: u8 = 3;
    pub(in super::super) const NOT: u8 = 4;
    pub(in super::super) const COMPARE: u8 = 5;
    pub(in super::super) const BIT_OR: u8 = 6;
    pub(in super::super) const BIT_XOR: u8 = 7;
    pub(in super::super) const BIT_AND: u8 = 8;
    pub(in super::super) const SHIFT: u8 = 9;
    pub(in super::super) const ADD: u8 = 10;
    pub(in super::super) const MULTIPLY: u8 = 11;
    pub(in super::super) const UNARY: u8 = 12;
    pub(in super::super) const ATOM: u8 = 20;
}

/// An expression of Python.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Value {
    /// Its text.
    pub text: String,
    /// What it is.
    pub(crate) kind: Kind,
    pub(super) strength: u8,
}

impl Value {
    /// An expression that never needs parentheses.
    pub(crate) fn atom(text: impl Into<String>, kind: Kind) -> Value {
        Value { text: text.into(), kind, strength: strength::ATOM }
    }

    /// The text as an operand of something that binds that tightly.
    pub(super) fn within(&self, strength: u8) -> String {
        if self.strength < strength { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The text before a dot or a bracket.
    pub(super) fn object(&self) -> String {
        let is_number = self.text.starts_with(|c: char| c.is_ascii_digit());
        if is_number { format!("({})", self.text) } else { self.within(strength::ATOM) }
    }
}

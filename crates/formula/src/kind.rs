//! The types of values in formulas: those of the model, and what only formulas have.
//!
//! Invariant: a kind other than [`ValueKind::Unknown`] is certain.

use torchgen_model::model::{BaseTy, Return, Type};

/// What a value is, without whether it may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// `at::Tensor`
    Tensor,
    /// A list of tensors.
    Tensors,
    /// `int64_t`
    Int,
    /// A list of them.
    Ints,
    /// `c10::SymInt`
    SymInt,
    /// A list of them.
    SymInts,
    /// `double`
    Float,
    /// A list of them.
    Floats,
    /// A floating point number that is computed from symbolic integers.
    SymFloat,
    /// `bool`
    Bool,
    /// A list of them.
    Bools,
    /// A number of any type.
    Scalar,
    /// A string.
    Text,
    /// `c10::ScalarType`
    Dtype,
    /// What `dtype()` of a tensor is in C++: no function takes it as a dtype.
    TypeMeta,
    /// `c10::Layout`
    Layout,
    /// `c10::Device` or its type.
    Device,
    /// `c10::MemoryFormat`
    MemoryFormat,
    /// `at::QScheme`
    QScheme,
    /// `at::Generator`
    Generator,
    /// Dtype, layout, device and pinning as one value.
    Options,
    /// `std::tuple`
    Tuple,
    /// `Tensor()`
    Undefined,
    /// `std::nullopt`
    Nothing,
    /// Braces without values.
    Empty,
    /// The value of a `throw`, which fits everywhere.
    Never,
    /// `c10::List<std::optional<at::Tensor>>`
    Optionals,
    /// An element of a saved one, or `wrap_opt_if(…)`: it converts to an optional, and has no
    /// methods.
    OptionalTensor,
    /// An integer in braces, which fits into numbers and lists.
    Braces,
    /// Several integers in braces, which fit into lists.
    Elements,
    /// Several integers in three pairs of braces, which fit into lists that may be missing.
    Nested,
    /// A tensor in braces, which fits into tensors and lists of them.
    Braced,
    /// A floating point number in braces, which does not fit into integers.
    Fraction,
    /// Lists in braces, or values of different kinds, which fit into no operator.
    Mixed,
    /// `c10::complex<double>`
    Complex,
    /// What a function returns that returns nothing.
    Void,
    /// Something that no operator takes, such as a pointer.
    Other,
    /// Anything else, or not certain.
    Unknown,
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ty {
    /// What it is.
    pub kind: ValueKind,
    /// It is a `std::optional`. Formulas have a tensor in place of an optional one, conditions do
    /// not, so such a tensor may be either.
    pub optional: bool,
}

impl From<ValueKind> for Ty {
    fn from(kind: ValueKind) -> Ty {
        Ty { kind, optional: false }
    }
}

impl Ty {
    /// A value of which nothing is known.
    pub const UNKNOWN: Ty = Ty { kind: ValueKind::Unknown, optional: false };

    /// The type of values of a schema's type.
    pub fn from_schema_type(ty: &Type) -> Ty {
        let kind = ValueKind::from_schema_type(ty);
        Ty { kind, optional: matches!(ty, Type::Optional(_)) && kind != ValueKind::Unknown }
    }

    /// The type of what a function returns.
    pub fn returned(returns: &[Return]) -> Ty {
        match returns {
            [] => ValueKind::Void.into(),
            [one] => Ty::from_schema_type(&one.ty),
            _ => ValueKind::Tuple.into(),
        }
    }

    /// The kind, unless a value may be missing.
    pub fn certain(self) -> ValueKind {
        if self.is_optional() { ValueKind::Unknown } else { self.kind }
    }

    /// It is certainly a `std::optional`.
    pub fn is_optional(self) -> bool {
        self.optional && self.kind != ValueKind::Tensor
    }

    /// The type as a message names it.
    pub fn name(self) -> String {
        match self.is_optional() {
            true => format!("an optional of {}", self.kind.name()),
            false => self.kind.name().to_owned(),
        }
    }
}

impl ValueKind {
    /// The kind of values of a type. That of an optional is the one of its values.
    pub fn from_schema_type(ty: &Type) -> ValueKind {
        match ty {
            Type::Base(base) => ValueKind::of_base(*base),
            Type::Optional(elem) => ValueKind::from_schema_type(elem),
            Type::List(elem, _) if matches!(**elem, Type::Base(_)) => ValueKind::from_schema_type(elem).list(),
            Type::List(elem, _) if **elem == Type::Optional(Box::new(Type::TENSOR)) => ValueKind::Optionals,
            Type::List(..) | Type::Dict(..) | Type::CustomClass(_) => ValueKind::Unknown,
        }
    }

    fn of_base(base: BaseTy) -> ValueKind {
        match base {
            BaseTy::Tensor => ValueKind::Tensor,
            BaseTy::Int => ValueKind::Int,
            BaseTy::SymInt => ValueKind::SymInt,
            BaseTy::Float => ValueKind::Float,
            BaseTy::Bool => ValueKind::Bool,
            BaseTy::Scalar => ValueKind::Scalar,
            BaseTy::Str => ValueKind::Text,
            BaseTy::ScalarType => ValueKind::Dtype,
            BaseTy::Layout => ValueKind::Layout,
            BaseTy::Device => ValueKind::Device,
            BaseTy::MemoryFormat => ValueKind::MemoryFormat,
            BaseTy::Generator => ValueKind::Generator,
            BaseTy::QScheme => ValueKind::QScheme,
            _ => ValueKind::Unknown,
        }
    }

    /// The kind of a list of such values.
    pub fn list(self) -> ValueKind {
        match self {
            ValueKind::Tensor | ValueKind::Undefined => ValueKind::Tensors,
            ValueKind::Int => ValueKind::Ints,
            ValueKind::SymInt => ValueKind::SymInts,
            ValueKind::Float => ValueKind::Floats,
            ValueKind::Bool => ValueKind::Bools,
            _ => ValueKind::Unknown,
        }
    }

    /// The kind of an element of a list.
    pub fn element(self) -> ValueKind {
        match self {
            ValueKind::Tensors => ValueKind::Tensor,
            ValueKind::Ints => ValueKind::Int,
            ValueKind::SymInts => ValueKind::SymInt,
            ValueKind::Floats => ValueKind::Float,
            ValueKind::Bools => ValueKind::Bool,
            _ => ValueKind::Unknown,
        }
    }

    /// A kind of lists.
    pub fn is_list(self) -> bool {
        matches!(self, ValueKind::Tensors | ValueKind::Ints | ValueKind::SymInts | ValueKind::Floats | ValueKind::Bools)
    }

    /// Symbolic integers and plain ones.
    pub fn is_integer(self) -> bool {
        matches!(self, ValueKind::Int | ValueKind::SymInt)
    }

    /// Numbers that C++ can compute with, except for `Scalar`.
    pub fn is_number(self) -> bool {
        matches!(self, ValueKind::Int | ValueKind::SymInt | ValueKind::Float | ValueKind::SymFloat | ValueKind::Bool)
    }

    /// Numbers of C++ itself: no symbolic ones.
    pub fn is_plain_number(self) -> bool {
        matches!(self, ValueKind::Int | ValueKind::Float | ValueKind::Bool)
    }

    /// Numbers, also a `Scalar`.
    pub fn is_number_or_scalar(self) -> bool {
        self.is_number() || self == ValueKind::Scalar
    }

    /// A tensor, perhaps an undefined one.
    pub fn is_tensor(self) -> bool {
        matches!(self, ValueKind::Tensor | ValueKind::Undefined)
    }

    /// The kind as a message names it.
    pub fn name(self) -> &'static str {
        match self {
            ValueKind::Tensor | ValueKind::Undefined => "a tensor",
            ValueKind::Tensors => "a list of tensors",
            ValueKind::SymInt => "a symbolic integer",
            ValueKind::SymInts => "a list of symbolic integers",
            ValueKind::Int => "an integer",
            ValueKind::Ints => "a list of integers",
            ValueKind::Float => "a number",
            ValueKind::SymFloat => "a symbolic number",
            ValueKind::Floats => "a list of numbers",
            ValueKind::Bool => "a bool",
            ValueKind::Bools => "a list of bools",
            ValueKind::Scalar => "a Scalar",
            ValueKind::Text => "a string",
            ValueKind::Dtype => "a dtype",
            ValueKind::TypeMeta => "`caffe2::TypeMeta`",
            ValueKind::Layout => "a layout",
            ValueKind::Device => "a device",
            ValueKind::QScheme => "a quantization scheme",
            ValueKind::MemoryFormat => "a memory format",
            ValueKind::Generator => "a generator",
            ValueKind::Options => "tensor options",
            ValueKind::Tuple => "a tuple",
            ValueKind::Nothing => "`std::nullopt`",
            ValueKind::Empty => "`{}`",
            ValueKind::Optionals => "a list of optional tensors",
            ValueKind::OptionalTensor => "an optional tensor",
            ValueKind::Braces => "an integer in braces",
            ValueKind::Elements => "integers in braces",
            ValueKind::Nested => "integers in braces in braces in braces",
            ValueKind::Braced => "a tensor in braces",
            ValueKind::Fraction => "a floating point number in braces",
            ValueKind::Mixed => "a list of lists or of different values",
            ValueKind::Complex => "a complex number",
            ValueKind::Void => "nothing",
            ValueKind::Other => "a pointer or a function",
            ValueKind::Never | ValueKind::Unknown => "this",
        }
    }
}

//! The types of values in formulas: those of the model, and what only formulas have.
//!
//! Invariant: a kind other than [`Kind::Unknown`] is certain.

use torchgen_model::model::{BaseTy, Return, Type};

/// What a value is, without whether it may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
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
    pub kind: Kind,
    /// It is a `std::optional`. Formulas have a tensor in place of an optional one, conditions do
    /// not, so such a tensor may be either.
    pub optional: bool,
}

impl From<Kind> for Ty {
    fn from(kind: Kind) -> Ty {
        Ty { kind, optional: false }
    }
}

impl Ty {
    /// A value of which nothing is known.
    pub const UNKNOWN: Ty = Ty { kind: Kind::Unknown, optional: false };

    /// The type of values of a schema's type.
    pub fn of(ty: &Type) -> Ty {
        let kind = Kind::of(ty);
        Ty { kind, optional: matches!(ty, Type::Optional(_)) && kind != Kind::Unknown }
    }

    /// The type of what a function returns.
    pub fn returned(returns: &[Return]) -> Ty {
        match returns {
            [] => Kind::Void.into(),
            [one] => Ty::of(&one.ty),
            _ => Kind::Tuple.into(),
        }
    }

    /// The kind, unless a value may be missing.
    pub fn certain(self) -> Kind {
        if self.is_optional() { Kind::Unknown } else { self.kind }
    }

    /// It is certainly a `std::optional`.
    pub fn is_optional(self) -> bool {
        self.optional && self.kind != Kind::Tensor
    }

    /// The type as a message names it.
    pub fn name(self) -> String {
        match self.is_optional() {
            true => format!("an optional of {}", self.kind.name()),
            false => self.kind.name().to_owned(),
        }
    }
}

impl Kind {
    /// The kind of values of a type. That of an optional is the one of its values.
    pub fn of(ty: &Type) -> Kind {
        match ty {
            Type::Base(base) => Kind::of_base(*base),
            Type::Optional(elem) => Kind::of(elem),
            Type::List(elem, _) if matches!(**elem, Type::Base(_)) => Kind::of(elem).list(),
            Type::List(elem, _) if **elem == Type::Optional(Box::new(Type::TENSOR)) => Kind::Optionals,
            Type::List(..) | Type::Dict(..) | Type::CustomClass(_) => Kind::Unknown,
        }
    }

    fn of_base(base: BaseTy) -> Kind {
        match base {
            BaseTy::Tensor => Kind::Tensor,
            BaseTy::Int => Kind::Int,
            BaseTy::SymInt => Kind::SymInt,
            BaseTy::Float => Kind::Float,
            BaseTy::Bool => Kind::Bool,
            BaseTy::Scalar => Kind::Scalar,
            BaseTy::Str => Kind::Text,
            BaseTy::ScalarType => Kind::Dtype,
            BaseTy::Layout => Kind::Layout,
            BaseTy::Device => Kind::Device,
            BaseTy::MemoryFormat => Kind::MemoryFormat,
            BaseTy::Generator => Kind::Generator,
            BaseTy::QScheme => Kind::QScheme,
            _ => Kind::Unknown,
        }
    }

    /// The kind of a list of such values.
    pub fn list(self) -> Kind {
        match self {
            Kind::Tensor | Kind::Undefined => Kind::Tensors,
            Kind::Int => Kind::Ints,
            Kind::SymInt => Kind::SymInts,
            Kind::Float => Kind::Floats,
            Kind::Bool => Kind::Bools,
            _ => Kind::Unknown,
        }
    }

    /// The kind of an element of a list.
    pub fn element(self) -> Kind {
        match self {
            Kind::Tensors => Kind::Tensor,
            Kind::Ints => Kind::Int,
            Kind::SymInts => Kind::SymInt,
            Kind::Floats => Kind::Float,
            Kind::Bools => Kind::Bool,
            _ => Kind::Unknown,
        }
    }

    /// A kind of lists.
    pub fn is_list(self) -> bool {
        matches!(self, Kind::Tensors | Kind::Ints | Kind::SymInts | Kind::Floats | Kind::Bools)
    }

    /// Symbolic integers and plain ones.
    pub fn is_integer(self) -> bool {
        matches!(self, Kind::Int | Kind::SymInt)
    }

    /// Numbers that C++ can compute with, except for `Scalar`.
    pub fn is_number(self) -> bool {
        matches!(self, Kind::Int | Kind::SymInt | Kind::Float | Kind::SymFloat | Kind::Bool)
    }

    /// Numbers of C++ itself: no symbolic ones.
    pub fn is_plain_number(self) -> bool {
        matches!(self, Kind::Int | Kind::Float | Kind::Bool)
    }

    /// Numbers, also a `Scalar`.
    pub fn is_number_or_scalar(self) -> bool {
        self.is_number() || self == Kind::Scalar
    }

    /// A tensor, perhaps an undefined one.
    pub fn is_tensor(self) -> bool {
        matches!(self, Kind::Tensor | Kind::Undefined)
    }

    /// The kind as a message names it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Tensor | Kind::Undefined => "a tensor",
            Kind::Tensors => "a list of tensors",
            Kind::SymInt => "a symbolic integer",
            Kind::SymInts => "a list of symbolic integers",
            Kind::Int => "an integer",
            Kind::Ints => "a list of integers",
            Kind::Float => "a number",
            Kind::SymFloat => "a symbolic number",
            Kind::Floats => "a list of numbers",
            Kind::Bool => "a bool",
            Kind::Bools => "a list of bools",
            Kind::Scalar => "a Scalar",
            Kind::Text => "a string",
            Kind::Dtype => "a dtype",
            Kind::TypeMeta => "`caffe2::TypeMeta`",
            Kind::Layout => "a layout",
            Kind::Device => "a device",
            Kind::QScheme => "a quantization scheme",
            Kind::MemoryFormat => "a memory format",
            Kind::Generator => "a generator",
            Kind::Options => "tensor options",
            Kind::Tuple => "a tuple",
            Kind::Nothing => "`std::nullopt`",
            Kind::Empty => "`{}`",
            Kind::Optionals => "a list of optional tensors",
            Kind::OptionalTensor => "an optional tensor",
            Kind::Braces => "an integer in braces",
            Kind::Elements => "integers in braces",
            Kind::Nested => "integers in braces in braces in braces",
            Kind::Braced => "a tensor in braces",
            Kind::Fraction => "a floating point number in braces",
            Kind::Mixed => "a list of lists or of different values",
            Kind::Complex => "a complex number",
            Kind::Void => "nothing",
            Kind::Other => "a pointer or a function",
            Kind::Never | Kind::Unknown => "this",
        }
    }
}

//! C++ types on the stable ABI as a structure.
//!
//! Invariant: a type is printed only when text is made of it; nothing is found out from the text.
//! These are not [`CType`](crate::CType)s, whose classes are those of libtorch's C++ API.

use std::fmt;

use torchgen_model::model::BaseTy;

/// A C++ type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StableType {
    /// `void`
    Void,
    /// `bool`
    Bool,
    /// `int64_t`
    Int,
    /// `double`
    Double,
    /// `::std::string_view`
    StringView,
    /// `Text`: a text beside an overload with a list.
    Text,
    /// `::std::string`
    String,
    /// A class of torch/csrc/stable with the name of the schema's type.
    Class(BaseTy),
    /// A type that the stable ABI does not have, by its name. Operators with one are refused.
    Refused(String),
    /// `const T&`
    ConstRef(Box<StableType>),
    /// `T&`
    MutRef(Box<StableType>),
    /// `::std::optional<T>`
    Optional(Box<StableType>),
    /// `::std::vector<T>`
    Vector(Box<StableType>),
    /// `ArrayRef<T>`
    ArrayRef(Box<StableType>),
    /// `OptionalArrayRef<T>`
    OptionalArrayRef(Box<StableType>),
    /// `::std::tuple<A, B>`
    Tuple(Vec<StableType>),
}

impl StableType {
    /// `const T&`
    pub(super) fn const_ref(self) -> StableType {
        StableType::ConstRef(Box::new(self))
    }

    /// `T&`
    pub(super) fn mut_ref(self) -> StableType {
        StableType::MutRef(Box::new(self))
    }

    /// `::std::optional<T>`
    pub(super) fn optional(self) -> StableType {
        StableType::Optional(Box::new(self))
    }

    /// `::std::vector<T>`
    pub(super) fn vector(self) -> StableType {
        StableType::Vector(Box::new(self))
    }

    /// `ArrayRef<T>`
    pub(super) fn array_ref(self) -> StableType {
        StableType::ArrayRef(Box::new(self))
    }

    /// `OptionalArrayRef<T>`
    pub(super) fn optional_array_ref(self) -> StableType {
        StableType::OptionalArrayRef(Box::new(self))
    }

    /// What a function returns whose results have these types.
    pub(super) fn of_results(mut results: Vec<StableType>) -> StableType {
        match results.len() {
            0 => StableType::Void,
            1 => results.remove(0),
            _ => StableType::Tuple(results),
        }
    }

    /// The type with strings that own their text, also in optionals and vectors.
    pub(super) fn owning_strings(self) -> StableType {
        match self {
            StableType::StringView => StableType::String,
            StableType::Optional(elem) => elem.owning_strings().optional(),
            StableType::Vector(elem) => elem.owning_strings().vector(),
            other => other,
        }
    }

    /// The type without the outermost `const &`.
    pub(super) fn without_const_ref(self) -> StableType {
        match self {
            StableType::ConstRef(elem) => *elem,
            other => other,
        }
    }
}

impl fmt::Display for StableType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StableType::Void => f.write_str("void"),
            StableType::Bool => f.write_str("bool"),
            StableType::Int => f.write_str("int64_t"),
            StableType::Double => f.write_str("double"),
            StableType::StringView => f.write_str("::std::string_view"),
            StableType::Text => f.write_str("Text"),
            StableType::String => f.write_str("::std::string"),
            StableType::Class(class) => f.write_str(class.as_str()),
            StableType::Refused(name) => f.write_str(name),
            StableType::ConstRef(elem) => write!(f, "const {elem}&"),
            StableType::MutRef(elem) => write!(f, "{elem}&"),
            StableType::Optional(elem) => write!(f, "::std::optional<{elem}>"),
            StableType::Vector(elem) => write!(f, "::std::vector<{elem}>"),
            StableType::ArrayRef(elem) => write!(f, "ArrayRef<{elem}>"),
            StableType::OptionalArrayRef(elem) => write!(f, "OptionalArrayRef<{elem}>"),
            StableType::Tuple(elems) => {
                f.write_str("::std::tuple<")?;
                for (i, elem) in elems.iter().enumerate() {
                    write!(f, "{}{elem}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(">")
            }
        }
    }
}

impl serde::Serialize for StableType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

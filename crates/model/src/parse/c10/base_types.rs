//! The words that are c10's types by themselves, and the defaults that types accept.
//!
//! Invariant: each word occurs once. Rule: torch/csrc/jit/frontend/schema_type_parser.cpp.

use crate::model::BaseTy;

/// The defaults that a type accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DefaultForm {
    /// None at all.
    Nothing,
    /// `None`.
    NoneOnly,
    /// The name of a device, in quotes.
    Device,
    /// One constant, read by the rules of the element.
    Constant(Element),
    /// A list of constants; with a size, also one constant.
    List(Element, Option<u32>),
}

/// How to read a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Int,
    Float,
    Complex,
    Bool,
    /// The name of a scalar type.
    Dtype,
    /// The same; no lists of it.
    OptionalDtype,
    /// Unchanged; no lists of it.
    Other,
}

impl DefaultForm {
    /// The defaults of a list of it.
    pub(super) fn listed(self, size: Option<u32>) -> DefaultForm {
        match self {
            DefaultForm::Constant(Element::OptionalDtype) => DefaultForm::List(Element::Other, size),
            DefaultForm::Constant(element) => DefaultForm::List(element, size),
            _ => DefaultForm::List(Element::Other, size),
        }
    }

    /// The defaults of an optional of it.
    pub(super) fn optional(self) -> DefaultForm {
        match self {
            DefaultForm::Constant(Element::Dtype | Element::OptionalDtype) => {
                DefaultForm::Constant(Element::OptionalDtype)
            }
            _ => DefaultForm::Constant(Element::Other),
        }
    }
}

/// A word that is a type by itself: its defaults, whether it can be a key, and its model.
pub(super) struct BaseType {
    pub(super) name: &'static str,
    pub(super) default: DefaultForm,
    pub(super) is_key: bool,
    pub(super) model: Option<BaseTy>,
}

const fn key(name: &'static str, default: DefaultForm, model: Option<BaseTy>) -> BaseType {
    BaseType { name, default, is_key: true, model }
}

const fn no_key(name: &'static str, default: DefaultForm, model: Option<BaseTy>) -> BaseType {
    BaseType { name, default, is_key: false, model }
}

/// The types, in the order of the help.
#[rustfmt::skip]
pub(super) const BASE_TYPES: &[BaseType] = &[
    key("Tensor", DefaultForm::NoneOnly, Some(BaseTy::Tensor)),
    key("int", DefaultForm::Constant(Element::Int), Some(BaseTy::Int)),
    key("SymInt", DefaultForm::Constant(Element::Int), Some(BaseTy::SymInt)),
    key("float", DefaultForm::Constant(Element::Float), Some(BaseTy::Float)),
    key("bool", DefaultForm::Constant(Element::Bool), Some(BaseTy::Bool)),
    no_key("SymBool", DefaultForm::Nothing, Some(BaseTy::SymBool)),
    key("str", DefaultForm::Constant(Element::Other), Some(BaseTy::Str)),
    key("complex", DefaultForm::Constant(Element::Complex), Some(BaseTy::Complex)),
    no_key("Scalar", DefaultForm::Constant(Element::Other), Some(BaseTy::Scalar)),
    key("ScalarType", DefaultForm::Constant(Element::Dtype), Some(BaseTy::ScalarType)),
    key("Layout", DefaultForm::Constant(Element::Int), Some(BaseTy::Layout)),
    key("Device", DefaultForm::Device, Some(BaseTy::Device)),
    key("DeviceIndex", DefaultForm::Constant(Element::Int), Some(BaseTy::DeviceIndex)),
    key("MemoryFormat", DefaultForm::Constant(Element::Int), Some(BaseTy::MemoryFormat)),
    no_key("QScheme", DefaultForm::Nothing, Some(BaseTy::QScheme)),
    no_key("Generator", DefaultForm::NoneOnly, Some(BaseTy::Generator)),
    no_key("Storage", DefaultForm::Nothing, Some(BaseTy::Storage)),
    no_key("Stream", DefaultForm::Nothing, Some(BaseTy::Stream)),
    key("Any", DefaultForm::Nothing, None),
    no_key("AnyClassType", DefaultForm::Nothing, None),
    no_key("AnyEnumType", DefaultForm::Nothing, None),
    no_key("Capsule", DefaultForm::Nothing, None),
    no_key("Quantizer", DefaultForm::NoneOnly, None),
    key("ConstQuantizerPtr", DefaultForm::Constant(Element::Int), None),
    no_key("None", DefaultForm::Nothing, None),
    no_key("NoneType", DefaultForm::Nothing, None),
];

//! Operators of ONNX: the value of `onnx:`, and how arguments become inputs and attributes.

use std::fmt;

use serde::Serialize;

use crate::model::{BaseTy, Type};

/// The operator of ONNX as which an operator is exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnnxOperator {
    /// Its domain.
    pub domain: String,
    /// Its name in the domain.
    pub name: String,
}

impl fmt::Display for OnnxOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.domain, self.name)
    }
}

/// What an argument is in ONNX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OnnxPart {
    /// A tensor, which may be absent.
    Input,
    /// The last inputs, as many as the list has tensors.
    Inputs,
    /// An integer, or a flag.
    Int,
    /// A number.
    Float,
    /// A text.
    String,
    /// Integers, or flags.
    Ints,
    /// Numbers.
    Floats,
    /// Texts.
    Strings,
    /// The number that ONNX has for a dtype.
    Dtype,
}

impl OnnxPart {
    /// The part for a type; none if ONNX has none.
    pub fn of_type(ty: &Type) -> Option<OnnxPart> {
        let ty = if let Type::Optional(elem) = ty { elem } else { ty };
        Some(match ty {
            Type::Base(BaseTy::Tensor) => OnnxPart::Input,
            Type::Base(BaseTy::Int | BaseTy::SymInt | BaseTy::Bool) => OnnxPart::Int,
            Type::Base(BaseTy::Float | BaseTy::Scalar) => OnnxPart::Float,
            Type::Base(BaseTy::Str) => OnnxPart::String,
            Type::Base(BaseTy::ScalarType) => OnnxPart::Dtype,
            Type::List(elem, _) => match &**elem {
                Type::Base(BaseTy::Tensor) => OnnxPart::Inputs,
                Type::Base(BaseTy::Int | BaseTy::SymInt | BaseTy::Bool) => OnnxPart::Ints,
                Type::Base(BaseTy::Float | BaseTy::Scalar) => OnnxPart::Floats,
                Type::Base(BaseTy::Str) => OnnxPart::Strings,
                _ => return None,
            },
            _ => return None,
        })
    }
}

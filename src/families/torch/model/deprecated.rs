//! Deprecated Python signatures and the calls they stand for.
//!
//! Invariant: what is passed on is an argument of the schema or a known constant. Deliberately absent: which overloads of the operator take
//! it (see `group::deprecated`).

use super::{FunctionSchema, SchemaSpans, Type};
use crate::diag::Span;

/// A signature that Python still accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeprecatedSignature {
    /// The signature.
    pub schema: FunctionSchema,
    /// The operator that is called, without overload and without `_out`.
    pub operator: String,
    /// The out variant is called, whose out arguments come first.
    pub calls_out: bool,
    /// What it is called with: names of the schema's arguments, and constants.
    pub call: Vec<String>,
    /// Where the schema stands.
    pub spans: SchemaSpans,
    /// Where the call stands.
    pub call_span: Span,
}

/// The type of a constant that may be passed on. Rule: tools/autograd/gen_python_functions.py, `known_constants`.
pub(crate) fn constant_type(text: &str) -> Option<Type> {
    (text == "1").then_some(Type::SCALAR)
}

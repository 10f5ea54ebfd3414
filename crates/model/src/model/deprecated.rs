//! Deprecated Python signatures and their calls.
//!
//! Invariant: a call passes arguments of the schema or known constants. `group::deprecated` finds
//! the overloads of the operator.

use super::{FunctionSchema, SchemaSpans, Type};
use torchgen_base::diag::Span;

/// A signature that Python still accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeprecatedSignature {
    /// The signature.
    pub schema: FunctionSchema,
    /// The operator that is called, without overload and without `_out`.
    pub operator: String,
    /// It calls the out variant, with out arguments first.
    pub(crate) calls_out: bool,
    /// The arguments of the call: names of the schema's arguments, and constants.
    pub call: Vec<String>,
    /// Where the schema is.
    pub spans: SchemaSpans,
    /// Where the call is.
    pub(crate) call_span: Span,
}

/// The type of a constant in a call. Rule: tools/autograd/gen_python_functions.py,
/// `known_constants`.
pub(crate) fn constant_type(text: &str) -> Option<Type> {
    (text == "1").then_some(Type::SCALAR)
}

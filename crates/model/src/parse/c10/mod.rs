//! The schemas that PyTorch itself accepts in `m.def("...")`, which operator libraries can use.
//!
//! Two steps: [`declared`] accepts what c10 accepts, with the exceptions in `docs/schemas.md`;
//! `Declared::generated` returns the schema in the model, or the part for which no C++ is
//! generated.
//!
//! Invariant: c10 reads `Declared::text` as the same schema; its white space is that of
//! `native_functions.yaml`. The reference's own grammar is in `parse::schema`. Rule:
//! torch/csrc/jit/frontend/function_schema_parser.cpp.

mod base_types;
mod constant;
mod cpp_form;
mod default_slips;
mod lower;
mod python;
mod reserved;
mod schema;
mod slips;
pub(super) mod token;
mod types;

pub(super) use lower::{argument, has_cpp_form};
pub use python::{DeclaredArgument, DeclaredReturn};
pub(crate) use schema::Declared;

use torchgen_base::diag::TextError;

/// Reads a schema, with or without a namespace.
///
/// # Errors
/// c10 would refuse it.
pub fn declared(text: &str) -> Result<Declared, TextError> {
    schema::Parser::new(text).declaration()
}

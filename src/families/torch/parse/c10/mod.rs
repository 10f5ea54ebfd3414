//! The schemas that PyTorch itself accepts in `m.def("...")`, which an operator library may write.
//!
//! Two steps: [`declared`] accepts what c10 accepts, and nothing else but what `docs/schemas.md` lists; [`Declared::generated`] gives the schema as
//! the rest of the program knows it, or says what about it no C++ is generated for.
//!
//! Invariant: [`Declared::text`] is a schema that c10 reads as the very same thing, in the white space of `native_functions.yaml`.
//! Deliberately absent: the reference's own grammar (see `parse::schema`). Rule: torch/csrc/jit/frontend/function_schema_parser.cpp.

mod constant;
mod cpp_form;
mod lower;
mod schema;
pub(super) mod token;
mod types;

pub(super) use lower::argument;
pub(crate) use schema::Declared;

use crate::diag::Fault;

/// Reads a schema, with or without a namespace.
///
/// # Errors
/// c10 would refuse it.
pub(crate) fn declared(text: &str) -> Result<Declared, Fault> {
    schema::Parser::new(text).declaration()
}

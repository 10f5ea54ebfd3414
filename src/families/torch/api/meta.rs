//! Meta functions of structured groups: what an operator returns, told by shapes, types and devices alone.
//!
//! Invariant: they are written for the functional variant; see [`super::structured::meta_arguments`] for their parameters.
//! Rule: torchgen/api/meta.py.

use super::binding::Binding;
use super::error::Result;
use super::structured;
use crate::families::torch::model::FunctionSchema;

/// What the meta function of a group is called, told by its functional variant: name and overload.
pub fn name(functional: &FunctionSchema) -> String {
    functional.name.to_string().replace('.', "_")
}

/// The parameters; with `symint`, a `SymInt` stays one. Errors: an argument has no C++ type.
pub fn arguments(functional: &FunctionSchema, symint: bool) -> Result<Vec<Binding<'_>>> {
    structured::meta_arguments(functional, symint)
}

//! Meta functions of structured groups: they compute an operator's outputs from shapes, types and
//! devices alone.
//!
//! Invariant: they are written for the functional variant, and return nothing. Rule:
//! torchgen/api/meta.py.

use super::base_type::BaseCppType;
use super::binding::Binding;
use super::ctype::CType;
use super::error::Result;
use super::signature::{CallingConvention, Convention, SymInts};
use super::structured;
use torchgen_model::model::FunctionSchema;

/// The convention, for the functional variant of a group.
#[derive(Debug, Clone, Copy, Default)]
pub struct Meta {
    /// How SymInts are spelled.
    pub sym_ints: SymInts,
}

impl<'a> CallingConvention<'a> for Meta {
    fn convention(&self) -> Convention {
        Convention::Meta
    }

    fn sym_ints(&self) -> SymInts {
        self.sym_ints
    }

    /// Name and overload.
    fn name(&self, functional: &FunctionSchema) -> String {
        functional.name.to_string().replace('.', "_")
    }

    fn arguments(&self, functional: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        functional.arguments.non_out().into_iter().map(|a| structured::argument(a, self.sym_ints)).collect()
    }

    fn returns_type(&self, _: &FunctionSchema) -> Result<CType> {
        Ok(BaseCppType::Void.into())
    }
}

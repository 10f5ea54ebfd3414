//! Structseqs: the return types of operators with several named returns in Python, and the files
//! that define them.
//!
//! Invariant: overloads with the same C++ name and fields share a type. Rule:
//! tools/autograd/gen_python_functions.py, `emit_structseq_call`,
//! `generate_return_type_definition_and_registrations`.

use indexmap::IndexMap;
use serde::Serialize;

use super::overloads::Pair;
use torchgen_api::python::{field_names, structseq_key};
use torchgen_api::{ApiError, cpp};
use torchgen_base::diag::{Diagnostic, gather};
use torchgen_model::model::FunctionSchema;

/// The structseqs of the overloads of one name, in order of first appearance.
pub(crate) struct Structseqs<'a> {
    by_key: IndexMap<String, Structseq<'a>>,
}

struct Structseq<'a> {
    name: String,
    fields: Vec<&'a str>,
}

/// The definition of one structseq.
#[derive(Serialize)]
pub(crate) struct Definition<'a> {
    name: &'a str,
    typename: String,
    fields: &'a [&'a str],
}

impl<'a> Structseqs<'a> {
    /// The structseqs that the overloads return.
    ///
    /// # Errors
    /// Some returns of an overload are named, others not.
    pub(crate) fn from_overloads(pairs: &[&Pair<'a>]) -> Result<Structseqs<'a>, Vec<Diagnostic>> {
        let structseq = |pair: &&Pair<'a>| {
            let func = &pair.function.func;
            let fields = field_names(&func.returns).map_err(|error| pair.error(error))?;
            let key = structseq_key(func).map_err(|error| pair.error(error))?;
            Ok(key.map(|key| (key, Structseq { name: cpp::name(func), fields })))
        };
        let mut by_key = IndexMap::new();
        for (key, structseq) in gather(pairs.iter().map(structseq))?.into_iter().flatten() {
            by_key.entry(key).or_insert(structseq);
        }
        Ok(Structseqs { by_key })
    }

    /// The variables that hold the types, and the C++ names of the operators that return them.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (String, String)> {
        self.by_key.values().enumerate().map(|(i, structseq)| (variable(i), structseq.name.clone()))
    }

    /// The variable for the return type of a schema.
    ///
    /// # Errors
    /// Some returns are named, others not.
    pub(crate) fn variable_of(&self, func: &FunctionSchema) -> Result<Option<String>, ApiError> {
        let key = structseq_key(func)?;
        Ok(key.and_then(|key| self.by_key.get_index_of(&key)).map(variable))
    }

    /// The contents of python_return_types.cpp.
    pub(crate) fn definitions(&self) -> Vec<Definition<'_>> {
        let numbered = self.by_key.values().enumerate();
        numbered
            .map(|(i, Structseq { name, fields })| Definition {
                name,
                typename: format!("{name}{}", variable(i)),
                fields,
            })
            .collect()
    }
}

fn variable(index: usize) -> String {
    if index == 0 { "NamedTuple".to_owned() } else { format!("NamedTuple{index}") }
}

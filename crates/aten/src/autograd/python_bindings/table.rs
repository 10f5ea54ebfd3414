//! The table `data/torch/python_bindings.yaml`: the operators that have Python bindings, and the
//! files of these bindings.
//!
//! Invariant: every scope is in at most one file. Rule: tools/autograd/gen_python_functions.py,
//! `SKIP_PYTHON_BINDINGS`, `gen`.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use regex::RegexSet;
use rustc_hash::FxHashSet;
use serde::Deserialize;

use torchgen_api::cpp;
use torchgen_kit::driver::data::{self, Tables};
use torchgen_model::model::NativeFunction;

/// The table.
#[derive(Deserialize)]
pub struct Table {
    without_binding: Patterns,
    without_binding_schemas: FxHashSet<String>,
    /// The files, in the order in which they are made.
    pub files: Vec<File>,
    /// Where annotated_fn_args.py looks up the functions of a scope, in its order.
    pub(crate) annotated: IndexMap<Scope, String>,
    /// Operators whose keyword-only arguments annotated_fn_args.py leaves out.
    pub(crate) annotated_without_keywords: BTreeSet<String>,
}

/// A set of operators that are bound in one place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(from = "String")]
pub enum Scope {
    /// Methods of `Tensor`.
    Methods,
    /// Functions of operators without a Python module.
    Functions,
    /// Functions of operators with this Python module.
    Module(String),
}

/// A file of bindings.
#[derive(Debug, Clone, Deserialize)]
pub struct File {
    /// Its name, and that of its template.
    pub file: String,
    /// The operators in it.
    pub scope: Scope,
    /// The name of the module in `__torch_function__`.
    pub module: String,
    /// The Python object of the module.
    pub(crate) object: String,
    /// Its functions are static methods.
    #[serde(default, rename = "static")]
    pub(crate) is_static: bool,
    /// How many files it is split over.
    #[serde(default)]
    pub shards: Option<u32>,
}

impl data::Table for Table {
    const PATH: &'static str = "torch/python_bindings.yaml";
}

/// Regular expressions for whole names.
#[derive(Deserialize)]
#[serde(try_from = "Vec<String>")]
struct Patterns(RegexSet);

impl TryFrom<Vec<String>> for Patterns {
    type Error = regex::Error;

    fn try_from(patterns: Vec<String>) -> Result<Patterns, regex::Error> {
        RegexSet::new(patterns.iter().map(|pattern| format!("^{pattern}$"))).map(Patterns)
    }
}

/// The table.
pub fn table(tables: &Tables) -> &Table {
    tables.get()
}

/// The operators with Python bindings, in order.
pub fn functions_with_binding<'a>(functions: &'a [NativeFunction], tables: &Tables) -> Vec<&'a NativeFunction> {
    let table = table(tables);
    functions.iter().filter(|f| table.has_binding(f)).collect()
}

impl Table {
    /// Whether the operator has Python bindings. Of generated operators, only copies of views do.
    fn has_binding(&self, f: &NativeFunction) -> bool {
        let generated = f.is_generated() && !f.has_tag("view_copy");
        !generated
            && !self.without_binding.0.is_match(&cpp::name(&f.func))
            && !self.without_binding_schemas.contains(&f.func.to_string())
    }
}

impl Scope {
    /// Whether the operator belongs to this scope.
    pub fn contains(&self, f: &NativeFunction) -> bool {
        match (self, f.python_module.as_deref()) {
            (Scope::Methods, None) => f.variants.method,
            (Scope::Functions, None) => f.variants.function,
            (Scope::Module(own), Some(module)) => own == module,
            _ => false,
        }
    }
}

impl From<String> for Scope {
    fn from(text: String) -> Scope {
        match text.as_str() {
            "methods" => Scope::Methods,
            "functions" => Scope::Functions,
            _ => Scope::Module(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_table() {
        let table = table(Tables::embedded());
        assert_eq!(table.files.len(), 8);
        for (name, expected) in
            [("copy_", true), ("_foreach_copy_", false), ("nonzero_out", true), ("range_out", true), ("sizes", false)]
        {
            assert_eq!(table.without_binding.0.is_match(name), expected, "{name}");
        }
    }
}

//! The operators that formulas can call: the library's, and torch's from the minimum on.
//!
//! Invariant: an operator that some torch from the minimum on lacks is not found, and the reason is
//! known.

use std::collections::{BTreeSet, HashMap};

use super::Found;
use crate::stable::facts::overloads;
use torchgen_base::lang::is_word;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::version::Version;
use torchgen_model::model::{ATEN, FunctionSchema, Language, NativeFunction};
use torchgen_model::parse::schema::parse;

/// Operators by namespace and name.
#[derive(Default)]
pub(crate) struct Operators {
    schemas: HashMap<(String, String), Vec<FunctionSchema>>,
    /// Why torch's operators with these names cannot be called.
    missing: HashMap<String, String>,
}

/// The words of formulas that may be names of operators.
fn words(formulas: &[&str]) -> BTreeSet<String> {
    let words = formulas.iter().flat_map(|formula| formula.split(|c: char| !is_word(c)));
    words.filter(|word| !word.is_empty()).map(|word| word.strip_suffix("_symint").unwrap_or(word).to_owned()).collect()
}

impl Operators {
    /// Those of a library, and of torch as far as formulas name them.
    pub(crate) fn new<'f>(
        own: impl Iterator<Item = &'f NativeFunction>,
        min: Version,
        formulas: &[&str],
        tables: &Tables,
    ) -> Operators {
        let mut all = Operators::default();
        for f in own {
            let key = (f.namespace.clone(), f.func.name.name.to_string());
            all.schemas.entry(key).or_default().push(f.func.clone());
        }
        let words = words(formulas);
        if words.is_empty() {
            return all;
        }
        for overload in overloads() {
            let name = overload.operator().to_owned();
            if words.contains(&name) {
                let has = overload.since <= min && overload.until.is_none();
                match (has, overload.until) {
                    (true, _) => {
                        // Types that kernels cannot take have no formulas either.
                        if let Ok(schema) = parse(&overload.schema, Language::C10, tables) {
                            all.schemas.entry((ATEN.to_owned(), name.clone())).or_default().push(schema);
                        }
                    }
                    (false, Some(until)) => {
                        let reason = format!("torch has `at::{name}` up to {until} only");
                        all.missing.insert(name.clone(), reason);
                    }
                    (false, None) => {
                        let reason = format!("`at::{name}` is in torch since {}, not in {min}", overload.since);
                        all.missing.insert(name.clone(), reason);
                    }
                }
            }
        }
        all
    }

    /// The operators with a name in a C++ namespace.
    pub(crate) fn find(&self, namespace: &str, name: &str) -> Found<'_> {
        let operators = if namespace == "at" { ATEN } else { namespace };
        if let Some(schemas) = self.schemas.get(&(operators.to_owned(), name.to_owned())) {
            return Found::Overloads(schemas.iter().collect());
        }
        let reason = (namespace == "at").then(|| self.missing.get(name).cloned()).flatten();
        Found::None(reason)
    }
}

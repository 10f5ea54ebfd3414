//! Operators by their names, from the sources and from the loaded library.
//!
//! Invariant: schemas are compared by what they say: types, names, defaults as values, and what is
//! mutated.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::loaded::LoadedOperator;
use crate::from_cpp::{Found, FoundOperator};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::{Argument, DispatchKey};
use torchgen_model::parse::c10;

/// An operator, as the sources or the loaded library have it.
pub(super) struct Operator<'a> {
    pub(super) source: Option<&'a FoundOperator>,
    pub(super) loaded: Option<&'a LoadedOperator>,
}

impl Operator<'_> {
    /// The schema that the YAML gets.
    pub(super) fn schema(&self) -> Option<&str> {
        let source = self.source.map(|source| source.schema.as_str());
        source.or_else(|| self.loaded?.schema.as_deref())
    }

    /// The names of the keys that it has kernels for.
    pub(super) fn key_names(&self) -> BTreeSet<&str> {
        let source = self.source.into_iter().flat_map(|source| source.keys.iter().map(String::as_str));
        let loaded = self.loaded.into_iter().flat_map(|loaded| loaded.keys.keys().map(String::as_str));
        source.chain(loaded).collect()
    }

    /// Those that an entry can have, in the order of the dispatcher's table.
    pub(super) fn keys(&self) -> Vec<DispatchKey> {
        let names = self.key_names();
        DispatchKey::ALL.iter().copied().filter(|key| names.contains(key.as_str())).collect()
    }
}

/// The operators of both, in the order of the sources, with those that are only loaded last.
pub(super) fn merged<'a>(found: &'a Found, loaded: &'a [LoadedOperator]) -> IndexMap<&'a str, Operator<'a>> {
    let mut all: IndexMap<&str, Operator<'_>> = IndexMap::new();
    for source in &found.operators {
        all.insert(&source.name, Operator { source: Some(source), loaded: None });
    }
    for one in loaded {
        all.entry(&one.name).or_insert(Operator { source: None, loaded: None }).loaded = Some(one);
    }
    all
}

/// What a schema says.
#[derive(Debug, PartialEq)]
pub(super) struct Meaning(Vec<String>);

impl Meaning {
    /// That of a schema with its namespace.
    pub(super) fn new(text: &str, tables: &Tables) -> Meaning {
        let Ok(declared) = c10::declared(text) else { return Meaning(vec![text.to_owned()]) };
        let Ok(located) = declared.generated(tables) else {
            // Types of c10 alone: as it prints them.
            return Meaning(vec![declared.text.split_whitespace().collect()]);
        };
        let schema = located.schema;
        let keywords = schema.arguments.flat_kwarg_only().count() + schema.arguments.out.len();
        let arguments = schema.schema_order_arguments().map(argument);
        let returns = schema.returns.iter().map(|ret| {
            let written = ret.annotation.as_ref().map(|annotation| annotation.is_write);
            format!("{} {:?} {written:?}", ret.ty, ret.name)
        });
        let name = schema.name.to_string();
        Meaning([name, keywords.to_string()].into_iter().chain(arguments).chain(returns).collect())
    }
}

fn argument(a: &Argument) -> String {
    let default = a.default.as_deref().map(|text| match text.parse::<f64>() {
        Ok(number) => format!("{number:?}"),
        Err(_) => text.split_whitespace().collect(),
    });
    let annotation = a.annotation.as_ref().map(|annotation| annotation.is_write);
    format!("{} {} {default:?} {annotation:?}", a.ty, a.schema_name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_compared_by_what_they_say() {
        let meaning = |text: &str| Meaning::new(text, Tables::embedded());
        let first = "shop::f(Tensor(a!) x, float a=2., int[] s=[1, 2], *, bool b=False) -> Tensor(a!)";
        let same = "shop::f(Tensor(z!) x, float a=2.0, int[] s=[1,2], *, bool b=False) -> Tensor(z!)";
        assert_eq!(meaning(first), meaning(same));
        for other in ["a=3.", "a=2.5"] {
            assert_ne!(meaning(first), meaning(&first.replace("a=2.", other)));
        }
        assert_ne!(meaning(first), meaning(&first.replace("*, ", "")));
        assert_ne!(meaning(first), meaning(&first.replace("(a!)", "(a)")));
        assert_ne!(meaning("shop::g(int[][] x) -> ()"), meaning("shop::g(int[][] x, int n=1) -> ()"));
    }
}

//! Operators by their names, from the sources in C++ and Python and from the loaded library.
//!
//! Invariant: schemas are compared by what they say: types, names, defaults as values, and what is
//! mutated.

use indexmap::IndexMap;

use super::python::RegisteredOperator;
use crate::from_cpp::{self, Kernel, Operators, place};
use torchgen_base::diag::{Sources, Span};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::Argument;
use torchgen_model::parse::c10;
use torchgen_registrations::{Condition, Conditions};

/// An operator, as the sources and the loaded library have it.
#[derive(Clone, Default)]
pub(super) struct Operator<'a> {
    /// Its schema and kernels in C++ sources.
    pub(super) source: Option<&'a from_cpp::Operator>,
    /// Kernels in C++ sources that do not declare it.
    pub(super) kernels: Vec<&'a Kernel>,
    /// What Python files register.
    pub(super) python: Option<&'a RegisteredOperator>,
    /// What is registered once the package is imported.
    pub(super) loaded: Option<&'a RegisteredOperator>,
}

impl<'a> Operator<'a> {
    /// The schemas that it has, with the places that declare it: of C++ sources, of Python files,
    /// and of the loaded library.
    pub(super) fn schemas(&self, sources: &Sources) -> Vec<(Declared<'a>, String)> {
        let source = self.source.map(|source| {
            let declared = Declared { schema: &source.schema, span: Some(source.place()), is_loaded: false };
            (declared, place(source.place(), sources))
        });
        let registered = [(self.python, false), (self.loaded, true)].into_iter().filter_map(|(one, is_loaded)| {
            let one = one?;
            let declared = Declared { schema: one.schema.as_deref()?, span: None, is_loaded };
            let by_package = || "the loaded library".to_owned();
            Some((declared, one.place.clone().unwrap_or_else(by_package)))
        });
        source.into_iter().chain(registered).collect()
    }

    /// Whether a source registers it, in C++ or Python.
    pub(super) fn is_in_sources(&self) -> bool {
        self.python.is_some() || self.in_cpp().next().is_some() || self.source.is_some()
    }

    /// The kernels in C++ sources.
    pub(super) fn in_cpp(&self) -> impl Iterator<Item = &'a Kernel> {
        self.source.into_iter().flat_map(|source| &source.kernels).chain(self.kernels.iter().copied())
    }

    /// The names of the keys that it has kernels for, and where each is registered first.
    pub(super) fn places(&self, sources: &Sources) -> IndexMap<&'a str, String> {
        let in_cpp = self.in_cpp().map(|kernel| (kernel.key.as_str(), place(kernel.place, sources)));
        let registered = [self.python, self.loaded].into_iter().flatten();
        let registered = registered.flat_map(|one| one.keys.iter().map(|(key, at)| (key.as_str(), at.clone())));
        let mut found = IndexMap::new();
        for (key, at) in in_cpp.chain(registered) {
            found.entry(key).or_insert(at);
        }
        found
    }

    /// Where its fake in Python is.
    pub(super) fn fake(&self) -> Option<&'a str> {
        [self.python, self.loaded].into_iter().flatten().find_map(|one| one.fake.as_deref())
    }

    /// The builds that have a key, if only sources in C++ register it; `None` if all have it.
    pub(super) fn condition(&self, key: &str, conditions: &mut Conditions) -> Option<Condition> {
        if [self.python, self.loaded].into_iter().flatten().any(|one| one.keys.contains_key(key)) {
            return None;
        }
        let kernels: Vec<Condition> =
            self.in_cpp().filter(|kernel| kernel.key == key).map(|kernel| kernel.condition).collect();
        let all = kernels.into_iter().reduce(|first, second| conditions.or(first, second))?;
        let all = self.source.map_or(all, |source| conditions.given(all, source.condition));
        (all != Condition::ALWAYS).then_some(all)
    }
}

/// A schema as it is registered.
pub(super) struct Declared<'a> {
    /// The schema with the namespace.
    pub(super) schema: &'a str,
    /// Its place, if a source in C++ has it.
    pub(super) span: Option<Span>,
    /// The loaded library has it.
    pub(super) is_loaded: bool,
}

/// The operators of all, in the order of the sources, with those that are only loaded last.
pub(super) fn merged<'a>(
    found: &'a Operators,
    python: &'a [RegisteredOperator],
    loaded: &'a [RegisteredOperator],
) -> IndexMap<&'a str, Operator<'a>> {
    let mut all: IndexMap<&str, Operator<'_>> = IndexMap::new();
    for source in &found.operators {
        all.entry(&source.name).or_default().source = Some(source);
    }
    for (name, kernel) in &found.undeclared {
        all.entry(name).or_default().kernels.push(kernel);
    }
    for one in python {
        all.entry(&one.name).or_default().python = Some(one);
    }
    for one in loaded {
        all.entry(&one.name).or_default().loaded = Some(one);
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

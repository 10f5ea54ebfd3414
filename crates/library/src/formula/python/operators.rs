//! The operators that formulas can call: the library's, and torch's from the minimum on.
//!
//! Invariant: an operator that some torch version from the minimum on lacks is not found, and the
//! reason is known.

use std::collections::{BTreeSet, HashMap};

use crate::formula::callables::{AT, Callables};
use torchgen_base::diag::{Help, did_you_mean, did_you_mean_as};
use torchgen_base::lang::is_word;
use torchgen_formula::{Callee, FoundName, Signature};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::version::Version;
use torchgen_model::model::{ATEN, FunctionSchema, Language, NativeFunction};
use torchgen_model::parse::schema::parse;
use torchgen_model::versions::{Overload, overloads};

/// Operators by namespace and name.
#[derive(Default)]
pub(crate) struct Operators {
    callables: Callables,
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
            all.add(&f.namespace, NativeFunction::of_schema(f.namespace.clone(), f.func.clone()));
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
                            all.add(
                                AT,
                                NativeFunction {
                                    variants: overload.variants,
                                    cpp_no_default_args: overload
                                        .cpp_no_default_args
                                        .iter()
                                        .map(|name| (*name).to_owned())
                                        .collect(),
                                    ..NativeFunction::of_schema(ATEN.to_owned(), schema)
                                },
                            );
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
        all.callables.add_written_by_hand(min);
        all
    }

    /// Adds an operator.
    fn add(&mut self, namespace: &str, f: NativeFunction) {
        // Out variants are other functions in C++.
        if !f.func.is_out_fn() {
            self.callables.add(namespace, &f);
        }
    }

    /// The functions or methods of that name. Symbolic integers are integers in Python, so that
    /// `_symint` makes no difference.
    pub(crate) fn find(&self, callee: &Callee, name: &str) -> FoundName<'_> {
        let callee = match callee {
            Callee::Function(namespace) if namespace == "torch" => &Callee::Function(AT.to_owned()),
            other => other,
        };
        let plain = name.strip_suffix("_symint").unwrap_or(name);
        let signatures = [name, plain].map(|name| self.callables.find(callee, name));
        if let Some(found) = signatures.into_iter().find(|found| !found.is_empty()) {
            return FoundName::Signatures(found);
        }
        let other = match callee {
            Callee::Method => Callee::Function(AT.to_owned()),
            _ => Callee::Method,
        };
        let is_torch = matches!(callee, Callee::Method) || matches!(callee, Callee::Function(of) if of == AT);
        if is_torch && [name, plain].iter().any(|name| !self.callables.find(&other, name).is_empty()) {
            return FoundName::Missing(Some(match callee {
                Callee::Method => format!("`{name}` is only a function: `at::{name}(x, …)`"),
                _ => format!("`at::{name}` is only a method: `x.{name}(…)`"),
            }));
        }
        let of_torch = !matches!(callee, Callee::Function(namespace) if namespace != AT);
        FoundName::Missing(of_torch.then(|| self.missing.get(plain).cloned()).flatten())
    }

    /// The function or method of torch, or the operator of the library, that is probably meant.
    pub(super) fn near(&self, callee: &Callee, name: &str) -> Option<Help> {
        let torch = || overloads().iter().filter(|overload| overload.until.is_none());
        match callee {
            Callee::Method => did_you_mean(name, torch().filter(|one| one.variants.method).map(Overload::operator)),
            Callee::Function(namespace) if [AT, "torch"].contains(&namespace.as_str()) => {
                let functions = torch().filter(|one| one.variants.function).map(Overload::operator);
                did_you_mean_as(name, functions, |near| format!("{namespace}::{near}"), str::to_owned)
            }
            Callee::Function(namespace) => {
                let names = self.callables.names(callee);
                did_you_mean_as(name, names.iter().copied(), |near| format!("{namespace}::{near}"), str::to_owned)
            }
            Callee::Open => None,
        }
    }

    /// The namespace of the library that has an operator of that name.
    pub(super) fn own_namespace(&self, name: &str) -> Option<&str> {
        let has = |namespace: &&str| {
            let callee = Callee::Function((*namespace).to_owned());
            *namespace != AT && !self.callables.find(&callee, name).is_empty()
        };
        self.callables.namespaces().find(has)
    }

    /// The operator of a signature.
    pub(super) fn schema(&self, signature: &Signature) -> &FunctionSchema {
        self.callables.schema(signature)
    }
}

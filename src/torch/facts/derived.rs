//! Kernels and formulas as things of their own, made of the facts about operators.
//!
//! An operator has its kernels and formulas among its facts. Here a kernel has all operators and
//! keys that it serves, and a formula all operators that are differentiated by it.
//!
//! Invariant: nothing is known here that the operators' facts lack, but the names that a formula
//! takes and calls, which its tree has. Things are in the order in which the operators name them
//! first.

use indexmap::IndexMap;

use super::TorchThing;
use super::types::{Derivatives, Direction, Formula, FormulaFacts, KernelFacts, OperatorFacts, Service, TorchFacts};
use torchgen_formula::{called, methods, open_names, parse};
use torchgen_kit::facts::{Place, Relation, Thing};
use torchgen_model::model::DispatchKey;

/// Which things are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct WantedThings {
    pub(crate) kernels: bool,
    pub(crate) formulas: bool,
}

/// The kernels, then the formulas, that the facts of operators have.
pub(crate) fn things(asked: WantedThings, operators: &[TorchThing]) -> Vec<TorchThing> {
    let facts = operators.iter().filter_map(|thing| Some((thing, thing.facts.of_operator()?)));
    let (mut kernels, mut formulas) = (IndexMap::new(), IndexMap::new());
    for (operator, facts) in facts {
        if asked.kernels {
            add_kernels(&mut kernels, operator, facts);
        }
        if asked.formulas {
            facts.derivatives.iter().for_each(|derivatives| add_formulas(&mut formulas, operator, derivatives));
        }
    }
    kernels.into_values().chain(formulas.into_values()).collect()
}

/// Adds the kernels of an operator to those of others.
fn add_kernels(kernels: &mut IndexMap<String, TorchThing>, operator: &TorchThing, facts: &OperatorFacts) {
    for kernel in &facts.dispatch {
        let thing = kernels.entry(kernel.function.clone()).or_insert_with(|| {
            let facts = KernelFacts { structured: kernel.structured, services: Vec::new() };
            Thing::new("kernel", kernel.function.clone(), TorchFacts::Kernel(facts))
        });
        add_relation(thing, "registered_for", operator);
        for signature in &operator.signatures {
            let is_native = matches!(signature.convention.as_ref(), "native" | "structured" | "stable");
            let is_own = is_native
                && kernel.function.strip_suffix(&signature.name).and_then(|scope| scope.strip_suffix("::"))
                    == Some(&signature.scope);
            if is_own && !thing.signatures.contains(signature) {
                thing.signatures.push(signature.clone());
            }
        }
        let TorchFacts::Kernel(facts) = &mut thing.facts else { continue };
        facts.services.push(Service {
            operator: operator.name.clone(),
            key: kernel.key.clone(),
            symint: kernel.symint,
            origin: kernel.origin,
            at: kernel.at.as_ref().map(|at| whole(at, operator)),
            through: kernel.through.clone(),
            when: kernel.when.clone(),
        });
    }
}

/// Adds the formulas of an operator to those of others.
fn add_formulas(formulas: &mut IndexMap<String, TorchThing>, operator: &TorchThing, derivatives: &Derivatives) {
    let backward = derivatives.backward.iter().map(|formula| (Direction::Backward, formula));
    let forward = derivatives.forward.iter().map(|formula| (Direction::Forward, formula));
    for (direction, formula) in backward.chain(forward) {
        let name = name_of(derivatives, direction, formula);
        let thing = formulas.entry(name).or_insert_with_key(|name| {
            let at = formula.at.as_ref().map(|at| whole(at, operator));
            let facts = formula_facts(derivatives, direction, formula);
            Thing { at, ..Thing::new("formula", name.clone(), TorchFacts::Formula(facts)) }
        });
        add_relation(thing, "differentiates", operator);
    }
}

/// `aten::mul.Tensor self`, `aten::mul.Tensor result (forward)`; with the key, if it is not that
/// of all backends.
fn name_of(derivatives: &Derivatives, direction: Direction, formula: &Formula) -> String {
    let serves_all = derivatives.key == DispatchKey::Autograd.as_str();
    let key = if serves_all { String::new() } else { format!(" for {}", derivatives.key) };
    let way = if direction == Direction::Forward { " (forward)" } else { "" };
    format!("{}{key} {}{way}", derivatives.of, formula.of.join(", "))
}

fn formula_facts(derivatives: &Derivatives, direction: Direction, formula: &Formula) -> FormulaFacts {
    let text = formula.formula.as_str();
    let tree = parse(text).ok();
    let mut names: Option<Vec<String>> = tree.as_ref().and_then(|tree| {
        let names = open_names(tree)?;
        Some(names.into_iter().map(|range| text[range].to_owned()).collect())
    });
    names.iter_mut().for_each(once);
    let tree = tree.as_ref();
    let mut functions = tree.map(|tree| called(tree).into_iter().map(|path| path.text()).collect());
    let mut of_objects = tree.map(|tree| methods(tree).into_iter().map(|method| method.name.clone()).collect());
    functions.iter_mut().chain(&mut of_objects).for_each(once);
    FormulaFacts {
        direction,
        key: derivatives.key,
        differentiates: formula.of.clone(),
        formula: formula.formula.clone(),
        node: derivatives.node.clone(),
        names,
        functions,
        methods: of_objects,
    }
}

/// Leaves each name only where it is first.
fn once(names: &mut Vec<String>) {
    let mut seen = rustc_hash::FxHashSet::default();
    names.retain(|name| seen.insert(name.clone()));
}

fn add_relation(thing: &mut TorchThing, kind: &'static str, operator: &TorchThing) {
    let relation = Relation::new(kind, operator.name.clone());
    if !thing.relations.contains(&relation) {
        thing.relations.push(relation);
    }
}

/// A place in an operator with its file, which is that of the operator if none is named.
fn whole(at: &Place, operator: &TorchThing) -> Place {
    let file = at.file.clone().or_else(|| operator.at.as_ref()?.file.clone());
    Place { file, ..at.clone() }
}

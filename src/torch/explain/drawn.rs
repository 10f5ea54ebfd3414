//! Operators as a graph: those of a group, their kernels, and the formulas of their derivatives.
//!
//! Invariant: boxes with square corners are what an author wrote, those with round corners are
//! generated.

use std::collections::BTreeMap;

use serde::Serialize;
use torchgen_base::lang::wrapped;
use torchgen_kit::picture::{Graph, Look, Picture};

use super::view::{at, formula_text, is_of_group};
use crate::torch::facts::{Derivatives, OperatorFacts, Origin, TorchThing};

/// The most letters of a line; longer texts go on in the next.
const WIDTH: usize = 44;

/// A picture, for the template.
#[derive(Debug, Serialize)]
pub(super) struct Drawn {
    picture: Picture,
}

/// The picture of operators that were asked for by this name.
pub(super) fn drawn(asked: &[&TorchThing], all: &[TorchThing], what: &str) -> Drawn {
    Drawn { picture: graph(asked, all).picture(vec![what.to_owned()]) }
}

/// The graph of operators, with the others of their groups.
pub(super) fn graph(asked: &[&TorchThing], all: &[TorchThing]) -> Graph {
    let mut graph = Graph::default();
    let is_drawn = |thing: &TorchThing| asked.iter().any(|own| own.name == thing.name || is_of_group(thing, own));
    let drawn = all.iter().filter(|thing| is_drawn(thing));
    let operators: Vec<_> = drawn.filter_map(|thing| Some((thing, thing.facts.of_operator()?))).collect();
    let boxes: BTreeMap<&str, usize> =
        operators.iter().map(|(thing, facts)| (thing.name.as_str(), operator(thing, facts, &mut graph))).collect();
    let mut first_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (thing, facts) in operators {
        let own = boxes[thing.name.as_str()];
        if let Some(group) = thing.related("group").next() {
            let first = *first_of.entry(group).or_insert(own);
            if first != own {
                graph.connect(first, own);
            }
        }
        kernels(thing, facts, own, &mut graph);
        for derivatives in &facts.derivatives {
            let lines = derivative_lines(derivatives, thing);
            let number = graph.add(Look::Node, lines);
            graph.connect(own, number);
        }
    }
    graph
}

fn operator(thing: &TorchThing, facts: &OperatorFacts, graph: &mut Graph) -> usize {
    let look = if facts.generated { Look::Leaf } else { Look::Node };
    let mut lines = wrapped(thing.schema.as_deref().unwrap_or(&thing.name), WIDTH);
    let place = at(thing.at.as_ref(), thing);
    lines.push(if facts.generated { format!("generated, {place}") } else { place });
    graph.add(look, lines)
}

/// Adds the kernels of an operator, but for those that it has from another one.
fn kernels(thing: &TorchThing, facts: &OperatorFacts, operator: usize, graph: &mut Graph) {
    // The keys of each function, in their order.
    let mut written: Vec<(&str, Vec<&str>, String)> = Vec::new();
    let mut generated: Vec<&str> = Vec::new();
    for kernel in facts.dispatch.iter().filter(|kernel| kernel.through.is_none()) {
        if matches!(kernel.origin, Origin::Generated | Origin::Registered) {
            generated.push(&kernel.key);
            continue;
        }
        match written.iter_mut().find(|(function, ..)| *function == kernel.function) {
            Some((_, keys, _)) => keys.push(&kernel.key),
            None => written.push((&kernel.function, vec![&kernel.key], at(kernel.at.as_ref(), thing))),
        }
    }
    for (function, keys, place) in written {
        let mut lines = wrapped(&keys.join(", "), WIDTH);
        lines.extend([function.to_owned(), place]);
        let number = graph.add(Look::Node, lines);
        graph.connect(operator, number);
    }
    if !generated.is_empty() {
        let mut lines = vec!["generated".to_owned()];
        lines.extend(wrapped(&generated.join(", "), WIDTH));
        let number = graph.add(Look::Leaf, lines);
        graph.connect(operator, number);
    }
}

fn derivative_lines(derivatives: &Derivatives, thing: &TorchThing) -> Vec<String> {
    let mut lines: Vec<String> = derivatives.node.clone().into_iter().collect();
    let formulas = derivatives.backward.iter().chain(&derivatives.forward).map(formula_text);
    lines.extend(formulas.flat_map(|text| wrapped(&format!("{}: {}", text.of, text.formula), WIDTH)));
    lines.push(at(derivatives.at.as_ref(), thing));
    lines
}

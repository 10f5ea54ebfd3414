//! Reduces a library that fails a check: to the operator, then argument by argument and term by
//! term, as long as it still fails the same check.
//!
//! All candidates of a round are built as one shared object. Steps that each keep the failure are
//! tried together then, so that few rounds are enough.

use super::Plan;
use super::build::{self, Failure};
use super::model::{Argument, Factor, Form, Function, Kind, Library, Operator, Out, Output, Tangent, Term};

/// How often a library is reduced before it is reported.
const ROUNDS: usize = 25;

/// Something that makes an operator smaller, or does nothing if what it is for is gone.
type Step = Box<dyn Fn(&mut Operator)>;

/// The smallest library that fails the check, with its failure.
pub(super) fn reduced(library: &Library, failure: &Failure, plan: &Plan) -> (Library, Failure) {
    let mut best = (library.clone(), failure.clone());
    if failure.check == "crash" || failure.check == "refused" {
        return best;
    }
    best.0.operators.retain(|o| o.name == failure.operator);
    for _ in 0..ROUNDS {
        let o = best.0.operators[0].clone();
        let all = steps(&o);
        let each: Vec<Vec<usize>> = (0..all.len()).map(|place| vec![place]).collect();
        let failing = still_failing(&o, &all, &each, failure, plan);
        let Some(first) = failing.first() else { break };
        let places: Vec<usize> = failing.iter().map(|(place, ..)| *place).collect();
        let (some, others) = places.split_at(places.len() / 2);
        let sets = [places.clone(), some.to_vec(), others.to_vec()];
        let together = match places.len() {
            1 => Vec::new(),
            _ => still_failing(&o, &all, &sets, failure, plan),
        };
        let (_, library, failure) = together.first().unwrap_or(first);
        best = (library.clone(), failure.clone());
    }
    best
}

/// The sets of steps, by their places, after which the operator still fails the check.
fn still_failing(
    o: &Operator,
    steps: &[Step],
    sets: &[Vec<usize>],
    failure: &Failure,
    plan: &Plan,
) -> Vec<(usize, Library, Failure)> {
    let mut candidates: Vec<(usize, Library)> = Vec::new();
    for (place, set) in sets.iter().enumerate() {
        let mut smaller = o.clone();
        // From the last one, so that what is removed does not change the places of others.
        for step in set.iter().rev() {
            steps[*step](&mut smaller);
            smaller.settle();
        }
        if format!("{smaller:?}") != format!("{o:?}") {
            let name = format!("smaller{place}");
            smaller.name = format!("{name}_op");
            candidates.push((place, Library { name, operators: vec![smaller] }));
        }
    }
    let libraries: Vec<Library> = candidates.iter().map(|(_, library)| library.clone()).collect();
    let refused = build::refused(&libraries);
    candidates.retain(|(_, library)| refused.iter().all(|(name, _)| *name != library.name));
    if candidates.is_empty() {
        return Vec::new();
    }
    let libraries: Vec<Library> = candidates.iter().map(|(_, library)| library.clone()).collect();
    let plan = Plan { compiled: 1, ..plan.clone() };
    let found = build::runs(&libraries, &plan, Some((failure.run, &failure.check))).failures();
    let fails = |(place, library): (usize, Library)| {
        let failure = found.iter().find(|one| one.is_of(&library) && one.check == failure.check)?;
        Some((place, library, failure.clone()))
    };
    candidates.into_iter().filter_map(fails).collect()
}

/// Gives all arguments and outputs names without a meaning, but for `self`.
pub(super) fn with_plain_names(library: &mut Library) {
    for o in &mut library.operators {
        for a in o.arguments.iter_mut().filter(|a| a.name != "self") {
            a.name = format!("plain{}", a.id);
        }
        for (place, output) in o.outputs.iter_mut().enumerate() {
            output.name = output.name.as_ref().map(|_| format!("out{place}"));
        }
    }
}

/// The steps, those with the largest effect first.
fn steps(o: &Operator) -> Vec<Step> {
    let mut all: Vec<Step> = Vec::new();
    for a in o.arguments.iter().skip(1) {
        let id = a.id;
        all.push(Box::new(move |o| without(o, id)));
    }
    for place in 0..o.outputs.len() {
        if place > 0 {
            all.push(Box::new(move |o| {
                if o.outputs.len() > place {
                    o.outputs.remove(place);
                    drop_unused(o);
                }
            }));
            all.push(Box::new(move |o| {
                if o.outputs.len() > place {
                    let removed = o.outputs.remove(place);
                    keep_used(o, removed);
                    drop_unused(o);
                }
            }));
        }
        for term in 0..o.outputs[place].terms.len() {
            all.push(in_output(place, move |output| {
                if output.terms.len() > 1 && output.terms.len() > term {
                    output.terms.remove(term);
                }
            }));
            all.push(in_term(place, term, |term| term.number = 1));
            for factor in 0..o.outputs[place].terms[term].factors.len() {
                all.push(in_term(place, term, move |term| {
                    if factor < term.factors.len() {
                        term.factors.remove(factor);
                    }
                }));
            }
        }
        all.push(in_output(place, |output| output.total = false));
        all.push(in_output(place, |output| output.differentiable = true));
        all.push(in_output(place, move |output| output.name = output.name.as_ref().map(|_| format!("out{place}"))));
    }
    all.push(Box::new(|o| o.form = Form::Tensors));
    all.push(Box::new(|o| o.inplace = false));
    all.push(Box::new(|o| o.out = Out::None));
    all.push(Box::new(|o| o.tangent = Tangent::None));
    all.push(Box::new(|o| o.tests_gradients = false));
    all.push(Box::new(|o| o.saves_results = false));
    all.push(Box::new(|o| o.calls_functions = false));
    all.push(Box::new(|o| o.complex = false));
    for a in &o.arguments {
        let id = a.id;
        all.push(Box::new(move |o| {
            for factor in o.outputs.iter_mut().flat_map(|output| &mut output.terms).flat_map(|term| &mut term.factors) {
                if factor.argument == id {
                    factor.function = Function::Itself;
                }
            }
        }));
        if id == o.first().id {
            all.push(in_argument(id, |a| a.name = "self".to_owned()));
        } else {
            all.push(in_argument(id, |a| a.default = false));
            all.push(in_argument(id, |a| a.keyword = false));
            all.push(in_argument(id, |a| a.name = format!("plain{}", a.id)));
        }
    }
    all
}

/// Moves what only a removed output used into the first one, so that the arguments stay.
fn keep_used(o: &mut Operator, removed: Output) {
    let used = |o: &Operator, id: usize| {
        o.outputs.iter().flat_map(|output| &output.terms).flat_map(|term| &term.factors).any(|f| f.argument == id)
    };
    for factor in removed.terms.into_iter().flat_map(|term| term.factors) {
        if !used(o, factor.argument) {
            o.outputs[0].terms[0].factors.push(factor);
        }
    }
}

fn in_argument(id: usize, change: impl Fn(&mut Argument) + 'static) -> Step {
    Box::new(move |o| o.arguments.iter_mut().filter(|a| a.id == id).for_each(&change))
}

fn in_output(place: usize, change: impl Fn(&mut Output) + 'static) -> Step {
    Box::new(move |o| {
        if let Some(output) = o.outputs.get_mut(place) {
            change(output);
            drop_unused(o);
        }
    })
}

fn in_term(place: usize, term: usize, change: impl Fn(&mut Term) + 'static) -> Step {
    in_output(place, move |output| {
        if let Some(term) = output.terms.get_mut(term) {
            change(term);
        }
    })
}

/// Removes an argument.
fn without(o: &mut Operator, id: usize) {
    o.arguments.retain(|a| a.id != id);
    for term in o.outputs.iter_mut().flat_map(|output| &mut output.terms) {
        term.factors.retain(|factor| factor.argument != id);
    }
    drop_unused(o);
}

/// Each term gets a factor of the outputs' size, and arguments that no output has are removed.
fn drop_unused(o: &mut Operator) {
    let Some(first) = o.arguments.iter().find(|a| a.kind == Kind::Tensor).map(|a| a.id) else { return };
    let function = o
        .outputs
        .iter()
        .flat_map(|output| &output.terms)
        .flat_map(|term| &term.factors)
        .find(|factor| factor.argument == first)
        .map_or(Function::Itself, |factor| factor.function);
    let whole: Vec<usize> = o.arguments.iter().filter(|a| a.kind.is_whole()).map(|a| a.id).collect();
    for term in o.outputs.iter_mut().flat_map(|output| &mut output.terms) {
        if !term.factors.iter().any(|factor| whole.contains(&factor.argument)) {
            term.factors.insert(0, Factor { argument: first, function });
        }
    }
    o.settle();
    let used = |id: usize| {
        let outputs = o.outputs.iter().filter(|output| output.differentiable);
        outputs.flat_map(|output| &output.terms).flat_map(|term| &term.factors).any(|factor| factor.argument == id)
    };
    let unused: Vec<usize> =
        o.arguments.iter().filter(|a| a.kind.is_differentiable() && !used(a.id)).map(|a| a.id).collect();
    if unused.contains(&first) {
        o.outputs[0].terms[0].factors.insert(0, Factor { argument: first, function });
    }
    for id in unused.into_iter().filter(|id| *id != first) {
        o.arguments.retain(|a| a.id != id);
        for term in o.outputs.iter_mut().flat_map(|output| &mut output.terms) {
            term.factors.retain(|factor| factor.argument != id);
        }
    }
}

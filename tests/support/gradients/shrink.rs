//! Reduces a library that fails a check: to the operator, then argument by argument and term by
//! term, as long as it still fails the same check.
//!
//! All candidates of a round are built as one shared object.

use super::build::{self, Failure};
use super::model::{Factor, Function, Kind, Library, Operator, Out, Tangent};

/// How often a library is reduced before it is reported.
const ROUNDS: usize = 25;

/// The smallest library that fails the check, with its failure.
pub(super) fn reduced(library: &Library, failure: &Failure) -> (Library, Failure) {
    let mut best = (library.clone(), failure.clone());
    // Facts of both ABIs are not compared in a run of one.
    if failure.check.contains(' ') || failure.check == "crash" || failure.check == "refused" {
        return best;
    }
    best.0.operators.retain(|o| o.name == failure.operator);
    for _ in 0..ROUNDS {
        let mut candidates = candidates(&best.0);
        for (place, candidate) in candidates.iter_mut().enumerate() {
            candidate.name = format!("smaller{place}");
            candidate.operators[0].name = format!("smaller{place}_op");
        }
        candidates.retain(|candidate| build::accepted(candidate).is_ok());
        let runs = build::runs(&candidates, 1, Some((failure.run, &failure.check)));
        let found = runs.failures();
        let next = candidates.into_iter().find_map(|candidate| {
            let failure = found.iter().find(|one| one.is_of(&candidate) && one.check == failure.check)?;
            Some((candidate, failure.clone()))
        });
        match next {
            Some(next) => best = next,
            None => break,
        }
    }
    best
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

/// Libraries that are a step smaller, those with the largest step first.
fn candidates(library: &Library) -> Vec<Library> {
    let o = &library.operators[0];
    let mut all: Vec<Operator> = Vec::new();
    let mut add = |change: &dyn Fn(&mut Operator)| {
        let mut smaller = o.clone();
        change(&mut smaller);
        smaller.settle();
        if format!("{smaller:?}") != format!("{o:?}") {
            all.push(smaller);
        }
    };
    for a in o.arguments.iter().skip(1) {
        add(&|o| without(o, a.id));
    }
    for place in 0..o.outputs.len() {
        if o.outputs.len() > 1 {
            add(&|o| {
                o.outputs.remove(place);
                drop_unused(o);
            });
        }
        for term in 0..o.outputs[place].terms.len() {
            if o.outputs[place].terms.len() > 1 {
                add(&|o| {
                    o.outputs[place].terms.remove(term);
                    drop_unused(o);
                });
            }
            add(&|o| o.outputs[place].terms[term].number = 1);
            for factor in 0..o.outputs[place].terms[term].factors.len() {
                add(&|o| {
                    o.outputs[place].terms[term].factors.remove(factor);
                    drop_unused(o);
                });
            }
        }
        add(&|o| o.outputs[place].total = false);
        add(&|o| o.outputs[place].differentiable = true);
        add(&|o| {
            if o.outputs[place].name.is_some() {
                o.outputs[place].name = Some(format!("out{place}"));
            }
        });
    }
    add(&|o| o.inplace = false);
    add(&|o| o.out = Out::None);
    add(&|o| o.tangent = Tangent::None);
    add(&|o| o.tests_gradients = false);
    add(&|o| o.saves_results = false);
    add(&|o| o.calls_functions = false);
    for place in 1..o.arguments.len() {
        add(&|o| o.arguments[place].default = false);
        add(&|o| o.arguments[place].keyword = false);
        add(&|o| o.arguments[place].name = format!("plain{}", o.arguments[place].id));
    }
    for a in &o.arguments {
        let id = a.id;
        add(&|o| {
            for factor in o.outputs.iter_mut().flat_map(|output| &mut output.terms).flat_map(|term| &mut term.factors) {
                if factor.argument == id {
                    factor.function = Function::Itself;
                }
            }
        });
    }
    all.into_iter().map(|o| Library { name: library.name.clone(), operators: vec![o] }).collect()
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

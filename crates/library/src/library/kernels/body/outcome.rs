//! What a function returns, as far as that says how it can be registered: how many tensors a list
//! has, and whether it calls functions that record gradients.
//!
//! Invariant: a number of results is that of each `return`.

use std::collections::HashMap;

use super::calls::{Named, ROUNDS};
use super::code::{Assigns, Code};
use super::{Does, Effects, KEEPING};
use torchgen_base::lang::cpp::Definition;

/// What a body shows of its results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in super::super) struct Outcome {
    results: Option<Results>,
    /// The class whose `apply` it calls.
    pub(in super::super) applied: Option<String>,
}

/// The results of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Results {
    /// A list of so many.
    Count(usize),
    /// Those of a function that is called with so many arguments.
    Of(String, usize),
}

/// What a body shows.
pub(in super::super) fn outcome(text: &str, definition: &Definition) -> Outcome {
    let code = Code::new(text, &definition.body);
    let mut all: Vec<Option<Results>> = Vec::new();
    let mut applied = None;
    for at in 0..code.len() {
        match code.word(at) {
            "return" if !code.is_in_lambda(at) => all.push(results_at(&code, at + 1)),
            "apply" if code.back(at, 1) == "::" && code.word(at + 1) == "(" && at >= 2 && code.is_name(at - 2) => {
                applied = applied.or(Some(code.word(at - 2).to_owned()));
            }
            _ => {}
        }
    }
    let first = all.first().cloned().flatten();
    let results = first.filter(|first| all.iter().all(|one| one.as_ref() == Some(first)));
    Outcome { results, applied }
}

/// The results of an expression.
fn results_at(code: &Code<'_>, at: usize) -> Option<Results> {
    match code.word(at) {
        "{" => listed(code, at),
        _ if !code.is_name(at) && code.word(at) != "::" => None,
        word if code.word(at + 1) == ";" => variable(code, word),
        _ => {
            let open = (at..code.len().min(at + 40)).find(|open| matches!(code.word(*open), "(" | "{" | ";"))?;
            let (name, first) = code.called(open).filter(|(_, first)| *first == at)?;
            if code.word(code.partner(open)? + 1) != ";" {
                return None;
            }
            match (code.word(name), code.word(open)) {
                ("vector", "{") => listed(code, open),
                ("vector", "(") if code.word(open + 1) == "{" => listed(code, open + 1),
                ("vector", _) => None,
                (_, "(") => {
                    let count = code.argument(open, open + 1).map_or(0, |(_, count)| count);
                    Some(Results::Of(code.joined(first..name + 1), count))
                }
                _ => None,
            }
        }
    }
}

/// The number of values in braces.
fn listed(code: &Code<'_>, open: usize) -> Option<Results> {
    let close = code.partner(open)?;
    let (_, count) = code.argument(open, open + 1)?;
    (close > open + 1).then_some(Results::Count(count))
}

/// The results that a variable has from its declaration to the end.
fn variable(code: &Code<'_>, name: &str) -> Option<Results> {
    let mut found = None;
    for at in (0..code.len()).filter(|at| code.word(*at) == name) {
        let behind = code.word(at + 1);
        if matches!(behind, "." | "->") && (KEEPING.contains(&code.word(at + 2)) || code.word(at + 2) == "resize") {
            return None;
        }
        let is_declared = at > 0 && (code.is_name(at - 1) || code.back(at, 1) == ">");
        match behind {
            "{" if is_declared && code.back(at, 1) == ">" => found = listed(code, at + 1),
            "=" if is_declared && code.assigns(at + 1) == Some(Assigns::Plain) => found = results_at(code, at + 2),
            _ if code.assigns(at + 1).is_some() => return None,
            _ => {}
        }
    }
    found
}

/// For each function, the parameters that it returns because a function does that it returns the
/// result of; with the methods that may have copied them before.
pub(in super::super) fn returned(
    named: &Named<'_>,
    outcomes: &[Outcome],
    effects: &[&Effects],
) -> Vec<Vec<(usize, Option<&'static str>)>> {
    let own = |effects: &&Effects| {
        let found = effects.first_of_each_parameter(Does::Returns);
        found.into_iter().map(|effect| (effect.parameter, effect.unless)).collect::<Vec<_>>()
    };
    let mut all: Vec<Vec<(usize, Option<&'static str>)>> = effects.iter().map(own).collect();
    for _ in 0..ROUNDS {
        let mut added = Vec::new();
        for (at, outcome) in outcomes.iter().enumerate() {
            let Some(Results::Of(name, count)) = &outcome.results else { continue };
            for pass in effects[at].passes.iter().filter(|pass| pass.function == *name && pass.argument.1 == *count) {
                let called = named.of_name(name, *count);
                let returns = |called: &usize| all[*called].iter().any(|(own, _)| *own == pass.argument.0);
                let is_known = all[at].iter().any(|(own, _)| *own == pass.parameter);
                if !called.is_empty() && called.iter().all(returns) && !is_known && !pass.is_memory {
                    added.push((at, (pass.parameter, pass.unless)));
                }
            }
        }
        if added.is_empty() {
            break;
        }
        added.into_iter().for_each(|(at, one)| all[at].push(one));
    }
    all
}

/// For each function, how many results its list has.
pub(in super::super) fn results(named: &Named<'_>, outcomes: &[Outcome]) -> Vec<Option<usize>> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for _ in 0..ROUNDS {
        let before = counts.len();
        for (at, outcome) in outcomes.iter().enumerate().filter(|(_, outcome)| outcome.results.is_some()) {
            let count = match &outcome.results {
                Some(Results::Count(count)) => Some(*count),
                Some(Results::Of(name, arguments)) => {
                    let called: Vec<Option<usize>> =
                        named.of_name(name, *arguments).iter().map(|at| counts.get(at).copied()).collect();
                    called.first().copied().flatten().filter(|first| called.iter().all(|one| one == &Some(*first)))
                }
                None => None,
            };
            counts.extend(count.map(|count| (at, count)));
        }
        if counts.len() == before {
            break;
        }
    }
    (0..outcomes.len()).map(|at| counts.get(&at).copied()).collect()
}

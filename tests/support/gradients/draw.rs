//! The library of a seed.

use super::model::{Argument, Derivative, Factor, Form, Function, Kind, Library, Operator, Out, Output, Tangent, Term};
use super::names;
use crate::support::random::Random;

/// Kinds of arguments besides the first tensor, the more frequent ones several times.
const KINDS: [Kind; 25] = [
    Kind::Tensor,
    Kind::Tensor,
    Kind::Tensor,
    Kind::Row,
    Kind::Row,
    Kind::MaybeTensor,
    Kind::MaybeTensor,
    Kind::Tensors,
    Kind::Tensors,
    Kind::MaybeTensors,
    Kind::MaybeList,
    Kind::State,
    Kind::Float,
    Kind::Float,
    Kind::Int,
    Kind::SymInt,
    Kind::Bool,
    Kind::Str,
    Kind::MaybeFloat,
    Kind::Number,
    Kind::MaybeNumber,
    Kind::Ints,
    Kind::SymInts,
    Kind::Dtype,
    Kind::Device,
];

const FUNCTIONS: [Function; 5] =
    [Function::Itself, Function::Itself, Function::Square, Function::Sine, Function::Exponential];

/// The library of a seed, the same on every machine.
pub(crate) fn library(seed: u64) -> Library {
    let mut random = Random(seed);
    let count = 1 + random.below(8);
    Library {
        name: format!("seed{seed}"),
        operators: (0..count).map(|place| operator(&mut random, format!("seed{seed}_op{place}"))).collect(),
    }
}

fn one<T: Copy>(random: &mut Random, all: &[T]) -> T {
    *random.pick(all).expect("there is one")
}

fn operator(random: &mut Random, name: String) -> Operator {
    let mut taken = vec!["self".to_owned()];
    let arguments = arguments(random, &mut taken);
    let outputs = outputs(random, &arguments, &mut taken);
    let form = form(random, &arguments);
    let mut operator = Operator {
        name,
        arguments,
        outputs,
        form,
        inplace: random.below(3) > 0,
        out: one(random, &[Out::None, Out::Generated, Out::Written]),
        tangent: one(
            random,
            &[
                Tangent::Formula,
                Tangent::Linear,
                Tangent::ElementWise,
                Tangent::Linear,
                Tangent::ElementWise,
                Tangent::None,
            ],
        ),
        derivative: match random.below(14) {
            0 => Derivative::Missing,
            1 => Derivative::Never,
            2..=5 => Derivative::Joint,
            _ => Derivative::Each,
        },
        tests_gradients: random.once_in(2),
        saves_results: random.once_in(2),
        calls_functions: random.once_in(3),
        complex: random.once_in(2),
    };
    operator.settle();
    operator
}

fn form(random: &mut Random, arguments: &[Argument]) -> Form {
    let decides = arguments.iter().find(|a| matches!(a.kind, Kind::MaybeTensor | Kind::Bool));
    match (random.below(10), decides) {
        (0, _) => Form::List,
        // Operators with one argument are a fifth.
        (1..=3, _) if arguments.len() == 1 => Form::View,
        (1..=5, Some(a)) => Form::Maybe(a.id),
        _ => Form::Tensors,
    }
}

/// A name that is new, or one without a meaning.
fn name(random: &mut Random, taken: &mut Vec<String>, plain: &str) -> String {
    let drawn = match random.below(4) {
        0 => None,
        _ => random.pick(names::all()).filter(|name| !taken.contains(name) && !names::is_in_formulas(name)).cloned(),
    };
    let name = drawn.unwrap_or_else(|| format!("{plain}{}", taken.len()));
    taken.push(name.clone());
    name
}

fn arguments(random: &mut Random, taken: &mut Vec<String>) -> Vec<Argument> {
    let first = if random.below(3) > 0 { "self".to_owned() } else { name(random, taken, "a") };
    let mut arguments = vec![Argument { id: 0, name: first, kind: Kind::Tensor, keyword: false, default: false }];
    for id in 1..=random.below(5) {
        let kind = one(random, &KINDS);
        let id = usize::try_from(id).expect("a small number");
        arguments.push(Argument { id, name: name(random, taken, "a"), kind, keyword: false, default: false });
    }
    // The last ones are given by keyword only or have defaults, or both.
    let count = arguments.len();
    let keywords = 1 + usize::try_from(random.below(4)).expect("a small number");
    let defaults = 1 + usize::try_from(random.below(4)).expect("a small number");
    for (place, argument) in arguments.iter_mut().enumerate() {
        argument.keyword = place >= keywords.max(count.saturating_sub(2)) && argument.kind != Kind::State;
        argument.default = place >= defaults && has_default(argument.kind);
    }
    // What follows a default by position needs one too.
    let mut needed = false;
    for argument in arguments.iter_mut().filter(|a| !a.keyword) {
        argument.default &= has_default(argument.kind);
        needed |= argument.default;
        if needed && !argument.default {
            argument.default = has_default(argument.kind);
        }
    }
    let without = arguments.iter().rposition(|a| !a.keyword && !a.default);
    for argument in arguments.iter_mut().take(without.unwrap_or_default()).filter(|a| !a.keyword) {
        argument.default = false;
    }
    arguments.sort_by_key(|argument| argument.keyword);
    arguments
}

/// Whether the schema can have a default for the kind.
fn has_default(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Tensor | Kind::Row | Kind::Tensors | Kind::MaybeTensors | Kind::State | Kind::Device | Kind::Dtype
    )
}

fn outputs(random: &mut Random, arguments: &[Argument], taken: &mut Vec<String>) -> Vec<Output> {
    // By id, so that a list has the same function in all terms.
    let mut functions = vec![Function::Itself; arguments.len()];
    for a in arguments {
        functions[a.id] = match a.kind {
            Kind::Tensor => one(random, &FUNCTIONS),
            Kind::Tensors => one(random, &[Function::Itself, Function::Square]),
            _ => Function::Itself,
        };
    }
    let count = one(random, &[1, 1, 1, 2, 2, 3]);
    let named = random.below(3) > 0;
    let mut outputs: Vec<Output> = (0..count)
        .map(|place| Output {
            name: (named && count > 1).then(|| name(random, taken, "r")),
            total: random.once_in(4),
            differentiable: place == 0 || random.below(4) > 0,
            terms: terms(random, arguments, &functions),
        })
        .collect();
    // Each tensor with gradients is in an output that has gradients.
    for a in arguments.iter().filter(|a| a.kind.is_differentiable()) {
        let used = outputs.iter().filter(|output| output.differentiable).flat_map(|output| &output.terms);
        if used.flat_map(|term| &term.factors).all(|factor| factor.argument != a.id) {
            let term = Term { number: 1, factors: with_first(a, arguments, &functions) };
            outputs[0].terms.push(term);
        }
    }
    outputs
}

/// A factor of an argument, with the first tensor if it does not have its size.
fn with_first(a: &Argument, arguments: &[Argument], functions: &[Function]) -> Vec<Factor> {
    let factor = |a: &Argument| Factor { argument: a.id, function: functions[a.id] };
    match a.kind.is_whole() {
        true => vec![factor(a)],
        false => vec![factor(&arguments[0]), factor(a)],
    }
}

fn terms(random: &mut Random, arguments: &[Argument], functions: &[Function]) -> Vec<Term> {
    let mut terms = Vec::new();
    for place in 0..=random.below(3) {
        let mut factors = Vec::new();
        if place == 0 || random.once_in(2) {
            factors.push(Factor { argument: 0, function: functions[0] });
        }
        for a in arguments.iter().skip(1).filter(|a| a.kind.is_factor()) {
            if random.once_in(2) {
                factors.push(Factor { argument: a.id, function: functions[a.id] });
            }
        }
        let whole = |f: &Factor| arguments.iter().any(|a| a.id == f.argument && a.kind.is_whole());
        if !factors.iter().any(whole) {
            factors.insert(0, Factor { argument: 0, function: functions[0] });
        }
        terms.push(Term { number: 1 + random.below(3), factors });
    }
    terms
}

//! The formulas of an operator for derivatives.yaml, from the rules for sums and products.
//!
//! Invariant: a formula is differentiable again, and has the size of its input.

use super::model::{Argument, Derivative, Factor, Form, Function, Kind, Operator, Output, Tangent, Term};

/// The keys of an operator's entry with their values, in order.
pub(super) fn entry(o: &Operator) -> Vec<(String, String)> {
    let mut entry = Vec::new();
    if o.outputs.iter().any(|output| !output.differentiable) {
        let flags: Vec<&str> =
            o.outputs.iter().map(|output| if output.differentiable { "True" } else { "False" }).collect();
        entry.push(("output_differentiability".to_owned(), format!("[{}]", flags.join(", "))));
    }
    match (o.derivative, o.product()) {
        (Derivative::Joint, Some([one, other])) => entry.push(joint(o, one, other)),
        _ => entry.extend(o.differentiable().map(|a| (a.name.clone(), gradient(o, a)))),
    }
    let without = o.arguments.iter().filter(|a| a.kind == Kind::MaybeList);
    entry.extend(without.map(|a| (a.name.clone(), "non_differentiable".to_owned())));
    let of = |place: usize, output: &Output| match &output.name {
        Some(name) => name.clone(),
        None if o.outputs.len() == 1 => "result".to_owned(),
        None => format!("result{place}"),
    };
    match o.tangent {
        Tangent::None => {}
        Tangent::Linear => entry.push((of(0, &o.outputs[0]), "auto_linear".to_owned())),
        Tangent::ElementWise => entry.push((of(0, &o.outputs[0]), "auto_element_wise".to_owned())),
        Tangent::Formula if o.form == Form::View => {
            entry.push(("result".to_owned(), format!("{}_t.transpose(0, 1)", o.first().name)));
        }
        Tangent::Formula => {
            let all = o.outputs.iter().enumerate().filter(|(_, output)| output.differentiable);
            entry.extend(all.map(|(place, output)| (of(place, output), tangent(o, output))));
        }
    }
    entry
}

/// One formula for the two tensors of a product.
fn joint(o: &Operator, one: &Argument, other: &Argument) -> (String, String) {
    let term = &o.outputs[0].terms[0];
    let rest: String = numbers(o, term).iter().map(|number| format!(" * {number}")).collect();
    let formula = format!(
        "product_backward(grad{rest}, wrap_opt_if({}, grad_input_mask[1]), wrap_opt_if({}, grad_input_mask[0]), grad_input_mask)",
        one.name, other.name
    );
    (format!("{}, {}", one.name, other.name), formula)
}

/// The gradient of an argument.
fn gradient(o: &Operator, a: &Argument) -> String {
    if o.form == Form::View {
        return "grad.transpose(0, 1)".to_owned();
    }
    let differentiable: Vec<&Output> = o.outputs.iter().filter(|output| output.differentiable).collect();
    let tests = o.tests_gradients && differentiable.len() > 1;
    let sized = |text: String| match a.kind {
        Kind::Row => format!("({text}).sum_to_size_symint({}.sym_sizes())", a.name),
        _ => text,
    };
    let mut parts = Vec::new();
    for (place, output) in differentiable.iter().enumerate() {
        let grad = match (&output.name, differentiable.len()) {
            _ if o.form == Form::List => "joined(grads)".to_owned(),
            (_, 1) => "grad".to_owned(),
            (Some(name), _) => format!("grad_{name}"),
            (None, _) => format!("grads[{place}]"),
        };
        let has = |term: &&Term| term.factors.iter().any(|factor| factor.argument == a.id);
        let terms: Vec<String> =
            output.terms.iter().filter(has).map(|term| partial(o, output, term, a, &grad)).collect();
        if terms.is_empty() {
            continue;
        }
        let sum = terms.join(" + ");
        parts.push(if tests { format!("({grad}.defined() ? {} : Tensor())", sized(sum)) } else { sum });
    }
    let sum = match (tests, parts.len()) {
        (_, 0) => unreachable!("each argument is in an output"),
        (true, _) => parts.into_iter().reduce(|sum, part| format!("added({sum}, {part})")).unwrap_or_default(),
        (false, _) => sized(parts.join(" + ")),
    };
    let sum = match dtype(o) {
        Some(dtype) if !tests => format!("({sum}).to({dtype})"),
        _ => sum,
    };
    let function = function_of(o, a);
    match (a.kind, function) {
        (Kind::Tensors, Function::Square) => format!("doubled({sum}, {})", a.name),
        (Kind::Tensors, _) => format!("spread({sum}, {}.size())", a.name),
        (Kind::MaybeTensors, _) => format!("spread_some({sum}, {})", a.name),
        _ => sum,
    }
}

/// The name of an argument that gradients are converted to.
fn dtype(o: &Operator) -> Option<&str> {
    o.arguments.iter().find(|a| a.kind == Kind::Dtype).map(|a| a.name.as_str())
}

/// The function of an argument, which all its factors have.
fn function_of(o: &Operator, a: &Argument) -> Function {
    let mut factors = o.outputs.iter().flat_map(|output| &output.terms).flat_map(|term| &term.factors);
    factors.find(|factor| factor.argument == a.id).map_or(Function::Itself, |factor| factor.function)
}

/// The derivative of a term, times a gradient.
fn partial(o: &Operator, output: &Output, term: &Term, a: &Argument, grad: &str) -> String {
    let factor = term.factors.iter().find(|factor| factor.argument == a.id).expect("the term has the argument");
    let is_saved = o.saves_results
        && o.form == Form::Tensors
        && factor.function == Function::Exponential
        && output.terms.len() == 1
        && o.constants(output).next().is_none()
        && !output.total;
    if is_saved {
        let place = o.outputs.iter().position(|other| std::ptr::eq(other, output)).unwrap_or_default();
        let result = match (&output.name, o.outputs.len()) {
            (Some(name), _) => name.clone(),
            (None, 1) => "result".to_owned(),
            (None, _) => format!("result{place}"),
        };
        return format!("{grad} * {}", conjugate(o, result));
    }
    let mut text = grad.to_owned();
    for number in numbers(o, term) {
        text = format!("{text} * {number}");
    }
    let mut is_whole = !output.total;
    let mut maybe = Vec::new();
    for other in &term.factors {
        let argument = o.argument(other.argument);
        if other == factor {
            if let (false, Some(slope)) = (a.kind.is_list(), slope(o, factor.function, &a.name)) {
                text = format!("{text} * {}", conjugate(o, slope));
                is_whole |= a.kind.is_whole();
            }
        } else if argument.kind == Kind::MaybeTensor {
            maybe.push(argument.name.as_str());
        } else if argument.kind.is_differentiable() {
            text = format!("{text} * {}", conjugate(o, value(o, argument, other.function, &argument.name)));
            is_whole |= argument.kind.is_whole();
        }
    }
    if !is_whole {
        text = format!("({text}).expand_symint({}.sym_sizes())", o.first().name);
    }
    for name in maybe {
        text = format!("({name}.defined() ? {text} * {name} : {text})");
    }
    text
}

/// A factor of a gradient, of which autograd's convention needs the conjugate.
fn conjugate(o: &Operator, factor: String) -> String {
    if o.complex { called(o, "conj", &factor) } else { factor }
}

/// The numbers of a term as C++.
fn numbers(o: &Operator, term: &Term) -> Vec<String> {
    let mut numbers = Vec::new();
    if term.number != 1 {
        numbers.push(term.number.to_string());
    }
    for factor in &term.factors {
        let Argument { name, kind, .. } = o.argument(factor.argument);
        match kind {
            Kind::Float | Kind::Int | Kind::SymInt | Kind::Number => numbers.push(name.clone()),
            Kind::Bool => numbers.push(format!("({name} ? 2 : 3)")),
            Kind::Str => numbers.push(format!("({name} == \"two\" ? 2 : 3)")),
            Kind::MaybeFloat | Kind::MaybeNumber => numbers.push(format!("({name}.has_value() ? *{name} : 1.0)")),
            Kind::Ints | Kind::SymInts => numbers.push(format!("{name}[0]")),
            _ => {}
        }
    }
    numbers
}

/// The derivative of a function, which 1 has no text for.
fn slope(o: &Operator, function: Function, name: &str) -> Option<String> {
    match function {
        Function::Itself => None,
        Function::Square => Some(format!("(2 * {name})")),
        Function::Sine => Some(called(o, "cos", name)),
        Function::Exponential => Some(called(o, "exp", name)),
    }
}

fn called(o: &Operator, function: &str, name: &str) -> String {
    if o.calls_functions { format!("at::{function}({name})") } else { format!("{name}.{function}()") }
}

/// The value of a factor.
fn value(o: &Operator, a: &Argument, function: Function, name: &str) -> String {
    match (a.kind, function) {
        (Kind::Tensors, Function::Square) => format!("summed_squares({name})"),
        (Kind::Tensors, _) => format!("summed({name})"),
        (Kind::MaybeTensors, _) => format!("summed_some({name})"),
        (_, Function::Itself) => name.to_owned(),
        (_, Function::Square) => format!("({name} * {name})"),
        (_, Function::Sine) => called(o, "sin", name),
        (_, Function::Exponential) => called(o, "exp", name),
    }
}

/// The tangent of an output.
fn tangent(o: &Operator, output: &Output) -> String {
    let terms: Vec<String> = output.terms.iter().map(|term| tangent_of(o, term)).collect();
    let sum = terms.join(" + ");
    if output.total { format!("({sum}).sum()") } else { sum }
}

/// The tangent of a term.
fn tangent_of(o: &Operator, term: &Term) -> String {
    let is_plain = |factor: &&Factor| {
        let kind = o.argument(factor.argument).kind;
        kind.is_differentiable() && kind != Kind::MaybeTensor
    };
    let plain: Vec<&Factor> = term.factors.iter().filter(is_plain).collect();
    let numbers: String = numbers(o, term).iter().map(|number| format!(" * {number}")).collect();
    let primal = |factor: &Factor| {
        let a = o.argument(factor.argument);
        match (a.kind, factor.function) {
            (Kind::Tensors, Function::Square) => format!("primal_squares({})", a.name),
            (Kind::Tensors, _) => format!("primal_sum({})", a.name),
            _ => value(o, a, factor.function, &format!("{}_p", a.name)),
        }
    };
    let moved = |factor: &Factor| {
        let a = o.argument(factor.argument);
        match (a.kind, factor.function) {
            (Kind::Tensors, Function::Square) => format!("tangent_squares({})", a.name),
            (Kind::Tensors, _) => format!("tangent_sum({})", a.name),
            _ => match slope(o, factor.function, &format!("{}_p", a.name)) {
                Some(slope) => format!("{}_t * {slope}", a.name),
                None => format!("{}_t", a.name),
            },
        }
    };
    let product = |of: Option<usize>| {
        let parts = plain.iter().enumerate();
        let parts: Vec<String> =
            parts.map(|(place, factor)| if Some(place) == of { moved(factor) } else { primal(factor) }).collect();
        format!("{}{numbers}", parts.join(" * "))
    };
    let mut moved: String = (0..plain.len()).map(|place| product(Some(place))).collect::<Vec<_>>().join(" + ");
    let mut value = product(None);
    for factor in &term.factors {
        let a = o.argument(factor.argument);
        if a.kind == Kind::MaybeTensor {
            let name = &a.name;
            moved = format!("({name}_p.defined() ? ({moved}) * {name}_p + ({value}) * {name}_t : ({moved}))");
            value = format!("({name}_p.defined() ? ({value}) * {name}_p : ({value}))");
        }
    }
    moved
}

/// The helpers in a formula, for `python:`.
pub(super) fn helpers(entry: &[(String, String)]) -> Vec<&'static str> {
    const HELPERS: [&str; 16] = [
        "added",
        "doubled",
        "joined",
        "primal_some",
        "primal_squares",
        "primal_sum",
        "product_backward",
        "spread",
        "spread_some",
        "summed",
        "summed_some",
        "summed_squares",
        "tangent_some",
        "tangent_squares",
        "tangent_sum",
        "whole",
    ];
    let uses = |helper: &str| entry.iter().any(|(_, formula)| formula.contains(&format!("{helper}(")));
    HELPERS.into_iter().filter(|helper| uses(helper)).collect()
}

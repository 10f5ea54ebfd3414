//! The operators in Python, composed of PyTorch's, and a description of each for the harness.

use serde_json::{Value, json};

use super::model::{Argument, Function, Kind, Library, NAMESPACE, Operator, Out, Output, Tangent};

/// A module with a function for each operator. Parameters have numbers for names.
pub(super) fn module(library: &Library) -> String {
    let functions: String = library.operators.iter().map(function).collect();
    format!("import torch\n\n\ndef total(tensors):\n    return sum(tensors[1:], tensors[0])\n{functions}")
}

fn function(o: &Operator) -> String {
    let parameters: Vec<String> = o.arguments.iter().map(|a| format!("a{}", a.id)).collect();
    let mut text = format!("\n\ndef {}({}):\n", o.name, parameters.join(", "));
    for (place, output) in o.outputs.iter().enumerate() {
        text += &format!("    r{place} = {}\n", value(o, output));
    }
    for a in o.arguments.iter().filter(|a| a.kind == Kind::State) {
        text += &format!("    a{0}.mul_(2).add_(1)\n", a.id);
    }
    let results: String = (0..o.outputs.len()).map(|place| format!("r{place}, ")).collect();
    text + &format!("    return ({results})\n")
}

fn value(o: &Operator, output: &Output) -> String {
    let mut terms = Vec::new();
    for term in &output.terms {
        let mut parts = vec![term.number.to_string()];
        for factor in &term.factors {
            let a = o.argument(factor.argument);
            let id = a.id;
            parts.push(match (a.kind, factor.function) {
                (Kind::Tensor | Kind::Row, Function::Itself) => format!("a{id}"),
                (Kind::Tensor | Kind::Row, Function::Square) => format!("a{id} ** 2"),
                (Kind::Tensor | Kind::Row, Function::Sine) => format!("torch.sin(a{id})"),
                (Kind::Tensor | Kind::Row, Function::Exponential) => format!("torch.exp(a{id})"),
                (Kind::MaybeTensor, _) => format!("(1 if a{id} is None else a{id})"),
                (Kind::Tensors, Function::Square) => format!("total([a ** 2 for a in a{id}])"),
                (Kind::Tensors, _) => format!("total(a{id})"),
                (Kind::MaybeTensors, _) => format!("total([a for a in a{id} if a is not None])"),
                (Kind::Bool, _) => format!("(2 if a{id} else 3)"),
                (Kind::Str, _) => format!("(2 if a{id} == 'two' else 3)"),
                (Kind::MaybeFloat, _) => format!("(1 if a{id} is None else a{id})"),
                (Kind::Ints | Kind::SymInts, _) => format!("a{id}[0]"),
                (Kind::Float | Kind::Int | Kind::SymInt, _) => format!("a{id}"),
                (Kind::State | Kind::Dtype | Kind::Device, _) => "1".to_owned(),
            });
        }
        terms.push(parts.join(" * "));
    }
    let sum = terms.join(" + ");
    if output.total { format!("({sum}).sum()") } else { sum }
}

/// What the harness has to know of a library.
pub(super) fn description(library: &Library) -> Value {
    let operators: Vec<Value> = library.operators.iter().map(described).collect();
    json!({"namespace": NAMESPACE, "operators": operators})
}

fn described(o: &Operator) -> Value {
    let argument = |a: &Argument| json!({"name": a.name, "kind": format!("{:?}", a.kind), "keyword": a.keyword, "default": a.default});
    json!({
        "name": o.name,
        "arguments": o.arguments.iter().map(argument).collect::<Vec<_>>(),
        "differentiable": o.outputs.iter().map(|output| output.differentiable).collect::<Vec<_>>(),
        "inplace": o.inplace,
        "out": o.out != Out::None,
        "forward": o.is_derived() && o.tangent != Tangent::None,
        "derivative": format!("{:?}", o.derivative),
    })
}

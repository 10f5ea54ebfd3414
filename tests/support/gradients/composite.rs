//! The operators in Python, composed of PyTorch's, and a description of each for the harness.

use serde_json::{Value, json};

use super::Abi;
use super::model::{Argument, Form, Function, Kind, Library, Operator, Out, Output, Tangent};

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
    match o.form {
        Form::Tensors => {}
        Form::List => {
            text += "    return (r0, r0 * 2)\n";
            return text;
        }
        Form::Maybe(id) => text += &format!("    r1 = r1 if a{id} is not None and a{id} is not False else None\n"),
        Form::View => text += &format!("    r0 = a{}.transpose(0, 1)\n", o.first().id),
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
                (Kind::MaybeFloat | Kind::MaybeNumber, _) => format!("(1 if a{id} is None else a{id})"),
                (Kind::Ints | Kind::SymInts, _) => format!("a{id}[0]"),
                (Kind::Float | Kind::Int | Kind::SymInt | Kind::Number, _) => format!("a{id}"),
                (Kind::State | Kind::Dtype | Kind::Device | Kind::MaybeList, _) => "1".to_owned(),
            });
        }
        terms.push(parts.join(" * "));
    }
    terms.extend(o.constants(output).map(|a| format!("(0 if a{0} is None else total(a{0}))", a.id)));
    let sum = terms.join(" + ");
    if output.total { format!("({sum}).sum()") } else { sum }
}

/// What the harness has to know of a library.
pub(super) fn description(library: &Library, abi: Abi) -> Value {
    let operators: Vec<Value> = library.operators.iter().map(described).collect();
    json!({"namespace": abi.namespace(), "operators": operators})
}

fn described(o: &Operator) -> Value {
    let argument = |a: &Argument| json!({"id": a.id, "name": a.name, "kind": format!("{:?}", a.kind), "keyword": a.keyword, "default": a.default});
    let differentiable: Vec<bool> = o.outputs.iter().map(|output| output.differentiable).collect();
    json!({
        "name": o.name,
        "arguments": o.arguments.iter().map(argument).collect::<Vec<_>>(),
        "differentiable": if o.form == Form::List { vec![true; 2] } else { differentiable },
        "form": format!("{:?}", o.form).split("(").next(),
        "decides": if let Form::Maybe(id) = o.form { Some(id) } else { None },
        "inplace": o.inplace,
        "out": o.out != Out::None,
        "forward": o.is_derived() && o.tangent != Tangent::None,
        "complex": o.complex,
        "derivative": format!("{:?}", o.derivative),
    })
}

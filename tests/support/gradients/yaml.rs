//! The YAML of a library.

use super::Abi;
use super::formula;
use super::model::{Argument, Derivative, Form, Kind, Library, Operator, Out, Output};

/// native_functions.yaml.
pub(super) fn functions(library: &Library, abi: Abi) -> String {
    library.operators.iter().map(|o| entries(o, abi)).collect()
}

/// derivatives.yaml; empty if no operator has a derivative.
pub(super) fn derivatives(library: &Library, abi: Abi) -> String {
    let mut text = String::new();
    for o in library.operators.iter().filter(|o| o.is_derived()) {
        let entry = formula::entry(o);
        text += &format!("- name: {}::{}\n", abi.namespace(), schema(o, abi));
        let helpers: Vec<String> =
            formula::helpers(&entry).iter().map(|helper| format!(".formulas:{helper}")).collect();
        if !helpers.is_empty() {
            text += &format!("  python: [{}]\n", helpers.join(", "));
        }
        if o.complex {
            text += "  complex_gradients: True\n";
        }
        for (key, value) in entry {
            let value = if key == "output_differentiability" { value } else { quoted(&value) };
            text += &format!("  {key}: {value}\n");
        }
        text.push('\n');
    }
    text
}

/// library.yaml.
pub(super) fn settings(abi: Abi) -> &'static str {
    match abi {
        Abi::Cpp => "allow: [TG0902]\n",
        Abi::Stable => "abi: stable\ntorch_min: '2.10'\nallow: [TG0902]\n",
    }
}

fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('"', "\\\""))
}

fn entries(o: &Operator, abi: Abi) -> String {
    let (namespace, name) = (abi.namespace(), &o.name);
    let mut text = format!("- func: {namespace}::{}\n", schema(o, abi));
    // With an inplace variant, only its `autogen:` counts.
    let generated = format!("  autogen: {name}.out\n");
    if o.out == Out::Generated && !o.inplace {
        text += &generated;
    }
    if o.derivative == Derivative::Never {
        text += "  differentiable: False\n";
    }
    let mut fakes: Vec<String> = o.outputs.iter().map(|output| fake(o, output)).collect();
    match o.form {
        Form::Tensors => {}
        Form::List => fakes = vec![".formulas:two_fakes".to_owned()],
        Form::View => fakes = vec![".formulas:view_fake".to_owned()],
        Form::Maybe(id) => {
            let a = o.argument(id);
            let given = if a.kind == Kind::Bool { a.name.clone() } else { format!("{} is not None", a.name) };
            fakes[1] = format!("{} if {given} else None", fakes[1]);
        }
    }
    text += &format!("  fake: {}\n  dispatch:\n    CPU: {name}\n\n", fakes.join(", "));
    let arguments = |first: &str, end: &str| listed(o, first, end, abi);
    if o.inplace {
        let schema = format!("{name}_({}) -> Tensor(a!)", arguments("Tensor(a!)", ""));
        let generated = if o.out == Out::Generated { &generated } else { "" };
        text += &format!("- func: {namespace}::{schema}\n{generated}  dispatch:\n    CPU: {name}_\n\n");
    }
    if o.out == Out::Written {
        let schema = format!("{name}.out({}) -> Tensor(a!)", arguments("Tensor", "Tensor(a!) out"));
        text += &format!("- func: {namespace}::{schema}\n  dispatch:\n    CPU: {name}_out\n\n");
    }
    text
}

/// The expression for an output without data.
fn fake(o: &Operator, output: &Output) -> String {
    let first = &o.first().name;
    if output.total { format!("like({first}, size=[])") } else { format!("like({first}, size=[*{first}.sizes])") }
}

/// The schema of the functional variant.
fn schema(o: &Operator, abi: Abi) -> String {
    let of = |(place, output): (usize, &Output)| {
        let ty = match o.form {
            Form::List => "Tensor[]",
            Form::View => "Tensor(a)",
            Form::Maybe(_) if place == 1 => "Tensor?",
            _ => "Tensor",
        };
        output.name.as_ref().map_or(ty.to_owned(), |name| format!("{ty} {name}"))
    };
    let outputs: Vec<String> = o.outputs.iter().enumerate().map(of).collect();
    let first = if o.form == Form::View { "Tensor(a)" } else { "Tensor" };
    let outputs = if outputs.len() == 1 { outputs[0].clone() } else { format!("({})", outputs.join(", ")) };
    format!("{}({}) -> {outputs}", o.name, listed(o, first, "", abi))
}

fn listed(o: &Operator, first: &str, end: &str, abi: Abi) -> String {
    let mut parts = Vec::new();
    let mut star = false;
    for (place, a) in o.arguments.iter().enumerate() {
        if a.keyword && !star {
            star = true;
            parts.push("*".to_owned());
        }
        let ty = if place == 0 { first } else { ty(a, abi) };
        let default = if a.default { format!("={}", default(a)) } else { String::new() };
        parts.push(format!("{ty} {}{default}", a.name));
    }
    if !end.is_empty() {
        if !star {
            parts.push("*".to_owned());
        }
        parts.push(end.to_owned());
    }
    parts.join(", ")
}

fn ty(a: &Argument, abi: Abi) -> &'static str {
    match a.kind {
        Kind::Tensor | Kind::Row => "Tensor",
        Kind::MaybeTensor => "Tensor?",
        Kind::Tensors => "Tensor[]",
        Kind::MaybeTensors => "Tensor?[]",
        Kind::State => "Tensor(s!)",
        Kind::Float => "float",
        Kind::Int => "int",
        Kind::SymInt => "SymInt",
        Kind::Bool => "bool",
        Kind::Str => "str",
        Kind::MaybeFloat => "float?",
        Kind::Number if abi == Abi::Stable => "float",
        Kind::MaybeNumber if abi == Abi::Stable => "float?",
        Kind::Number => "Scalar",
        Kind::MaybeNumber => "Scalar?",
        Kind::MaybeList => "Tensor[]?",
        Kind::Ints => "int[2]",
        Kind::SymInts => "SymInt[]",
        Kind::Dtype => "ScalarType",
        Kind::Device => "Device",
    }
}

fn default(a: &Argument) -> &'static str {
    match a.kind {
        Kind::Float | Kind::Number => "0.5",
        Kind::Int | Kind::SymInt => "2",
        Kind::Bool => "True",
        Kind::Str => "\"two\"",
        Kind::Ints => "[2, 3]",
        Kind::SymInts => "[3]",
        _ => "None",
    }
}

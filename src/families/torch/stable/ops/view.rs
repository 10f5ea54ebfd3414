//! The data of the header.

use serde::Serialize;

use super::names::{Shape, settle};
use super::select::Selected;
use super::types;
use crate::families::torch::api::cpp_string;
use crate::families::torch::model::Argument;
use crate::families::torch::model::version::Version;
use crate::lang::cpp::is_keyword;

/// The whole header.
#[derive(Serialize)]
pub(super) struct Header<'a> {
    namespace: &'a str,
    /// `2.10`
    min: Version,
    /// The value of `TORCH_TARGET_VERSION` for the minimum.
    min_number: String,
    /// The newest version whose schemas are known, as a number.
    newest_number: String,
    /// Whether any function has a Generator.
    generator: bool,
    functions: Vec<Function<'a>>,
}

/// A function.
#[derive(Serialize)]
struct Function<'a> {
    schema: &'a str,
    name: String,
    /// The operator and the overload, as string literals.
    operator: String,
    overload: String,
    /// The type that it returns.
    returns: String,
    /// The types of the operator's results.
    results: Vec<String>,
    /// The parameters, in the order of the declaration.
    parameters: Vec<Parameter>,
    /// The names of the arguments, in the order of the schema.
    arguments: Vec<String>,
}

/// A parameter.
#[derive(Serialize)]
struct Parameter {
    ty: String,
    name: String,
    default: Option<String>,
}

impl<'a> Header<'a> {
    pub(super) fn new(namespace: &'a str, min: Version, selected: &'a [Selected]) -> Header<'a> {
        let mut functions: Vec<Function<'a>> = selected.iter().map(function).collect();
        let mut shapes: Vec<Shape> = selected.iter().zip(&functions).map(shape).collect();
        settle(&mut shapes);
        for (function, shape) in functions.iter_mut().zip(shapes) {
            function.name = shape.name;
            function.parameters.iter_mut().take(shape.required).for_each(|parameter| parameter.default = None);
        }
        Header {
            namespace,
            min,
            min_number: min.number(),
            newest_number: Version::NEWEST.number(),
            generator: functions.iter().any(|f| f.parameters.iter().any(|p| p.ty.contains("Generator"))),
            functions,
        }
    }

    /// How many functions it has.
    pub(super) fn len(&self) -> usize {
        self.functions.len()
    }
}

/// A word as a name in C++.
fn identifier(word: &str) -> String {
    if is_keyword(word) { format!("{word}_") } else { word.to_owned() }
}

fn function(selected: &Selected) -> Function<'_> {
    let schema = &selected.schema;
    let base = schema.name.name.to_string();
    // As in ATen, `cumsum_out` takes the outputs first, so that the other arguments keep their
    // defaults.
    let out = &schema.arguments.out;
    let name = if out.is_empty() { identifier(&base) } else { format!("{base}_out") };
    let is_out = |argument: &Argument| out.iter().any(|own| own.name == argument.name);
    let inputs = || schema.schema_order_arguments().filter(|argument| !is_out(argument));
    let parameter = |argument: &Argument| Parameter {
        ty: types::parameter(&argument.ty),
        name: identifier(&argument.name),
        default: types::default(argument),
    };
    let mut parameters: Vec<Parameter> = out.iter().map(parameter).chain(inputs().map(parameter)).collect();
    // A parameter before one without a default cannot have one.
    let required = parameters.iter().rposition(|parameter| parameter.default.is_none()).map_or(0, |at| at + 1);
    parameters.iter_mut().take(required).for_each(|parameter| parameter.default = None);
    let results: Vec<String> = schema.returns.iter().map(|ret| types::result(&ret.ty)).collect();
    let returns = match results.as_slice() {
        [] => "void".to_owned(),
        [one] => one.clone(),
        several => format!("::std::tuple<{}>", several.join(", ")),
    };
    Function {
        schema: &selected.text,
        name,
        operator: cpp_string(&format!("aten::{base}")),
        overload: cpp_string(&schema.name.overload_name),
        returns,
        results,
        arguments: schema.schema_order_arguments().map(|argument| identifier(&argument.name)).collect(),
        parameters,
    }
}

fn shape((selected, function): (&Selected, &Function)) -> Shape {
    Shape {
        name: function.name.clone(),
        unambiguous: identifier(&selected.schema.name.unambiguous_name()),
        types: function.parameters.iter().map(|parameter| parameter.ty.clone()).collect(),
        required: function.parameters.iter().take_while(|parameter| parameter.default.is_none()).count(),
    }
}

//! Typed C++ functions that call operators over the stable ABI: torch's own, and a library's.
//!
//! The classes that the functions use are in `templates/torch/stable/calls`. Invariant: a function
//! passes exactly the arguments of its schema, in order.

mod names;

use std::collections::BTreeSet;

use serde::Serialize;

use self::names::{Shape, settle};
use torchgen_api::cpp_string;
use torchgen_api::stable::{self, StableType};
use torchgen_base::lang::cpp::is_keyword;
use torchgen_base::render::About;
use torchgen_kit::changes;
use torchgen_model::model::{Argument, BaseTy, FunctionSchema};

/// An operator to call.
#[derive(Debug, Clone, Copy)]
pub struct Callable<'a> {
    /// Its namespace: `aten`.
    pub namespace: &'a str,
    /// The schema as it is declared.
    pub text: &'a str,
    /// The schema.
    pub schema: &'a FunctionSchema,
}

/// A function.
#[derive(Serialize)]
pub struct Function<'a> {
    schema: &'a str,
    name: String,
    /// The operator and the overload, as string literals.
    operator: String,
    overload: String,
    /// The type that it returns.
    returns: StableType,
    /// The types of the operator's results.
    results: Vec<StableType>,
    /// The parameters, in the order of the declaration.
    parameters: Vec<Parameter>,
    /// The names of the arguments, in the order of the schema.
    arguments: Vec<String>,
    /// Whether it takes a generator of random numbers.
    #[serde(skip)]
    pub(crate) takes_generator: bool,
}

/// A parameter.
#[derive(Serialize)]
struct Parameter {
    ty: StableType,
    name: String,
    default: Option<String>,
    /// The argument of the schema.
    #[serde(skip)]
    part: String,
}

/// One function for each operator. Those with the same name are overloads in C++.
pub fn functions<'a>(operators: &[Callable<'a>]) -> Vec<Function<'a>> {
    let mut functions: Vec<Function<'a>> = operators.iter().map(function).collect();
    tell_texts_from_lists(&mut functions);
    let mut shapes: Vec<Shape<StableType>> = operators.iter().zip(&functions).map(shape).collect();
    settle(&mut shapes);
    for (function, shape) in functions.iter_mut().zip(shapes) {
        function.name = shape.name;
        function.parameters.iter_mut().take(shape.required).for_each(|parameter| parameter.default = None);
    }
    functions
}

impl Function<'_> {
    /// Shows the operator of a library's function to a trace.
    pub(crate) fn mark(&mut self, about: &About) {
        self.name = about.marked(std::mem::take(&mut self.name));
    }

    /// The function as changes of operators are compared by.
    pub(crate) fn spelled(&self, namespace: &str, takes: fn(&str, &str) -> bool) -> changes::functions::Function {
        let parameter = |parameter: &Parameter| changes::functions::Parameter {
            parts: vec![parameter.part.clone()],
            ty: parameter.ty.to_string(),
            has_default: parameter.default.is_some(),
        };
        let parameters = self.parameters.iter().map(parameter).collect();
        changes::functions::Function { name: format!("{namespace}::{}", self.name), parameters, takes }
    }

    /// Its declaration, without defaults.
    pub fn declaration(&self) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().map(|parameter| format!("{} {}", parameter.ty, parameter.name)).collect();
        format!("{} {}({})", self.returns, self.name, parameters.join(", "))
    }
}

/// Whether an operator takes a generator of random numbers.
pub(crate) fn takes_generator(schema: &FunctionSchema) -> bool {
    schema.schema_order_arguments().any(|argument| argument.ty.base() == Some(BaseTy::Generator))
}

/// Gives texts a type that `{0}` does not convert to, where another overload has a list: C++ takes
/// the zero for a null pointer to characters.
fn tell_texts_from_lists(functions: &mut [Function]) {
    let mut lists: BTreeSet<(String, usize)> = BTreeSet::new();
    for function in functions.iter() {
        let is_list = |ty: &StableType| matches!(ty, StableType::ArrayRef(_) | StableType::OptionalArrayRef(_));
        let places = function.parameters.iter().enumerate().filter(|(_, parameter)| is_list(&parameter.ty));
        lists.extend(places.map(|(at, _)| (function.name.clone(), at)));
    }
    for function in functions {
        for (at, parameter) in function.parameters.iter_mut().enumerate() {
            if parameter.ty == StableType::StringView && lists.contains(&(function.name.clone(), at)) {
                parameter.ty = StableType::Text;
            }
        }
    }
}

/// A word as a name in C++.
fn identifier(word: &str) -> String {
    if is_keyword(word) { format!("{word}_") } else { word.to_owned() }
}

fn function<'a>(callable: &Callable<'a>) -> Function<'a> {
    let schema = callable.schema;
    let base = schema.name.name.to_string();
    // As in ATen, `cumsum_out` takes the outputs first, so that the other arguments keep their
    // defaults.
    let out = &schema.arguments.out;
    let name = if out.is_empty() { identifier(&base) } else { format!("{base}_out") };
    let is_out = |argument: &Argument| out.iter().any(|own| own.name == argument.name);
    let inputs = || schema.schema_order_arguments().filter(|argument| !is_out(argument));
    let parameter = |argument: &Argument| Parameter {
        ty: stable::argument_type(&argument.ty),
        name: identifier(&argument.name),
        default: stable::default(argument),
        part: argument.schema_name().to_owned(),
    };
    let mut parameters: Vec<Parameter> = out.iter().map(parameter).chain(inputs().map(parameter)).collect();
    // A parameter before one without a default cannot have one.
    let required = parameters.iter().rposition(|parameter| parameter.default.is_none()).map_or(0, |at| at + 1);
    parameters.iter_mut().take(required).for_each(|parameter| parameter.default = None);
    Function {
        schema: callable.text,
        name,
        operator: cpp_string(&format!("{}::{base}", callable.namespace)),
        overload: cpp_string(&schema.name.overload_name),
        returns: stable::returns_type(schema),
        results: stable::result_types(schema),
        arguments: schema.schema_order_arguments().map(|argument| identifier(&argument.name)).collect(),
        parameters,
        takes_generator: takes_generator(schema),
    }
}

fn shape((callable, function): (&Callable, &Function)) -> Shape<StableType> {
    Shape {
        name: function.name.clone(),
        unambiguous: identifier(&callable.schema.name.unambiguous_name()),
        types: function.parameters.iter().map(|parameter| parameter.ty.clone()).collect(),
        required: function.parameters.iter().take_while(|parameter| parameter.default.is_none()).count(),
    }
}

//! The parameters of Python functions that the dispatcher calls, and the arguments that they pass
//! on.
//!
//! Invariant: a function has the defaults of the schema, because the dispatcher leaves out
//! arguments that have them.

use std::borrow::Cow;

use serde::Serialize;

use crate::families::torch::api::python::annotation;
use crate::families::torch::model::{Argument, NativeFunction};
use crate::lang::python::is_keyword;

/// The signature of such a function.
#[derive(Serialize)]
pub(crate) struct Signature<'a> {
    parameters: Vec<Parameter<'a>>,
    /// The number of positional parameters, if not all are.
    star: Option<usize>,
    /// The arguments for the operator.
    pub(crate) arguments: Vec<String>,
}

#[derive(Serialize)]
struct Parameter<'a> {
    name: String,
    default: Option<Cow<'a, str>>,
}

impl<'a> Signature<'a> {
    /// That of an operator's kernels.
    pub(crate) fn new(f: &'a NativeFunction) -> Signature<'a> {
        let positional = f.func.arguments.flat_positional().count();
        let all: Vec<&Argument> = f.func.schema_order_arguments().collect();
        // Python does not allow a parameter without a default after one with a default.
        let required = all.iter().take(positional).rposition(|a| a.default.is_none()).map_or(0, |at| at + 1);
        let parameter = |(i, a): (usize, &&'a Argument)| Parameter {
            name: variable(a),
            default: a.default.as_deref().filter(|_| i >= required).map(|text| annotation::default(text, &a.ty)),
        };
        let passed = |(i, a): (usize, &&Argument)| if i < positional { variable(a) } else { keyword(a) };
        Signature {
            parameters: all.iter().enumerate().map(parameter).collect(),
            star: (all.len() > positional).then_some(positional),
            arguments: all.iter().enumerate().map(passed).collect(),
        }
    }
}

/// The variable of an argument.
pub(crate) fn variable(argument: &Argument) -> String {
    annotation::name(argument.schema_name()).into_owned()
}

/// An argument by its keyword, which Python may not be able to spell.
fn keyword(argument: &Argument) -> String {
    let name = argument.schema_name();
    match is_keyword(name) {
        true => format!("**_builtins.dict([(\"{name}\", {})])", variable(argument)),
        false => format!("{name}={}", variable(argument)),
    }
}

//! The parameters of Python functions that the dispatcher calls, and the arguments that they pass
//! on.
//!
//! Invariant: a function has the defaults of the schema, because the dispatcher leaves out
//! arguments that have them. The dispatcher passes keywords by the names of the schema: those that
//! cannot be variables are taken from `**_named`.

use std::borrow::Cow;

use serde::Serialize;

use torchgen_api::python::annotation;
use torchgen_base::lang::python::is_keyword;
use torchgen_model::model::{Argument, NativeFunction};

/// The signature of such a function.
#[derive(Serialize)]
pub(crate) struct Signature<'a> {
    parameters: Vec<Parameter<'a>>,
    /// The number of positional parameters, if not all are.
    star: Option<usize>,
    /// Keywords with variables of other names.
    named: Vec<Parameter<'a>>,
    /// The arguments for the operator.
    pub arguments: Vec<String>,
}

#[derive(Serialize)]
struct Parameter<'a> {
    name: String,
    keyword: &'a str,
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
            keyword: a.schema_name(),
            default: a.default.as_deref().filter(|_| i >= required).map(|text| annotation::default(text, &a.ty)),
        };
        let is_named = |i: usize| i >= positional && variable(all[i]) != all[i].schema_name();
        let of =
            |named: bool| all.iter().enumerate().filter(move |(i, _)| is_named(*i) == named).map(parameter).collect();
        let parameters: Vec<Parameter<'_>> = of(false);
        Signature {
            star: (parameters.len() > positional).then_some(positional),
            parameters,
            named: of(true),
            arguments: arguments_as(f, |variable| variable),
        }
    }
}

/// The arguments for an operator, each changed.
pub(crate) fn arguments_as(f: &NativeFunction, change: impl Fn(String) -> String) -> Vec<String> {
    let positional = f.func.arguments.flat_positional().count();
    let passed = |(i, a): (usize, &Argument)| {
        let (name, value) = (a.schema_name(), change(variable(a)));
        match (i < positional, is_keyword(name)) {
            (true, _) => value,
            // Python cannot spell such a keyword.
            (false, true) => format!("**_builtins.dict([(\"{name}\", {value})])"),
            (false, false) => format!("{name}={value}"),
        }
    };
    f.func.schema_order_arguments().enumerate().map(passed).collect()
}

/// The variable of an argument.
pub(crate) fn variable(argument: &Argument) -> String {
    annotation::variable(argument.schema_name()).into_owned()
}

//! The operator whose gradient a class computes: the one whose kernel applies the class, or the one
//! that its `forward` calls.
//!
//! Invariant: an argument of the operator is a parameter of `forward` only where it is passed as it
//! is, and a result only where it is returned as it is.

use std::collections::HashMap;

use super::body::Done;
use super::values::{Name, Value, Values, short};
use torchgen_formula::{Expr, Node, parse};
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::FunctionSchema;
use torchgen_model::parse::c10;

/// An operator that is registered.
#[derive(Debug, Clone)]
pub(super) struct Schema {
    /// The schema with its namespace.
    pub(super) text: String,
    pub(super) function: FunctionSchema,
}

impl Schema {
    pub(super) fn new(text: &str, tables: &Tables) -> Option<Schema> {
        let located = c10::declared(text).ok()?.generated(tables).ok()?;
        Some(Schema { text: text.to_owned(), function: located.schema })
    }

    /// The names of the arguments, in order.
    pub(super) fn names(&self) -> Vec<&str> {
        self.function.schema_order_arguments().map(|a| a.schema_name()).collect()
    }

    /// The name of a result in formulas.
    fn result_name(&self, at: usize) -> String {
        match (&self.function.returns[at].name, self.function.returns.len()) {
            (Some(name), _) => name.clone(),
            (None, 1) => "result".to_owned(),
            (None, _) => format!("result{at}"),
        }
    }
}

/// How a class is an operator.
#[derive(Debug, Default)]
pub(super) struct Matched {
    /// What the parameters of `forward` are: an expression of arguments.
    pub(super) parameters: HashMap<String, Parameter>,
    /// For each result, the output of `forward`; `None` if it is an argument.
    pub(super) results: Vec<Option<usize>>,
}

/// A parameter of `forward`.
#[derive(Debug)]
pub(super) struct Parameter {
    /// As an expression of the operator's arguments.
    pub(super) text: String,
    /// The place of the argument that it is, if it is one.
    pub(super) argument: Option<usize>,
}

impl Matched {
    /// The result that an output of `forward` is.
    pub(super) fn result(&self, output: usize) -> Option<usize> {
        self.results.iter().position(|one| *one == Some(output))
    }

    /// A parameter or an output of `forward` as formulas have it.
    pub(super) fn named(&self, schema: &Schema, name: &Name<'_>) -> Result<String, String> {
        match *name {
            Name::Parameter(name) => match self.parameters.get(name) {
                Some(parameter) => Ok(parameter.text.clone()),
                None => Err(format!("it uses `{name}`, which is no argument of the operator")),
            },
            Name::Output(at) => match self.result(at) {
                Some(result) => Ok(schema.result_name(result)),
                None => Err(format!("it uses output {at} of `forward`, which the operator does not return")),
            },
            Name::Gradient(at) => Err(format!("it uses the gradient of output {at}")),
        }
    }

    /// A class that is the kernel by itself.
    pub(super) fn direct(schema: &Schema, forward: &[String]) -> Result<Matched, String> {
        let names = schema.names();
        if names.len() != forward.len() {
            return Err(format!("`forward` takes {}, and the operator {}", forward.len(), names.len()));
        }
        let parameter = |(at, (own, name)): (usize, (&String, &&str))| {
            (own.clone(), Parameter { text: (*name).to_owned(), argument: Some(at) })
        };
        let parameters = forward.iter().zip(&names).enumerate().map(parameter).collect();
        Ok(Matched { parameters, results: (0..schema.function.returns.len()).map(Some).collect() })
    }

    /// What a kernel with these parameters does that returns this.
    pub(super) fn of_kernel(
        schema: &Schema,
        kernel: &[String],
        done: &Done,
        (forward, outputs): (&[String], usize),
        values: &Values,
    ) -> Result<Matched, String> {
        let names = schema.names();
        if names.len() != kernel.len() {
            return Err(format!("its kernel takes {} arguments, and the operator {}", kernel.len(), names.len()));
        }
        let (mut arguments, mut results) = (None, Vec::new());
        for value in &done.returned {
            match value {
                Value::Applied(given) => {
                    results.extend((0..outputs).map(Some));
                    arguments = Some(given);
                }
                Value::Output(at) => results.push(Some(*at)),
                Value::Text(text) if kernel.contains(text) => results.push(None),
                _ => return Err("its kernel returns more than what the class computes".to_owned()),
            }
        }
        let arguments = arguments.or(done.applied.as_ref()).ok_or("its kernel does not apply the class")?;
        if arguments.len() != forward.len() {
            return Err(format!("`apply` gets {} arguments, and `forward` has {}", arguments.len(), forward.len()));
        }
        let mut parameters = HashMap::new();
        for (own, value) in forward.iter().zip(arguments) {
            let Value::Text(text) = value else { continue };
            let written = values.written(text, &mut |name| match name {
                Name::Parameter(name) => {
                    let at = kernel.iter().position(|one| one == name);
                    at.map(|at| names[at].to_owned()).ok_or_else(|| format!("`{name}` is no argument"))
                }
                _ => Err("its kernel uses gradients".to_owned()),
            });
            let Ok(text) = written else { continue };
            let argument = argument(&text).and_then(|name| names.iter().position(|one| *one == name));
            parameters.insert(own.clone(), Parameter { text, argument });
        }
        Ok(Matched { parameters, results })
    }

    /// The operator that `forward` calls, whose results are its outputs.
    pub(super) fn of_forward(
        forward: &[String],
        done: &Done,
        schemas: &dyn Fn(&str) -> Option<Schema>,
        values: &Values,
    ) -> Result<(String, Schema, Matched), String> {
        let none = || "`forward` returns more than the results of one operator".to_owned();
        let no_call = |text: &str| match values.of_parameters(text) {
            Ok(whole) => format!("`forward` returns `{}`, which is no call of an operator", short(&whole)),
            Err(reason) => reason.message,
        };
        let mut called: Option<String> = None;
        let mut results: Vec<(usize, usize)> = Vec::new();
        for (output, value) in done.returned.iter().enumerate() {
            let Value::Text(text) = value else { return Err(none()) };
            let (of, at) = values.part(text).unwrap_or((text.clone(), 0));
            if called.get_or_insert(of.clone()) != &of {
                return Err(none());
            }
            results.push((at, output));
        }
        let called = called.ok_or_else(none)?;
        values.understood(&called).map_err(|reason| reason.message)?;
        let text = values.text(&called);
        let tree = parse(text).map_err(|_| no_call(text))?;
        let Node::Call(path, given) = &tree.node else { return Err(no_call(text)) };
        let name = path.text();
        let schema = schemas(&name).ok_or_else(|| no_call(text))?;
        let (names, count) = (schema.names(), schema.function.returns.len());
        results.sort_unstable();
        if results.iter().map(|(at, _)| *at).ne(0..count) {
            return Err(format!("`forward` returns {} of the {count} results of `{name}`", results.len()));
        }
        let mut parameters = HashMap::new();
        for (at, value) in given.iter().enumerate() {
            let whole = values.of_parameters(&text[value.range.clone()]).map_err(|reason| reason.message)?;
            let own = argument(&whole).and_then(|name| forward.iter().find(|one| **one == name));
            if let (Some(own), Some(name)) = (own, names.get(at)) {
                let before = parameters.insert(own.clone(), Parameter { text: (*name).to_owned(), argument: Some(at) });
                if before.is_some() {
                    return Err(format!("`forward` passes `{own}` twice"));
                }
            } else if let Some(name) = names.get(at) {
                // The formula would hold for this value only.
                return Err(format!(
                    "`forward` passes `{}` as `{name}`, which is none of its parameters",
                    short(&whole)
                ));
            }
        }
        if let Some(left_out) = names.get(given.len()) {
            // As above: for its default only.
            return Err(format!("`forward` leaves `{left_out}` of `{name}` at its default"));
        }
        let results = results.into_iter().map(|(_, output)| Some(output)).collect();
        Ok((name, schema, Matched { parameters, results }))
    }
}

/// The name that an expression is, with another form in memory perhaps.
fn argument(text: &str) -> Option<String> {
    fn of(expr: &Expr) -> Option<&str> {
        match &expr.node {
            Node::Method(method) if method.name == "contiguous" => of(&method.object),
            _ => expr.single(),
        }
    }
    of(&parse(text).ok()?).map(str::to_owned)
}

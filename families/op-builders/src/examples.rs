//! `examples:` of builders: inputs, options and expected results.
//!
//! Invariant: options of an example have the types of the signature. The generated self-test checks
//! the results.

use serde::Serialize;

use super::codes;
use super::model::{Callable, Model};
use super::signature::DTYPES;
use super::signature::{Base, Parameter};
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, Span, did_you_mean};
use torchgen_base::yaml::{Node, NodeKind, Resolved, resolve};
use torchgen_kit::expr::{Type, string_literal};

/// An input of an example.
#[derive(Debug, Serialize)]
struct InputView {
    given: bool,
    shape: String,
    values: Vec<String>,
}

/// An example.
#[derive(Debug, Serialize)]
struct ExampleView {
    name: String,
    inputs: Vec<InputView>,
    /// The C++ expression of a map.
    options: String,
    lens: Vec<Vec<String>>,
    values: Vec<Vec<String>>,
    ops: Vec<String>,
    error: String,
}

/// The contract of a name.
#[derive(Debug, Serialize)]
struct ContractView {
    name: String,
    keys: Vec<String>,
    least: usize,
    modules: bool,
}

/// What the self-test checks.
#[derive(Debug, Default, Serialize)]
pub(super) struct Tests {
    contracts: Vec<ContractView>,
    examples: Vec<ExampleView>,
}

/// The contracts and examples of all builders. Errors in examples are diagnostics.
pub(super) fn tests(model: &Model, diagnostics: &mut Diagnostics) -> Tests {
    let mut tests = Tests::default();
    for callable in &model.builders {
        tests.contracts.extend(contracts(callable));
        tests.examples.extend(examples(callable, diagnostics));
    }
    tests
}

/// The contracts of a builder, one for each name.
fn contracts(callable: &Callable) -> Vec<ContractView> {
    let signature = &callable.signature;
    let required = |parameter: &&Parameter| !parameter.is_optional() && !parameter.is_variadic();
    let contract = |name: &String| ContractView {
        name: string_literal(name),
        keys: signature.options.iter().map(|option| string_literal(&option.key)).collect(),
        least: signature.inputs.iter().filter(required).count(),
        modules: !signature.modules.is_empty(),
    };
    callable.names.iter().map(contract).collect()
}

/// The examples of a builder, under the first of its names.
fn examples(callable: &Callable, diagnostics: &mut Diagnostics) -> Vec<ExampleView> {
    let Some(name) = callable.names.first() else { return Vec::new() };
    let mut reader = Reader { callable, diagnostics };
    callable.record.examples.iter().filter_map(|node| reader.example(name, node)).collect()
}

struct Reader<'a> {
    callable: &'a Callable,
    diagnostics: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn wrong(&mut self, place: Span, message: impl Into<String>, help: Option<Help>) {
        self.diagnostics.push(Diagnostic::new(&codes::BUILDER_EXAMPLE, message).at(place).maybe_help(help));
    }

    fn example(&mut self, name: &str, node: &Node) -> Option<ExampleView> {
        let NodeKind::Mapping(pairs) = &node.kind else {
            self.wrong(node.span, "an example must be a mapping", None);
            return None;
        };
        let mut view = ExampleView {
            name: string_literal(name),
            inputs: Vec::new(),
            options: String::new(),
            lens: Vec::new(),
            values: Vec::new(),
            ops: Vec::new(),
            error: string_literal(""),
        };
        let mut options = Vec::new();
        for (key, value) in pairs {
            let word = key.as_text().map_or("", |text| text.as_str());
            match word {
                "inputs" => view.inputs = self.items(value)?.iter().filter_map(|item| self.input(item)).collect(),
                "lens" => view.lens = self.nested(value)?,
                "values" => view.values = self.nested(value)?,
                "ops" => {
                    let words = self.items(value)?.iter().filter_map(|item| item.as_text().cloned());
                    view.ops = words.map(|text| string_literal(text.as_str())).collect();
                }
                "error" => view.error = string_literal(value.as_text().map_or("", |text| text.as_str())),
                _ => options.extend(self.option(word, key.span, value)),
            }
        }
        let count = view.inputs.len();
        let signature = &self.callable.signature;
        let variadic = signature.inputs.iter().any(Parameter::is_variadic);
        if count > signature.inputs.len() && !variadic {
            let message = format!("an example of `{name}` has {count} inputs, but it takes {}", signature.inputs.len());
            self.wrong(node.span.at_start(), message, None);
        }
        view.options = format!("example_options({})", options.join(", "));
        Some(view)
    }

    fn items<'n>(&mut self, node: &'n Node) -> Option<&'n [Node]> {
        match &node.kind {
            NodeKind::Sequence(items) => Some(items),
            _ => {
                self.wrong(node.span, "this must be a list", None);
                None
            }
        }
    }

    /// A list for one result, or a list of lists for several.
    fn nested(&mut self, node: &Node) -> Option<Vec<Vec<String>>> {
        let items = self.items(node)?;
        let lists = items.iter().any(|item| matches!(item.kind, NodeKind::Sequence(_)));
        if lists {
            return items.iter().map(|item| self.numbers(item)).collect();
        }
        Some(vec![self.numbers(node)?])
    }

    fn numbers(&mut self, node: &Node) -> Option<Vec<String>> {
        let items = self.items(node)?;
        items.iter().map(|item| self.number(item)).collect()
    }

    fn number(&mut self, node: &Node) -> Option<String> {
        match resolve(node) {
            Resolved::Int(Some(value)) => Some(value.to_string()),
            Resolved::Float(value) if value.is_finite() => Some(format!("{value:?}")),
            _ => {
                self.wrong(node.span, "this must be a number", None);
                None
            }
        }
    }

    /// `[2, 3]`, `{lens: [2, 3], type: half_type, values: […]}`, or null for an omitted input.
    fn input(&mut self, node: &Node) -> Option<InputView> {
        let shaped = |ty: &str, lens: Vec<String>| format!("example_shape(shape::{ty}, {})", call_list(&lens));
        match &node.kind {
            NodeKind::Sequence(_) => {
                let lens = self.numbers(node)?;
                Some(InputView { given: true, shape: shaped("float_type", lens), values: Vec::new() })
            }
            NodeKind::Mapping(pairs) => {
                let (mut lens, mut ty, mut values) = (Vec::new(), "float_type".to_owned(), Vec::new());
                for (key, value) in pairs {
                    match key.as_text().map_or("", |text| text.as_str()) {
                        "lens" => lens = self.numbers(value)?,
                        "values" => values = self.numbers(value)?,
                        "type" => {
                            ty = value.as_text().map_or("", |text| text.as_str()).to_owned();
                            if !DTYPES.contains(&ty.as_str()) {
                                let help = did_you_mean(&ty, DTYPES);
                                self.wrong(value.span, format!("there is no element type `{ty}`"), help);
                            }
                        }
                        other => {
                            let message = format!("an input has no key `{other}`");
                            let help = did_you_mean(other, ["lens", "type", "values"]);
                            self.wrong(key.span, message, help);
                        }
                    }
                }
                Some(InputView { given: true, shape: shaped(&ty, lens), values })
            }
            NodeKind::Scalar(_) if node.is_null() => {
                Some(InputView { given: false, shape: "shape()".to_owned(), values: Vec::new() })
            }
            NodeKind::Scalar(_) => {
                self.wrong(node.span, "an input must be a list of lengths or a mapping", None);
                None
            }
        }
    }

    /// An option as a map entry.
    fn option(&mut self, key: &str, place: Span, node: &Node) -> Option<String> {
        let options = &self.callable.signature.options;
        let Some(option) = options.iter().find(|option| option.key == key) else {
            let known = options.iter().map(|option| option.key.as_str());
            let help = did_you_mean(key, known.chain(["inputs", "lens", "values", "ops", "error"]));
            let message = format!("`{}` has no option `{key}`", self.callable.signature.name);
            self.wrong(place, message, help);
            return None;
        };
        let value = match (&node.kind, &option.ty) {
            (NodeKind::Sequence(items), Type::List(_)) => {
                let items: Vec<String> = items.iter().filter_map(|item| scalar(item, option.base)).collect();
                format!("example_list({})", items.join(", "))
            }
            (NodeKind::Scalar(_), Type::Optional(_)) if node.is_null() => "value()".to_owned(),
            (NodeKind::Scalar(_), ty) if !matches!(ty, Type::List(_)) => match scalar(node, option.base) {
                Some(value) => value,
                None => return self.mistyped(option, node),
            },
            _ => return self.mistyped(option, node),
        };
        Some(format!("value({}, {value})", string_literal(key)))
    }

    fn mistyped(&mut self, option: &Parameter, node: &Node) -> Option<String> {
        self.wrong(node.span, format!("`{}` must be a `{}`", option.key, option.type_text), None);
        None
    }
}

/// A list as function arguments.
fn call_list(items: &[String]) -> String {
    format!("example_lens({})", items.join(", "))
}

fn scalar(node: &Node, base: Base) -> Option<String> {
    let text = node.as_text()?.as_str();
    let printed = match (resolve(node), base) {
        (Resolved::Bool(value), Base::Bool) => value.to_string(),
        (Resolved::Int(Some(value)), Base::Int | Base::Float) => format!("std::int64_t({value})"),
        (Resolved::Float(value), Base::Float) if value.is_finite() => format!("{value:?}"),
        (Resolved::Str, Base::Str) => string_literal(text),
        (Resolved::Str, Base::DType) if DTYPES.contains(&text) => format!("shape::{text}"),
        _ => return None,
    };
    Some(format!("value({printed})"))
}

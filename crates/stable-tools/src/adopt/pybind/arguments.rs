//! What a module's `def` says of the parameters of a function: `py::arg("n") = 3`.
//!
//! Invariant: a default is one of a schema, or is left out with a reason; C++ and Python mean the
//! same value by it.

use torchgen_registrations::{Argument, Call};

use crate::from_cpp::infer::parts;

/// What a `def` says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments {
    /// The parameters with names, in order.
    pub(super) named: Vec<NamedArgument>,
    /// The parameters from this one on have to be named by callers.
    pub(super) keyword_only: Option<usize>,
    /// What the function does.
    pub(super) doc: Option<String>,
}

/// A parameter.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NamedArgument {
    pub(super) name: String,
    /// The default, as it is written in C++.
    pub(super) default: Option<String>,
}

/// What the arguments behind the function say.
pub(super) fn arguments(call: &Call) -> Arguments {
    let mut found = Arguments::default();
    for argument in call.arguments.iter().skip(2) {
        if let Some(one) = argument_of(argument) {
            found.named.push(one);
            continue;
        }
        let text = without_namespace(&argument.text);
        if text.starts_with("kw_only") {
            found.keyword_only = Some(found.named.len());
        }
        if let Some(literal) = &argument.literal {
            let first = literal.text.trim().lines().next().unwrap_or_default().trim();
            found.doc = found.doc.or(Some(first.to_owned()).filter(|first| !first.is_empty()));
        }
    }
    found
}

fn without_namespace(text: &str) -> &str {
    ["py::", "pybind11::"].iter().find_map(|namespace| text.strip_prefix(namespace)).unwrap_or(text)
}

/// `py::arg("n") = 3`, `py::arg_v("n", 3)` or `"n"_a = 3`.
fn argument_of(argument: &Argument) -> Option<NamedArgument> {
    let text = without_namespace(argument.text.trim());
    let is_argument = ["arg(", "arg (", "arg_v("].iter().any(|start| text.starts_with(start));
    let is_literal = text.starts_with('"') && text.contains("\"_a");
    if !is_argument && !is_literal {
        return None;
    }
    let (_, rest) = text.split_once('"')?;
    let (name, rest) = rest.split_once('"')?;
    let default = match text.strip_prefix("arg_v(") {
        Some(inside) => parts(inside.strip_suffix(')')?).nth(1).map(str::to_owned),
        None => rest.split_once('=').map(|(_, value)| value.trim().to_owned()),
    };
    Some(NamedArgument { name: name.to_owned(), default })
}

/// Values that are none.
const NONE: &[&str] = &["nullopt", "none()", "None", "nullptr"];

/// The default of a schema for a value in C++; `None` if it has none.
pub(super) fn default(value: &str, schema_type: &str) -> Option<String> {
    let value = value.trim();
    let last = value.rsplit("::").next().unwrap_or(value).trim();
    if let Some(inner) = schema_type.strip_suffix('?') {
        let is_empty = value.ends_with("()") || value.ends_with("{}");
        let is_none = NONE.contains(&last) || is_empty && value.contains("optional<");
        return if is_none { Some("None".to_owned()) } else { default(value, inner) };
    }
    if let Some(list) = schema_type.strip_suffix(']') {
        let element = list.split('[').next()?;
        let open = value.find('{')?;
        let inside = value[open + 1..].trim_end_matches([')', ' ']).strip_suffix('}')?;
        let elements = parts(inside).filter(|part| !part.is_empty());
        return Some(format!(
            "[{}]",
            elements.map(|one| default(one, element)).collect::<Option<Vec<_>>>()?.join(", ")
        ));
    }
    let compact: String = value.split_whitespace().collect();
    match (schema_type, compact.as_str()) {
        ("bool", "true") => Some("True".to_owned()),
        ("bool", "false") => Some("False".to_owned()),
        ("bool", number) => number.parse::<i64>().ok().map(|n| if n != 0 { "True" } else { "False" }.to_owned()),
        ("int", "true") => Some("1".to_owned()),
        ("int", "false") => Some("0".to_owned()),
        ("int", text) => number(text.trim_end_matches(['l', 'L', 'u', 'U'])),
        ("float", text) => float(text),
        ("Scalar", text) => number(text).or_else(|| float(text)),
        ("str", text) if text.starts_with('"') && text.ends_with('"') && !text.contains('\\') && text.len() > 1 => {
            Some(value.to_owned())
        }
        _ => None,
    }
}

fn number(text: &str) -> Option<String> {
    text.parse::<i64>().ok().map(|number| number.to_string())
}

fn float(text: &str) -> Option<String> {
    let text = text.trim_end_matches(['f', 'F', 'l', 'L']);
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'));
    text.parse::<f64>().ok().filter(|value| is_number && value.is_finite()).map(|_| text.to_owned())
}

//! The functions of the backend, as the original generator sees them: the types of their
//! parameters.
//!
//! They are read from one of three forms: schema strings (`- fn: …`), a mapping from names to
//! docstrings, and docstrings one after the other in a text file. Invariant: a function has one
//! list of types for each of its overloads, in order.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::mapping;
use crate::codes;
use crate::model::functions::{self, ParameterType};
use crate::records::FunctionRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::yaml::{self, Node, NodeKind, Options};
use torchgen_kit::driver::{JobError, Session};

/// The types of the parameters of each overload, by function.
pub(super) type Functions = HashMap<String, Vec<Vec<String>>>;

/// The start of a docstring that pybind11 writes. Overloads are numbered, so theirs do not match.
static START: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^(\w+)\((?:self\b|\*args)").expect("a valid pattern"));

/// Reads the functions of a file. Errors in it are diagnostics.
///
/// # Errors
/// The file cannot be read, or has none of the forms.
pub(super) fn read_functions(path: &Path, session: &mut Session) -> Result<Functions, JobError> {
    let file = session.read_text(path)?;
    let text = session.sources.text(file);
    let is_yaml = path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    if !is_yaml {
        let found = dump(text);
        if found.is_empty() {
            let message = format!("`{}` has no docstring of a function", path.display());
            let help = "a docstring starts with its signature, such as `Add(self: Builder, key: str, …) -> Node`";
            return Err(Diagnostic::new(&codes::PYTORCH_FILE, message).help(help).into());
        }
        return Ok(found);
    }
    let mut found = Diagnostics::new();
    let root = yaml::parse(&session.sources, file, Options::SAFE_LOAD, &mut found);
    session.diagnostics.extend(found);
    let root = root.ok_or(JobError::Input)?;
    match root.kind {
        NodeKind::Sequence(items) => Ok(schemas(items, &mut session.diagnostics)),
        NodeKind::Mapping(pairs) => {
            let docstring = |(name, value): &(Node, Node)| {
                Some((name.as_text()?.to_string(), mapping::overloads(value.as_text()?.as_str())))
            };
            Ok(pairs.iter().filter_map(docstring).collect())
        }
        NodeKind::Scalar(_) => {
            let message = "the functions are a mapping from names to docstrings, or a list of `fn:`";
            session.diagnostics.push(Diagnostic::new(&codes::PYTORCH_FILE, message).at(root.span.at_start()));
            Err(JobError::Input)
        }
    }
}

/// The docstrings of a text.
fn dump(text: &str) -> Functions {
    let starts: Vec<(usize, &str)> =
        START.captures_iter(text).filter_map(|found| Some((found.get(0)?.start(), found.get(1)?.as_str()))).collect();
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|((start, name), end)| ((*name).to_owned(), mapping::overloads(&text[*start..end])))
        .collect()
}

/// The functions of a list of schema strings.
fn schemas(items: Vec<Node>, diagnostics: &mut Diagnostics) -> Functions {
    let mut records = Vec::new();
    for item in &items {
        match crate::model::declared::value(item, "fn").and_then(Node::as_text) {
            Some(schema) => records.push(FunctionRecord { schema: schema.clone(), cpu: None, doc: None }),
            None => {
                let message = "a function needs the key `fn`, such as `- fn: Relu(Tensor x) -> Tensor`";
                diagnostics.push(Diagnostic::new(&codes::PYTORCH_FILE, message).at(item.span.at_start()));
            }
        }
    }
    let mut found = Functions::new();
    for function in functions::read_functions(&records, diagnostics) {
        let types = function.parameters.iter().map(|parameter| type_of(parameter.taken).to_owned()).collect();
        found.entry(function.name).or_default().push(types);
    }
    found
}

/// The type in a docstring of a parameter of that kind.
fn type_of(taken: ParameterType) -> &'static str {
    match taken {
        ParameterType::Node
        | ParameterType::OptionalNode
        | ParameterType::NodeList
        | ParameterType::Const
        | ParameterType::ConstInt => "Node",
        ParameterType::Int => "int",
        ParameterType::Float => "float",
        ParameterType::Bool => "bool",
        ParameterType::Shape => "TensorShape",
        ParameterType::Str => "str",
        ParameterType::Dtype => "dtype",
    }
}

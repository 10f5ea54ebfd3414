//! PyTorch's operators from Declarations.yaml and RegistrationDeclarations.h, in place of
//! native_functions.yaml. `model` reads their schemas; the files themselves are read here alone,
//! since only wrappers take them as inputs.
//!
//! Invariant: the two files are joined by schema, never by position; a schema in only one of them
//! is an error.

use std::collections::HashMap;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Deserialize;

use super::operators::{Operator, check_types};
use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, codes as shared};
use torchgen_base::yaml::{Node, NodeKind, Options, Text};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::parse::schema;

/// The comment of a line of RegistrationDeclarations.h.
#[derive(Debug, Deserialize)]
struct Comment {
    schema: String,
    dispatch: String,
    default: String,
}

/// What RegistrationDeclarations.h says about a schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Registration {
    /// PyTorch has kernels that differ between backends.
    pub(crate) dispatch: bool,
    /// PyTorch has a kernel that every backend can use.
    pub(crate) default: bool,
    /// The line.
    pub(crate) span: Span,
}

/// The lines of a RegistrationDeclarations.h by schema. Lines without a comment in JSON are
/// others'.
pub(crate) fn registrations(path: &Path, session: &mut Session) -> Result<HashMap<String, Registration>, JobError> {
    let file = session.read_text(path)?;
    let text = session.sources.text(file).to_owned();
    let mut found = HashMap::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = line.find('{').map(|at| offset + at);
        if let Some((start, json)) = start.map(|start| (start, text[start..offset + line.len()].trim_end()))
            && json.contains("\"schema\"")
        {
            let span = Span::new(file, start, start + json.len());
            match serde_json::from_str::<Comment>(json) {
                Ok(comment) => {
                    let (dispatch, default) = (comment.dispatch == "True", comment.default == "True");
                    found.insert(comment.schema, Registration { dispatch, default, span });
                }
                Err(error) => {
                    let message = format!("this comment is not the JSON that PyTorch writes: {error}");
                    session.diagnostics.push(Diagnostic::new(&codes::PYTORCH_FILE, message).at(span));
                }
            }
        }
        offset += line.len();
    }
    Ok(found)
}

/// The entries of a Declarations.yaml.
///
/// # Errors
/// The file cannot be read, or is not a list.
pub(crate) fn declarations(path: &Path, session: &mut Session) -> Result<Vec<Node>, JobError> {
    let root = session.read_yaml(path, Options::SAFE_LOAD)?;
    match root.kind {
        NodeKind::Sequence(entries) => Ok(entries),
        _ => {
            let message = format!("`{}` is not a list of declarations", path.display());
            session.diagnostics.push(Diagnostic::new(&shared::WRONG_TYPE, message).at(root.span));
            Err(JobError::Input)
        }
    }
}

/// The value of a key.
pub(crate) fn value<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    let NodeKind::Mapping(pairs) = &node.kind else { return None };
    pairs.iter().find(|(key, _)| key.as_text().is_some_and(|key| key.as_str() == name)).map(|(_, value)| value)
}

/// The schema of a declaration.
pub(crate) fn schema_of(entry: &Node) -> Option<&Text> {
    value(entry, "schema_string").and_then(Node::as_text)
}

/// The error that a declaration lacks a key.
pub(crate) fn lacks(entry: &Node, key: &str) -> Diagnostic {
    let message = format!("a declaration lacks the key `{key}`");
    Diagnostic::new(&codes::PYTORCH_FILE, message).at(entry.span.at_start())
}

/// Reports the schemas that only one of the files has.
pub(crate) fn disagreements(
    entries: &[Node],
    registrations: &HashMap<String, Registration>,
    diagnostics: &mut Diagnostics,
) {
    let mut listed: HashMap<&str, ()> = HashMap::with_capacity(entries.len());
    for text in entries.iter().filter_map(schema_of) {
        listed.insert(text.as_str(), ());
        if !registrations.contains_key(text.as_str()) {
            let message = format!("`{}` is not in RegistrationDeclarations.h", name_of(text.as_str()));
            let diagnostic = Diagnostic::new(&codes::DECLARATIONS_DISAGREE, message).at(text.span());
            diagnostics.push(
                diagnostic.help("make both files with `torchgen-rs declarations`, from one native_functions.yaml"),
            );
        }
    }
    let mut others: Vec<(&String, &Registration)> =
        registrations.iter().filter(|(schema, _)| !listed.contains_key(schema.as_str())).collect();
    others.sort_by_key(|(_, registration)| registration.span);
    for (schema, registration) in others {
        let message = format!("`{}` is not in Declarations.yaml", name_of(schema));
        diagnostics.push(Diagnostic::new(&codes::DECLARATIONS_DISAGREE, message).at(registration.span));
    }
}

fn name_of(schema: &str) -> &str {
    schema.split('(').next().unwrap_or(schema)
}

/// The operators of the two files. Errors in them are diagnostics.
pub(crate) fn read_declared(
    declared: &Path,
    registered: &Path,
    session: &mut Session,
) -> Result<Vec<Operator>, JobError> {
    let registrations = registrations(registered, session)?;
    let entries = declarations(declared, session)?;
    disagreements(&entries, &registrations, &mut session.diagnostics);
    let read: Vec<(Option<Operator>, Diagnostics)> =
        entries.par_iter().map(|entry| operator(entry, &registrations)).collect();
    let mut operators = Vec::with_capacity(read.len());
    for (operator, diagnostics) in read {
        session.diagnostics.extend(diagnostics);
        operators.extend(operator);
    }
    session.timings.lap("operators");
    Ok(operators)
}

fn operator(entry: &Node, registrations: &HashMap<String, Registration>) -> (Option<Operator>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let Some(text) = schema_of(entry) else {
        diagnostics.push(lacks(entry, "schema_string"));
        return (None, diagnostics);
    };
    let parsed = schema::of_any_torch(text.as_str()).map_err(|error| error.at_text(text));
    let parsed = parsed.and_then(|(_, located)| check_types(&located.schema, text).map(|()| located.schema));
    let schema = parsed.map_err(|error| diagnostics.push(error));
    let (Some(registration), Ok(schema)) = (registrations.get(text.as_str()), schema) else {
        return (None, diagnostics);
    };
    let types = value(entry, "schema_order_cpp_signature").and_then(Node::as_text);
    let operator = Operator {
        required: registration.dispatch && !registration.default,
        composite_implicit: !registration.dispatch,
        structured: types.is_some_and(|types| types.as_str().contains("ITensorListRef")),
        constant: types.is_some_and(|types| types.as_str().starts_with("const at::Tensor &")),
        native: Some(schema.name.name.to_string()),
        ..Operator::new(schema)
    };
    (Some(operator), diagnostics)
}

//! Runs on the inputs of torch_spyre's generator as they are: Metadata.yaml, Jinja templates, a
//! body file, docstrings, and the two files of PyTorch's build.
//!
//! Invariant: the same functions, signatures, classes and order as upstream's. What upstream gets
//! wrong is a warning. Rule: codegen/gen.py and codegen/utils/template_tools.py of
//! torch-spyre/torch-spyre at 859df83.

mod mapping;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::body::{self, Body, text_of};
use super::records::LegacyRecord;
use super::{codes, declared};
use crate::diag::{Diagnostic, Span};
use crate::driver::templates::files_below;
use crate::driver::{JobError, Session};
use crate::render::Jinja;
use crate::yaml::{Node, NodeKind, Options, Resolved, Text, resolve};

/// What the run makes.
pub(super) struct Made {
    pub(super) body: Body,
    /// The text of each function and its registration, in order.
    pub(super) functions: Vec<String>,
    /// What is known about each of them.
    pub(super) declarations: Vec<Value>,
}

/// An entry of Metadata.yaml.
struct Metadata {
    value: Value,
    span: Span,
}

/// A declaration that gets a function.
struct Replacement {
    value: Map<String, Value>,
    template: String,
    span: Span,
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A YAML node as plain data.
fn data(node: &Node) -> Value {
    match &node.kind {
        NodeKind::Sequence(items) => Value::Array(items.iter().map(data).collect()),
        NodeKind::Mapping(pairs) => {
            let key = |key: &Node| key.as_text().map_or(String::new(), Text::to_string);
            Value::Object(pairs.iter().map(|(name, value)| (key(name), data(value))).collect())
        }
        NodeKind::Scalar(text) => match resolve(node) {
            Resolved::Null => Value::Null,
            Resolved::Bool(value) => json!(value),
            Resolved::Int(_) => text.as_str().parse::<i64>().map_or(json!(text.as_str()), |number| json!(number)),
            Resolved::Float(_) => text.as_str().parse::<f64>().map_or(json!(text.as_str()), |number| json!(number)),
            _ => json!(text.as_str()),
        },
    }
}

/// Runs the original generator's rules.
///
/// # Errors
/// A file cannot be read, or has errors.
pub(super) fn run(
    record: &LegacyRecord,
    yaml: &Path,
    body_path: &Path,
    session: &mut Session,
) -> Result<Made, JobError> {
    let path = |text: &Text| super::records::beside(yaml, text);
    let registrations = declared::registrations(&path(&record.registration), session)?;
    let entries = declared::declarations(&path(&record.declarations), session)?;
    declared::disagreements(&entries, &registrations, &mut session.diagnostics);
    let metadata = metadata(&path(&record.metadata), session)?;
    let docstrings = docstrings(&path(&record.functions), session)?;
    let body = body::read(body_path, session)?;
    session.check(false)?;
    let Some(body) = body else { return Err(JobError::Input) };
    let templates = templates(&path(&record.templates), session)?;
    let jinja = Jinja::new(templates)?;
    let prefix = record.prefix.as_ref().map_or("sendnn", |prefix| prefix.as_str());
    let (mut functions, mut declarations) = (Vec::new(), Vec::new());
    for entry in &entries {
        let Some(replacement) = replacement(entry, &metadata, &docstrings, prefix, session) else { continue };
        let template = format!("{}.jinja2", replacement.template);
        if !jinja.has(&template) {
            continue;
        }
        let value = Value::Object(replacement.value);
        let name = value["template_data"]["reg_name"].as_str().unwrap_or_default().trim_matches('"').to_owned();
        if body.registered.contains(&name) {
            warn(session, replacement.span, format!("`{name}` is registered by the body file too"));
        }
        let (text, undefined) = jinja.render(&template, &value)?;
        if undefined > 0 {
            let message = format!("`{template}` prints undefined values for `{name}`");
            warn(session, replacement.span, message);
        }
        functions.push(text);
        declarations.push(value);
    }
    Ok(Made { body, functions, declarations })
}

fn warn(session: &mut Session, span: Span, message: String) {
    session.diagnostics.push(Diagnostic::new(&codes::LEGACY_WARNING, message).at(span));
}

/// Metadata.yaml by operator; the last entry of a name counts.
fn metadata(path: &Path, session: &mut Session) -> Result<HashMap<String, Metadata>, JobError> {
    let entries = declared::declarations(path, session)?;
    let mut found = HashMap::new();
    for entry in &entries {
        let value = data(entry);
        let name = text(&value, "operator_name").to_owned();
        if name.is_empty() || text(&value, "template_name").is_empty() {
            let message = "an entry of Metadata.yaml needs `operator_name` and `template_name`";
            session.diagnostics.push(Diagnostic::new(&codes::PYTORCH_FILE, message).at(entry.span.at_start()));
            continue;
        }
        let span = declared::value(entry, "operator_name").map_or(entry.span, |name| name.span);
        found.insert(name, Metadata { value, span });
    }
    Ok(found)
}

/// The docstrings of the backend's functions by name.
fn docstrings(path: &Path, session: &mut Session) -> Result<HashMap<String, String>, JobError> {
    let root = session.read_yaml(path, Options::SAFE_LOAD)?;
    let Value::Object(pairs) = data(&root) else {
        let message = "the functions are a mapping from names to docstrings";
        session.diagnostics.push(Diagnostic::new(&codes::PYTORCH_FILE, message).at(root.span.at_start()));
        return Err(JobError::Input);
    };
    Ok(pairs.into_iter().filter_map(|(name, value)| Some((name, value.as_str()?.to_owned()))).collect())
}

fn templates(dir: &Path, session: &mut Session) -> Result<Vec<(String, String)>, JobError> {
    let files: Vec<(String, PathBuf)> = files_below(dir, &mut session.seen)?;
    let files = files.into_iter().filter(|(name, _)| name.ends_with(".jinja2"));
    files.map(|(name, path)| Ok((name, text_of(&path, session)?))).collect()
}

/// The types that cannot come first.
const NUMBERS: [&str; 4] = ["int", "double", "float", "Scalar"];

fn replacement(
    entry: &Node,
    metadata: &HashMap<String, Metadata>,
    docstrings: &HashMap<String, String>,
    prefix: &str,
    session: &mut Session,
) -> Option<Replacement> {
    let operator = declared::value(entry, "operator_name").and_then(Node::as_text)?.as_str();
    let Metadata { value: known, span } = metadata.get(operator)?;
    let Value::Object(mut value) = data(entry) else { return None };
    let template = text(known, "template_name").to_owned();
    let overload = value.get("overload_name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut arguments = match value.remove("schema_order_arguments") {
        Some(Value::Array(arguments)) => arguments,
        _ => Vec::new(),
    };
    let first = arguments.first().map_or("", |first| text(first, "type"));
    if NUMBERS.iter().any(|number| first.contains(number)) {
        return None;
    }
    let full = if overload.is_empty() { operator.to_owned() } else { format!("{operator}.{overload}") };
    let function = text(known, &format!("{prefix}_func_name")).to_owned();
    let label = if overload.is_empty() { "default" } else { overload.as_str() };
    let mut shown: Vec<char> = operator.to_lowercase().chars().collect();
    if let Some(first) = shown.first_mut() {
        *first = first.to_ascii_uppercase();
    }
    let shown: String = shown.into_iter().collect();
    value.insert("template_name".to_owned(), json!(template));
    value.insert(
        "template_data".to_owned(),
        json!({
            "op_name": format!("{operator}_{label}"),
            "op_label": format!("\"{shown}\""),
            format!("{prefix}_func_name"): function,
            "reg_name": format!("\"{full}\""),
        }),
    );
    let returns: Vec<String> = value
        .get("returns")
        .and_then(Value::as_array)
        .map_or(Vec::new(), |returns| returns.iter().map(|result| text(result, "type").to_owned()).collect());
    let result = match returns.as_slice() {
        [] => "void".to_owned(),
        [one] => one.clone(),
        several => format!("::std::tuple<{}>", several.join(",")),
    };
    let signature: Vec<String> =
        arguments.iter().map(|argument| format!("{} {}", text(argument, "type"), text(argument, "name"))).collect();
    value.insert("signature_out".to_owned(), json!(result));
    value.insert("signature_in".to_owned(), json!(signature.join(", ")));
    if ["base", "list_inp"].contains(&template.as_str()) {
        if arguments.iter().any(|argument| text(argument, "type").contains("Dimname")) {
            return None;
        }
        let Some(docstring) = docstrings.get(&function) else {
            let message = format!("`{operator}` calls `{function}`, which has no docstring");
            session.diagnostics.push(Diagnostic::new(&codes::UNKNOWN_FUNCTION, message).at(*span));
            return None;
        };
        let extra = known.get("extra_arguments").and_then(Value::as_array).cloned().unwrap_or_default();
        let class_key = format!("{prefix}_type");
        let order = mapping::map(&mut arguments, &mapping::overloads(docstring), &extra, &class_key)?;
        let ignored: Vec<String> = arguments
            .iter()
            .filter(|argument| text(argument, &class_key) == "Ignore" && !text(argument, "name").contains("out"))
            .map(|argument| format!("`{}`", text(argument, "name")))
            .collect();
        if !ignored.is_empty() {
            warn(session, *span, format!("`{full}` ignores {}", ignored.join(", ")));
        }
        value.insert(format!("{prefix}_arg_order_list"), json!(order));
    }
    if ["view", "view_copy"].contains(&template.as_str()) && overload == "dtype" {
        return None;
    }
    for argument in &mut arguments {
        if let Some(Value::Bool(default)) = argument.get("default") {
            argument["default"] = json!(default.to_string());
        }
    }
    value.insert("arguments".to_owned(), Value::Array(arguments));
    let shape = known.get("out_shape_stride_expr").and_then(Value::as_str).unwrap_or("bypass");
    if template == "base" && shape == "infer" {
        warn(session, *span, format!("`{full}` has no function: its sizes would be traced with torch"));
        return None;
    }
    value.insert("out_shape_stride_expr".to_owned(), json!(shape));
    Some(Replacement { value, template, span: *span })
}

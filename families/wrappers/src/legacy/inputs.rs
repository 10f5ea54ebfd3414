//! Reads the inputs of the original generator.
//!
//! Invariant: all errors of all files are reported, each at its place.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};

use super::functions::{self, Functions};
use crate::codes;
use crate::flags::Flags;
use crate::model::body::{self, Body};
use crate::model::declared::{self, Registration};
use crate::records::{BackendRecord, LegacyRecord, beside};
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_base::render::Jinja;
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};
use torchgen_kit::driver::templates::files_below;
use torchgen_kit::driver::{JobError, Session};

/// The dispatch key of the original templates.
const KEY: &str = "PrivateUse1";

/// An entry of Metadata.yaml.
pub(super) struct Metadata {
    pub(super) value: Value,
    /// The operator's name.
    pub(super) span: Span,
}

/// A name that a template requires.
pub(super) struct Required {
    pub(super) path: String,
    pub(super) span: Span,
}

/// All inputs of a run.
pub(super) struct Inputs {
    /// By operator.
    pub(super) metadata: HashMap<String, Metadata>,
    pub(super) functions: Functions,
    /// The entries of Declarations.yaml.
    pub(super) entries: Vec<Node>,
    /// By schema.
    pub(super) registrations: HashMap<String, Registration>,
    pub(super) body: Body,
    pub(super) templates: Jinja,
    /// The names that each template requires.
    pub(super) required: HashMap<String, Vec<Required>>,
    /// The prefix of keys such as `sendnn_type`.
    pub(super) prefix: String,
}

impl Inputs {
    /// Reads all files. Flags come before the YAML.
    pub(super) fn read_inputs(
        record: &BackendRecord,
        legacy: &LegacyRecord,
        flags: &Flags,
        session: &mut Session,
    ) -> Result<Inputs, JobError> {
        let path = |flag: &Option<PathBuf>, text: &Text| flag.clone().unwrap_or_else(|| beside(&record.path, text));
        let Some(body) = flags.body.clone().or_else(|| record.body_path()) else {
            let diagnostic = Diagnostic::new(&codes::WRAPPER_KEY, "the original templates need a `body`");
            session.diagnostics.push(diagnostic.at(record.place).help("name the C++ file with the insertion line"));
            return Err(JobError::Input);
        };
        let registrations = declared::registrations(&path(&flags.registration, &legacy.registration), session)?;
        let entries = declared::declarations(&path(&flags.declarations, &legacy.declarations), session)?;
        for entry in entries.iter().filter(|entry| declared::schema_of(entry).is_none()) {
            session.diagnostics.push(declared::lacks(entry, "schema_string"));
        }
        declared::disagreements(&entries, &registrations, &mut session.diagnostics);
        let metadata = metadata(path(&flags.metadata, &legacy.metadata), session)?;
        let functions = functions::read_functions(&path(&flags.backend_functions, &legacy.functions), session)?;
        let body = body::read_body(&body, KEY, session)?;
        let (templates, required) = templates(path(&None, &legacy.templates), session)?;
        session.check_errors()?;
        let prefix = legacy.prefix.as_ref().map_or("sendnn", |prefix| prefix.as_str()).to_owned();
        let body = body.ok_or(JobError::Input)?;
        Ok(Inputs { metadata, functions, entries, registrations, body, templates, required, prefix })
    }
}

/// A string of a mapping, or nothing.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A YAML node as plain data.
pub(super) fn data(node: &Node) -> Value {
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

/// Metadata.yaml by operator; the last entry of a name counts.
fn metadata(path: PathBuf, session: &mut Session) -> Result<HashMap<String, Metadata>, JobError> {
    let entries = declared::declarations(&path, session)?;
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

/// A comment such as `{# requires: returns, arguments.name #}`.
static REQUIRES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{#-?\s*requires:([^#]*?)-?#\}").expect("a valid pattern"));

static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[\w.]+").expect("a valid pattern"));

type Templates = (Jinja, HashMap<String, Vec<Required>>);

fn templates(dir: PathBuf, session: &mut Session) -> Result<Templates, JobError> {
    let files: Vec<(String, PathBuf)> = files_below(&dir, &mut session.seen)?;
    let (mut texts, mut required) = (Vec::new(), HashMap::new());
    for (name, path) in files.into_iter().filter(|(name, _)| name.ends_with(".jinja2")) {
        let file = session.read_text(&path)?;
        let text = session.sources.text(file).to_owned();
        let mut names = Vec::new();
        for list in REQUIRES.captures_iter(&text).filter_map(|found| found.get(1)) {
            names.extend(NAME.find_iter(list.as_str()).map(|name| {
                let start = list.start() + name.start();
                Required { path: name.as_str().to_owned(), span: Span::new(file, start, start + name.len()) }
            }));
        }
        required.insert(name.clone(), names);
        texts.push((name, text));
    }
    Ok((Jinja::new(texts)?, required))
}

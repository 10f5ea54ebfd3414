//! Reads the YAML: documents with entries, each a builder, a helper or a primitive operator.
//!
//! Invariant: all wrong keys and values of a file are reported. `model` checks schema strings and
//! bodies.

use std::path::PathBuf;

mod keys;

pub(crate) use keys::DOCUMENT;

use super::codes;
use keys::ENTRY;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::yaml::fields::{self, Fields};
use torchgen_base::yaml::{Node, NodeKind, Text};
use torchgen_kit::driver::request::Document;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// A builder, which is registered.
    Builder,
    /// A function for bodies.
    Helper,
    /// A primitive operator.
    Operator,
}

/// Code that replaces a body.
#[derive(Debug, Clone)]
pub(crate) enum Implementation {
    /// A file beside the YAML.
    File(Text),
    /// C++ statements.
    Inline(Text),
}

/// An entry.
#[derive(Debug, Clone)]
pub(crate) struct EntryRecord {
    pub(crate) kind: EntryKind,
    pub(crate) schema: Text,
    pub(crate) names: Option<Vec<Text>>,
    /// Options whose keys differ from their names.
    pub(crate) keys: Vec<(Text, Text)>,
    /// What errors begin with in MIGraphX.
    pub(crate) error_prefix: Option<Text>,
    pub(crate) doc: Option<Text>,
    pub(crate) body: Option<Text>,
    pub(crate) implementation: Option<Implementation>,
    pub(crate) traits: Vec<Text>,
    pub(crate) examples: Vec<Node>,
    /// The first key of the entry.
    pub(crate) place: Span,
    /// The file.
    pub(crate) path: PathBuf,
}

/// All documents of a run.
#[derive(Debug, Default)]
pub(crate) struct Records {
    pub(crate) namespace: Option<Text>,
    /// The version of what modules are written as, in each file that gives it.
    pub(crate) versions: Vec<Node>,
    /// The mix-ins, in each file that has some.
    pub(crate) traits: Vec<Node>,
    pub(crate) entries: Vec<EntryRecord>,
}

/// Reads documents.
pub(crate) fn read_records(documents: Vec<Document>, diagnostics: &mut Diagnostics) -> Records {
    let mut records = Records::default();
    for document in documents {
        let path = document.path;
        let Some(mut keys) = Fields::new(document.root, &DOCUMENT, diagnostics) else { continue };
        keys.take("family");
        let namespace = keys.take_text("namespace");
        records.versions.extend(keys.take("version"));
        records.traits.extend(keys.take("traits"));
        let entries = keys.take("ops");
        if entries.is_none() {
            keys.missing("ops", Some("list builders below `ops:`"));
        }
        keys.finish();
        if let Some(namespace) = namespace {
            agree(&mut records.namespace, namespace, diagnostics);
        }
        let listed =
            entries.and_then(|node| fields::items(node, "`ops`", &torchgen_base::diag::codes::WRONG_TYPE, diagnostics));
        for node in listed.unwrap_or_default() {
            records.entries.extend(entry(node, path.clone(), diagnostics));
        }
    }
    records
}

/// All files of a run must have the same namespace.
fn agree(first: &mut Option<Text>, namespace: Text, diagnostics: &mut Diagnostics) {
    if !is_qualified_identifier(namespace.as_str()) {
        let message = format!("`{namespace}` is not a C++ namespace");
        let help = "write names separated by `::`, such as `acme::op::builder`";
        diagnostics.push(Diagnostic::new(&codes::BUILDER_NAMESPACE, message).at(namespace.span()).help(help));
        return;
    }
    match first {
        None => *first = Some(namespace),
        Some(first) if first.as_str() != namespace.as_str() => diagnostics.push(
            Diagnostic::new(&codes::BUILDER_NAMESPACE, "the files of a run must have the same namespace")
                .at(namespace.span())
                .also(first.span(), "another namespace here"),
        ),
        Some(_) => {}
    }
}

fn entry(node: Node, path: PathBuf, diagnostics: &mut Diagnostics) -> Option<EntryRecord> {
    let mut keys = Fields::new(node, &ENTRY, diagnostics)?;
    let place = keys.first_key();
    let kinds = [("builder", EntryKind::Builder), ("helper", EntryKind::Helper), ("op", EntryKind::Operator)];
    let mut found: Vec<(EntryKind, Text)> = Vec::new();
    for (key, kind) in kinds {
        found.extend(keys.take_text(key).map(|schema| (kind, schema)));
    }
    let names = keys.take_texts("names").map(|names| names.value);
    let renamed = keys.take_map("keys").map(|keys| keys.value).unwrap_or_default();
    let error_prefix = keys.take_text("error_prefix");
    let doc = keys.take_text("doc");
    let body = keys.take_text("body");
    let implementation = keys.take("impl");
    let traits = keys.take_texts("traits").map(|traits| traits.value).unwrap_or_default();
    let examples = keys.take("examples");
    let implementation = implementation.and_then(|node| implemented(node, keys.diagnostics()));
    let examples = examples.and_then(|node| {
        fields::items(node, "`examples`", &torchgen_base::diag::codes::WRONG_TYPE, keys.diagnostics())
    });
    keys.finish();
    if found.len() != 1 {
        let message = "an entry must have exactly one of the keys `builder`, `helper` and `op`";
        diagnostics.push(Diagnostic::new(&codes::BUILDER_ENTRY, message).at(place));
        return None;
    }
    let (kind, schema) = found.pop()?;
    let record = EntryRecord {
        kind,
        schema,
        names,
        keys: renamed,
        error_prefix,
        doc,
        body,
        implementation,
        traits,
        examples: examples.unwrap_or_default(),
        place,
        path,
    };
    complain_about_code(&record, diagnostics);
    Some(record)
}

/// Checks that a builder has a body or code, a helper a body, and an operator neither.
fn complain_about_code(record: &EntryRecord, diagnostics: &mut Diagnostics) {
    let message = match (record.kind, record.body.is_some(), record.implementation.is_some()) {
        (EntryKind::Builder, true, true) => "a builder has `body:` or `impl:`, not both",
        (EntryKind::Builder, false, false) => "a builder needs `body:` or `impl:`",
        (EntryKind::Helper, false, _) => "a helper needs `body:`",
        (EntryKind::Helper, _, true) => "a helper cannot have `impl:`",
        (EntryKind::Operator, true, _) | (EntryKind::Operator, _, true) => "a primitive operator cannot have a body",
        _ => return,
    };
    diagnostics.push(Diagnostic::new(&codes::BUILDER_ENTRY, message).at(record.place));
}

fn implemented(node: Node, diagnostics: &mut Diagnostics) -> Option<Implementation> {
    let wrong = fields::wrong_type(&node, "`impl`", "a mapping with `cpp` or `inline`");
    let NodeKind::Mapping(pairs) = node.kind else {
        diagnostics.push(wrong);
        return None;
    };
    let [(key, value)] = <[_; 1]>::try_from(pairs).map_err(|_| diagnostics.push(wrong.clone())).ok()?;
    let text = fields::text(value, "code", diagnostics)?;
    match key.as_text().map(Text::as_str) {
        Some("cpp") => Some(Implementation::File(text)),
        Some("inline") => Some(Implementation::Inline(text)),
        _ => {
            diagnostics.push(wrong);
            None
        }
    }
}

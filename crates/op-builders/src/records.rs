//! Reads the YAML: documents with entries, each a builder, a helper or a primitive operator.
//!
//! Invariant: all wrong keys and values of a file are reported. `model` checks schema strings and
//! bodies.

use std::path::PathBuf;

use super::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::yaml::fields::{self, Fields, KeySpec, KeyTable, Others, Shape};
use torchgen_base::yaml::keys::MapKeys;
use torchgen_base::yaml::{Node, NodeKind, Text};
use torchgen_kit::driver::request::Document;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// A builder, which is registered.
    Builder,
    /// A function for bodies.
    Helper,
    /// A primitive operator.
    Operator,
}

/// Code that replaces a body.
#[derive(Debug, Clone)]
pub(super) enum Implementation {
    /// A file beside the YAML.
    File(Text),
    /// C++ statements.
    Inline(Text),
}

/// An entry.
#[derive(Debug, Clone)]
pub(super) struct EntryRecord {
    pub(super) kind: EntryKind,
    pub(super) schema: Text,
    pub(super) names: Option<Vec<Text>>,
    /// Options whose keys differ from their names.
    pub(super) keys: Vec<(Text, Text)>,
    pub(super) doc: Option<Text>,
    pub(super) body: Option<Text>,
    pub(super) implementation: Option<Implementation>,
    pub(super) examples: Vec<Node>,
    /// The first key of the entry.
    pub(super) place: Span,
    /// The file.
    pub(super) path: PathBuf,
}

/// All documents of a run.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) namespace: Option<Text>,
    pub(super) entries: Vec<EntryRecord>,
}

/// Keys that are names of options.
const ANY_WORD: MapKeys = MapKeys { words: Vec::new, offered: Vec::new };

/// The keys of a document.
pub(super) static DOCUMENT: KeyTable = KeyTable {
    what: "a file of op builders",
    keys: &[
        KeySpec::new("family", Shape::Word(&["op-builders"]), "The family of the file: `op-builders`.").required(),
        KeySpec::new("namespace", Shape::Text, "The C++ namespace of the builders, such as `acme::op::builder`."),
        KeySpec::new("ops", Shape::Entries(&ENTRY), "Builders, helpers and primitive operators.").required(),
    ],
    others: Others::Refused,
    misplaced: &[
        ("builder", "builders are entries of the list `ops:`"),
        ("op", "operators are entries of the list `ops:`"),
    ],
    unknown: &torchgen_base::diag::codes::UNKNOWN_KEY,
};

/// The keys of an entry.
pub(super) static ENTRY: KeyTable = KeyTable {
    what: "an entry of `ops:`",
    keys: &[
        KeySpec::new("builder", Shape::Text, "The signature of a builder; parameters after `*` are options."),
        KeySpec::new("helper", Shape::Text, "The signature of a function that bodies can call."),
        KeySpec::new("op", Shape::Text, "The signature of a primitive operator; parameters after `*` are attributes."),
        KeySpec::new(
            "names",
            Shape::Texts,
            "The names under which the builder is registered; by default its own name.",
        ),
        KeySpec::new("keys", Shape::Map(ANY_WORD), "Options whose keys differ from their names."),
        KeySpec::new("doc", Shape::Text, "A description, for the documentation."),
        KeySpec::new("body", Shape::Text, "Statements that compute the result."),
        KeySpec::new("impl", Shape::TextOrMap(&["cpp", "inline"]), "C++ instead of a body: a file, or statements."),
        KeySpec::new("examples", Shape::Values, "Inputs, options and expected results."),
    ],
    others: Others::Refused,
    misplaced: &[
        ("func", "the signature of a builder is the value of `builder:`"),
        ("options", "options are parameters after `*` in the signature"),
        ("attributes", "options are parameters after `*` in the signature"),
    ],
    unknown: &torchgen_base::diag::codes::UNKNOWN_KEY,
};

/// Reads documents.
pub(super) fn read(documents: Vec<Document>, diagnostics: &mut Diagnostics) -> Records {
    let mut records = Records::default();
    for document in documents {
        let path = document.path;
        let Some(mut keys) = Fields::new(document.root, &DOCUMENT, diagnostics) else { continue };
        keys.take("family");
        let namespace = keys.take_text("namespace");
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
    let doc = keys.take_text("doc");
    let body = keys.take_text("body");
    let implementation = keys.take("impl");
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
        doc,
        body,
        implementation,
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

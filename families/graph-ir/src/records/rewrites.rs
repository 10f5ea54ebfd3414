//! Entries of `rules:`: how graphs are rewritten.
//!
//! Invariant: texts are not parsed here.

use super::check_words;
use super::keys::{ASSUMPTIONS, EXAMPLE_KEYS, REWRITE_KEYS};
use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::yaml::fields::{self, Fields};
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};

/// An entry of `rules:`.
#[derive(Debug)]
pub(crate) struct RewriteRecord {
    pub(crate) name: Text,
    pub(crate) doc: Option<Text>,
    /// The words of `for:`, and the nodes of each one.
    pub(crate) words: Vec<(Text, Vec<Text>)>,
    pub(crate) pattern: Text,
    pub(crate) conditions: Vec<Text>,
    pub(crate) replace: ReplaceRecord,
    pub(crate) group: Option<Text>,
    pub(crate) priority: Option<(i64, Span)>,
    pub(crate) assumes: Vec<Text>,
    pub(crate) examples: Vec<ExampleRecord>,
}

/// What `replace:` says.
#[derive(Debug)]
pub(crate) enum ReplaceRecord {
    /// The value in place of the only result.
    Only(Text),
    /// Values in place of results.
    Results(Vec<(Text, Text)>),
}

impl ReplaceRecord {
    /// The values, each with the name of its result if one is written.
    pub(crate) fn values(&self) -> Vec<(Option<&Text>, &Text)> {
        match self {
            ReplaceRecord::Only(text) => vec![(None, text)],
            ReplaceRecord::Results(results) => results.iter().map(|(name, text)| (Some(name), text)).collect(),
        }
    }
}

/// An entry of `examples:`.
#[derive(Debug)]
pub(crate) struct ExampleRecord {
    /// The types of values.
    pub(crate) given: Vec<(Text, Text)>,
    pub(crate) before: Text,
    /// What the value becomes; nothing if the rule does not match.
    pub(crate) after: Option<Text>,
}

/// Reads `rules:`.
pub(super) fn read_rewrites(node: Node, diagnostics: &mut Diagnostics) -> Vec<RewriteRecord> {
    let entries = fields::items(node, "`rules`", &codes::IR_HEAD, diagnostics).unwrap_or_default();
    entries.into_iter().filter_map(|entry| read_rewrite(entry, diagnostics)).collect()
}

fn read_rewrite(entry: Node, diagnostics: &mut Diagnostics) -> Option<RewriteRecord> {
    let mut fields = Fields::new(entry, &REWRITE_KEYS, diagnostics)?;
    for (key, help) in [
        ("rule", "give the rule a name: `rule: add zero`"),
        ("match", "write the nodes that it finds: `match: Add(x, Splat(Value=0.0))`"),
        ("replace", "write what takes their place: `replace: x`"),
    ] {
        if !fields.has(key) {
            fields.missing(key, Some(help));
        }
    }
    let [name, doc, pattern, group] = ["rule", "doc", "match", "group"].map(|key| fields.take_text(key));
    let words = fields.take("for").map(|node| read_words(node, fields.diagnostics())).unwrap_or_default();
    let conditions = fields.take_text_or_texts("where").map(|texts| texts.value).unwrap_or_default();
    let priority = fields.take("priority").and_then(|node| read_priority(&node, fields.diagnostics()));
    let assumes = fields.take_texts("assumes").map(|texts| texts.value).unwrap_or_default();
    let wrong = |word: &Text| Diagnostic::new(&codes::IR_RULE, format!("a rule cannot assume `{word}`"));
    check_words(&assumes, &ASSUMPTIONS, wrong, "it can assume", fields.diagnostics());
    let replace = fields.take("replace").and_then(|node| read_replace(node, fields.diagnostics()));
    let examples = fields.take("examples").map(|node| read_examples(node, fields.diagnostics())).unwrap_or_default();
    fields.finish();
    let (name, pattern, replace) = (name?, pattern?, replace?);
    Some(RewriteRecord { name, doc, words, pattern, conditions, replace, group, priority, assumes, examples })
}

fn read_words(node: Node, diagnostics: &mut Diagnostics) -> Vec<(Text, Vec<Text>)> {
    let NodeKind::Mapping(pairs) = node.kind else {
        let error = fields::wrong_type(&node, "`for`", "a mapping");
        diagnostics.push(error.help("write the nodes of each word: `for: {Op: [Add, Mul]}`"));
        return Vec::new();
    };
    let mut words = Vec::new();
    for (key, value) in pairs {
        let Some(key) = fields::text(key, "a key of `for`", diagnostics) else { continue };
        let nodes = fields::texts(value, key.as_str(), diagnostics);
        words.extend(nodes.map(|nodes| (key, nodes.value)));
    }
    words
}

fn read_priority(node: &Node, diagnostics: &mut Diagnostics) -> Option<(i64, Span)> {
    let number = node.as_text().filter(|_| matches!(resolve(node), Resolved::Int(_)));
    let number = number.and_then(|text| text.as_str().parse().ok());
    if number.is_none() {
        let error = fields::wrong_type(node, "`priority`", "a whole number");
        diagnostics.push(error.help("rules of higher priority come first"));
    }
    number.map(|number| (number, node.span))
}

fn read_replace(node: Node, diagnostics: &mut Diagnostics) -> Option<ReplaceRecord> {
    if let NodeKind::Mapping(_) = node.kind {
        return fields::text_map(node, "replace", diagnostics).map(|map| ReplaceRecord::Results(map.value));
    }
    fields::text(node, "`replace`", diagnostics).map(ReplaceRecord::Only)
}

fn read_examples(node: Node, diagnostics: &mut Diagnostics) -> Vec<ExampleRecord> {
    let entries = fields::items(node, "`examples`", &codes::IR_RULE, diagnostics).unwrap_or_default();
    let mut examples = Vec::new();
    for entry in entries {
        let Some(mut fields) = Fields::new(entry, &EXAMPLE_KEYS, diagnostics) else { continue };
        if !fields.has("before") {
            fields.missing("before", Some("write the graph that the rule meets"));
        }
        let given = fields.take("given");
        let given = given.and_then(|node| fields::text_map(node, "given", fields.diagnostics()));
        let given = given.map(|map| map.value).unwrap_or_default();
        let [before, after] = ["before", "after"].map(|key| fields.take_text(key));
        fields.finish();
        examples.extend(before.map(|before| ExampleRecord { given, before, after }));
    }
    examples
}

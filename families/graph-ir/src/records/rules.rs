//! Reads the rules of `verify:` and the entries of `methods:`.
//!
//! Invariant: a rule has one word. Its terms are not looked up here.

use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::yaml::fields::{self, Fields};
use torchgen_base::yaml::{Node, NodeKind, Text};
use torchgen_kit::ir::check_identifier;

use super::NAME_CODES;
use super::keys::METHOD_KEYS;

/// What `verify:` says.
#[derive(Debug, Default)]
pub(crate) enum VerifyRecord {
    /// Nothing.
    #[default]
    Absent,
    /// `none`
    Nothing,
    /// `custom`
    ByHand,
    /// A list of rules.
    Rules(Vec<RuleRecord>),
}

/// A rule: a word, and what it is about.
#[derive(Debug)]
pub(crate) struct RuleRecord {
    pub(crate) word: Text,
    pub(crate) terms: Vec<Text>,
    pub message: Option<Text>,
}

/// An entry of `methods:`.
#[derive(Debug, Clone)]
pub(crate) struct MethodRecord {
    pub(crate) decl: Text,
    pub(crate) define: Option<Text>,
    pub(crate) gradient: Option<bool>,
}

pub(super) fn read_verify(node: Node, diagnostics: &mut Diagnostics) -> VerifyRecord {
    if let Some(word) = node.as_text() {
        match word.as_str() {
            "none" => return VerifyRecord::Nothing,
            "custom" => return VerifyRecord::ByHand,
            other => {
                let error = Diagnostic::new(&codes::IR_VERIFY_RULE, format!("`{other}` is not a way to verify"));
                diagnostics.push(error.at(node.span).help("write `none`, `custom`, or a list of rules"));
            }
        }
        return VerifyRecord::Absent;
    }
    let Some(items) = fields::items(node, "`verify`", &codes::IR_VERIFY_RULE, diagnostics) else {
        return VerifyRecord::Absent;
    };
    VerifyRecord::Rules(items.into_iter().filter_map(|item| read_rule(item, diagnostics)).collect())
}

fn read_rule(item: Node, diagnostics: &mut Diagnostics) -> Option<RuleRecord> {
    if let Some(word) = item.as_text() {
        let error = Diagnostic::new(&codes::IR_VERIFY_RULE, format!("the rule `{word}` does not say what it is about"));
        let help = match word.as_str() {
            "none" | "custom" => format!("write `verify: {word}` without a list"),
            _ => "write a rule as `{same_shape: [Result, LHS]}`".to_owned(),
        };
        diagnostics.push(error.at(item.span).help(help));
        return None;
    }
    let span = item.span;
    let NodeKind::Mapping(pairs) = item.kind else {
        diagnostics.push(Diagnostic::new(&codes::IR_VERIFY_RULE, "a rule must be a mapping").at(span));
        return None;
    };
    let (mut rule, mut message) = (None, None);
    for (key, value) in pairs {
        let word = fields::text(key, "a rule", diagnostics)?;
        if matches!(word.as_str(), "method" | "type_check") {
            let names: Vec<&Text> = match &value.kind {
                NodeKind::Scalar(_) => value.as_text().into_iter().collect(),
                NodeKind::Sequence(items) => items.iter().filter_map(Node::as_text).collect(),
                _ => Vec::new(),
            };
            names.iter().for_each(|name| check_identifier(name, NAME_CODES, diagnostics));
        }
        if word.as_str() == "message" {
            message = fields::text(value, "`message`", diagnostics);
            continue;
        }
        let terms = match value.kind {
            NodeKind::Scalar(_) => fields::text(value, format_args!("`{word}`"), diagnostics).into_iter().collect(),
            _ => fields::texts(value, word.as_str(), diagnostics).map(|texts| texts.value).unwrap_or_default(),
        };
        if rule.is_some() {
            let error = Diagnostic::new(&codes::IR_VERIFY_RULE, "a rule has one word").at(word.span());
            diagnostics.push(error.help("make two rules of it"));
            return None;
        }
        rule = Some((word, terms));
    }
    if rule.is_none() {
        diagnostics.push(Diagnostic::new(&codes::IR_VERIFY_RULE, "a rule is empty").at(span));
    }
    rule.map(|(word, terms)| RuleRecord { word, terms, message })
}

pub(super) fn read_methods(node: Node, diagnostics: &mut Diagnostics) -> Vec<MethodRecord> {
    let entries = fields::items(node, "`methods`", &codes::WRONG_TYPE, diagnostics).unwrap_or_default();
    let mut methods = Vec::new();
    for entry in entries {
        let Some(mut fields) = Fields::new(entry, &METHOD_KEYS, diagnostics) else { continue };
        let has_decl = fields.key_span("decl").is_some();
        let decl = fields.take_text("decl");
        let define = fields.take_text("define");
        let gradient = fields.take_bool("gradient").map(|flag| flag.value);
        if !has_decl {
            fields.missing("decl", Some("write the declaration that goes into the class"));
        }
        fields.finish();
        if let Some(empty) = decl.as_ref().filter(|decl| decl.as_str().trim().is_empty()) {
            let error = Diagnostic::new(&codes::WRONG_TYPE, "a method without a declaration").at(empty.span());
            diagnostics.push(error.help("write the declaration that goes into the class"));
        }
        methods.extend(decl.map(|decl| MethodRecord { decl, define, gradient }));
    }
    methods
}

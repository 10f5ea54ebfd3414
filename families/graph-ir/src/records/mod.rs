//! A graph-ir file as written.
//!
//! Invariant: every value has its place. Only the form of single values is checked.

mod keys;
mod ops;
mod rewrites;
mod rules;
mod support;

pub(crate) use keys::FILE_KEYS;
pub(crate) use ops::{GradientRecord, OpRecord};
pub(crate) use rewrites::{ExampleRecord, ReplaceRecord, RewriteRecord};
pub(crate) use rules::{MethodRecord, RuleRecord, VerifyRecord};
pub(crate) use support::SupportRecord;

use crate::codes;
use crate::words::reserved;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::lang::cpp::is_keyword;
use torchgen_base::yaml::fields::{self, Fields};
use torchgen_base::yaml::{Node, NodeKind, Text};
use torchgen_kit::ir::{EnumRecord, NameCodes, TraitCodes, TypeRecord, check_identifier, read_enums, read_types};

use ops::read_op;

const NAME_CODES: NameCodes = NameCodes { malformed: &codes::IR_NAME, reserved: &codes::IR_RESERVED_WORD };

pub(crate) const TRAIT_CODES: TraitCodes =
    TraitCodes { names: NAME_CODES, duplicate: &codes::IR_DUPLICATE, unknown: &codes::IR_UNKNOWN_PART };

/// One file.
#[derive(Debug, Default)]
pub(crate) struct FileRecord {
    pub namespace: Option<Text>,
    pub(crate) serial_prefix: Option<Text>,
    pub(crate) includes: Vec<Text>,
    pub(crate) verification: Vec<Text>,
    pub(crate) declared_nodes: Vec<Text>,
    pub(crate) declared_instructions: Vec<Text>,
    pub(crate) declared_values: Vec<Text>,
    /// The version of what graphs are written as.
    pub(crate) version: Option<Node>,
    pub(crate) traits: Option<Node>,
    pub(crate) enums: Vec<EnumRecord>,
    pub(crate) types: Vec<TypeRecord>,
    /// Base classes of the user's.
    pub(crate) support: Option<SupportRecord>,
    pub(crate) ops: Vec<OpRecord>,
    pub(crate) rewrites: Vec<RewriteRecord>,
    pub(crate) evaluator: Option<Text>,
    /// Headers for the sources of rules.
    pub(crate) rule_includes: Vec<Text>,
    /// C++ functions that rules call.
    pub(crate) functions: Vec<Text>,
}

/// Reads a file. What is wrong with it is reported.
pub(crate) fn read_records(root: Node, diagnostics: &mut Diagnostics) -> FileRecord {
    let mut record = FileRecord::default();
    let Some(mut fields) = Fields::new(root, &FILE_KEYS, diagnostics) else { return record };
    match fields.take_text("family") {
        Some(family) if family.as_str() == "graph-ir" => {}
        Some(family) => {
            let message = format!("`{family}` is not the family of this command");
            let error = Diagnostic::new(&codes::IR_HEAD, message).at(family.span());
            fields.diagnostics().push(error.help("write `family: graph-ir`"));
        }
        None => fields.missing("family", Some("write `family: graph-ir`")),
    }
    let kind = fields.take_text("kind");
    record.namespace = fields.take_text("namespace");
    record.serial_prefix = fields.take_text("serial_prefix");
    record.version = fields.take("version");
    record.includes = fields.take_texts("include").map(|texts| texts.value).unwrap_or_default();
    record.verification = fields.take_texts("verification").map(|texts| texts.value).unwrap_or_default();
    record.support = fields.take("support").and_then(|node| support::read_support(node, fields.diagnostics()));
    if let Some(declare) = fields.take("declare") {
        read_declare(declare, &mut record, fields.diagnostics());
    }
    record.traits = fields.take("traits");
    if let Some(enums) = fields.take("enums") {
        record.enums = read_enums(enums, NAME_CODES, fields.diagnostics());
    }
    if let Some(types) = fields.take("types") {
        record.types = read_types(types, NAME_CODES, fields.diagnostics());
    }
    if let Some(ops) = fields.take("ops") {
        let entries = fields::items(ops, "`ops`", &codes::IR_HEAD, fields.diagnostics()).unwrap_or_default();
        let wanted = kind.as_ref().map(|kind| kind.as_str() == "nodes");
        record.ops = entries.into_iter().filter_map(|entry| read_op(entry, wanted, fields.diagnostics())).collect();
    }
    record.rule_includes = fields.take_texts("rules_include").map(|texts| texts.value).unwrap_or_default();
    record.functions = fields.take_texts("functions").map(|texts| texts.value).unwrap_or_default();
    record.evaluator = fields.take_text("evaluator");
    if let Some(rules) = fields.take("rules") {
        record.rewrites = rewrites::read_rewrites(rules, fields.diagnostics());
    }
    if let Some(kind) = kind
        && !matches!(kind.as_str(), "nodes" | "instructions")
    {
        let error = Diagnostic::new(&codes::IR_HEAD, format!("`{kind}` is not a kind of records")).at(kind.span());
        fields.diagnostics().push(error.help("write `nodes` or `instructions`, or leave the key out"));
    }
    fields.finish();
    record
}

/// Reports what cannot be a name in C++, and what is listed twice.
fn names_of_cpp(names: &[Text], diagnostics: &mut Diagnostics) {
    for (at, name) in names.iter().enumerate() {
        check_identifier(name, NAME_CODES, diagnostics);
        if let Some(why) = reserved(name.as_str()).filter(|_| !is_keyword(name.as_str())) {
            let error = Diagnostic::new(&codes::IR_RESERVED_WORD, format!("`{name}` {why}")).at(name.span());
            diagnostics.push(error.help("choose another name"));
        }
        if let Some(first) = names[..at].iter().find(|other| other.as_str() == name.as_str()) {
            let error = Diagnostic::new(&codes::IR_DUPLICATE, format!("`{name}` is listed twice")).at(name.span());
            diagnostics.push(error.also(first.span(), "first here").help("delete one of them"));
        }
    }
}

/// Reports words that are not among those that a list can have; `can` begins the list of these.
fn check_words(
    words: &[Text],
    known: &[&'static str],
    wrong: impl Fn(&Text) -> Diagnostic,
    can: &str,
    diagnostics: &mut Diagnostics,
) {
    for word in words.iter().filter(|word| !known.contains(&word.as_str())) {
        let nearest = did_you_mean(word.as_str(), known.iter().copied());
        let help = nearest.unwrap_or_else(|| format!("{can} `{}`", known.join("`, `")).into());
        diagnostics.push(wrong(word).at(word.span()).help(help));
    }
}

fn read_declare(node: Node, record: &mut FileRecord, diagnostics: &mut Diagnostics) {
    let NodeKind::Mapping(pairs) = node.kind else {
        let error = Diagnostic::new(&codes::IR_HEAD, "`declare` must be a mapping").at(node.span);
        diagnostics.push(error.help("write `declare: {nodes: [...], instructions: [...], values: [...]}`"));
        return;
    };
    for (key, value) in pairs {
        let Some(key) = fields::text(key, "a key of `declare`", diagnostics) else { continue };
        let names = fields::texts(value, key.as_str(), diagnostics).map(|texts| texts.value).unwrap_or_default();
        names_of_cpp(&names, diagnostics);
        match key.as_str() {
            "nodes" => record.declared_nodes = names,
            "instructions" => record.declared_instructions = names,
            "values" => record.declared_values = names,
            other => diagnostics.push(
                Diagnostic::new(&codes::IR_HEAD, format!("`{other}` cannot be declared"))
                    .at(key.span())
                    .maybe_help(did_you_mean(other, ["nodes", "instructions", "values"])),
            ),
        }
    }
}

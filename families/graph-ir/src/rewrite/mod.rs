//! Rules that rewrite graphs: patterns, conditions, and what takes the place of a match.
//!
//! Data flows `records -> pattern -> bindings -> term`, then `order` compares rules with each
//! other, and `tree` makes one decision tree of a group. Invariant: a rule in the model names
//! nodes and parts that exist, all of its alternatives bind the same names with the same types, and
//! its replacement has a value for each result that something may use.

mod bindings;
mod example;
mod functions;
mod literal;
mod order;
mod pattern;
mod term;
mod tree;
mod types;
mod vocabulary;

pub(crate) use bindings::{BindingKind, Bindings};
pub(crate) use example::{Example, GivenType};
pub(crate) use functions::{folding, makes, read_functions};
pub(crate) use literal::{MemberName, MemberPattern};
pub(crate) use order::check_order;
pub(crate) use pattern::{Class, ListPattern, NodePattern, Path, Pattern, Place, STORAGE};
pub(crate) use term::{ListTerm, MemberTerm, NodeTerm, Term};
pub(crate) use tree::{Step, decision_tree};
pub(crate) use vocabulary::RuleWords;

use std::collections::HashMap;

use pattern::NodeNames;

use crate::codes;
use crate::model::{Family, Name};
use crate::records::{ReplaceRecord, RewriteRecord};
use torchgen_base::diag::{Diagnostic, Diagnostics, TextError, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_kit::expr::{Checker, Function, Type, Typed, parse};

/// The group of rules that name none.
pub(crate) const DEFAULT_GROUP: &str = "default";

/// The most rules that one entry may make by `for:`.
const MOST_RULES: usize = 1000;

/// All rules of a family, and what their C++ needs.
#[derive(Debug, Default)]
pub(crate) struct RewriteSet {
    /// In the order in which they are tried.
    pub(crate) rules: Vec<Rewrite>,
    /// What the rules were read from.
    pub(crate) records: Vec<RewriteRecord>,
    /// Headers for the sources of rules, in quotes or angle brackets.
    pub(crate) includes: Vec<String>,
    /// The functions of the user's that rules call, and whether each one makes a value.
    pub(crate) functions: Vec<(String, bool)>,
    /// The header that computes nodes, in quotes or angle brackets.
    pub(crate) evaluator: Option<String>,
}

/// A rule.
#[derive(Debug)]
pub(crate) struct Rewrite {
    pub(crate) name: Name,
    pub(crate) doc: String,
    pub(crate) group: String,
    pub(crate) priority: i64,
    pub(crate) has_priority: bool,
    /// The place of the pattern.
    pub(crate) pattern_text: Text,
    /// What the pattern finds: one pattern for each choice of alternatives and orders.
    pub(crate) patterns: Vec<NodePattern>,
    /// The names that each pattern binds.
    pub(crate) bindings: Bindings,
    /// The names that conditions and replacements use.
    used: Vec<String>,
    pub(crate) conditions: Vec<Typed>,
    /// The values in place of results, by their numbers.
    pub(crate) replacement: Vec<(usize, Term)>,
    pub(crate) replacement_texts: Vec<Text>,
    /// What it takes for granted, in the words of `assumes:`.
    assumes: Vec<String>,
    pub(crate) examples: Vec<Example>,
}

impl Rewrite {
    /// Whether something uses a name of the pattern: a condition, a replacement, or the pattern by
    /// binding it again.
    pub(crate) fn uses(&self, name: &str) -> bool {
        let is_repeated = self.bindings.get(name).is_some_and(|binding| binding.repeated);
        is_repeated || self.used.iter().any(|used| used == name)
    }

    /// Whether it takes something for granted, in the words of `assumes:`.
    pub(crate) fn assumes(&self, word: &str) -> bool {
        self.assumes.iter().any(|own| own == word)
    }
}

/// Reports an error at a place in a text.
pub(super) fn report(text: &Text, error: TextError, diagnostics: &mut Diagnostics) {
    let range = error.range.clone();
    let span = if range.is_empty() { text.span() } else { text.sub_span(range) };
    diagnostics.push(Diagnostic::new(error.code, error.message).at(span).maybe_help(error.help));
}

/// An error of a rule.
pub(super) fn wrong(range: std::ops::Range<usize>, message: impl Into<String>) -> TextError {
    TextError::new(&codes::IR_RULE, range, message)
}

/// Reads all rules of a family whose nodes are known.
pub(crate) fn read_rewrites(
    records: &[RewriteRecord],
    functions: Vec<Function>,
    family: &Family,
    diagnostics: &mut Diagnostics,
) -> Vec<Rewrite> {
    let words = RuleWords::new(family, functions);
    let mut names: HashMap<&str, &Text> = HashMap::new();
    let mut rewrites = Vec::new();
    for record in records {
        if let Some(first) = names.insert(record.name.as_str(), &record.name) {
            let message = format!("there is another rule `{}`", record.name);
            let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(record.name.span());
            diagnostics.push(error.also(first.span(), "first here").help("rename one of them"));
        }
        for chosen in choices(record, diagnostics) {
            let before = diagnostics.len();
            rewrites.extend(read_rewrite(record, &NodeNames { family, chosen }, &words, diagnostics));
            // Another choice would have the same errors.
            if diagnostics.len() > before {
                break;
            }
        }
    }
    rewrites
}

/// A word of `for:` as the name of a rule has it.
fn mark(word: &str) -> String {
    let (open, close) = ('{', '}');
    format!("{open}{word}{close}")
}

/// The nodes that the words of `for:` mean, one list for each rule.
fn choices<'r>(record: &'r RewriteRecord, diagnostics: &mut Diagnostics) -> Vec<Vec<(&'r str, &'r str)>> {
    let mut words = Vec::new();
    for (word, nodes) in &record.words {
        let mark = mark(word);
        if !record.name.as_str().contains(&mark) {
            let message = format!("the name of the rule does not say which `{word}` it is for");
            let error = Diagnostic::new(&codes::IR_RULE, message).at(record.name.span());
            diagnostics.push(error.help(format!("write `{mark}` in it: `rule: {} of {mark}`", record.name)));
            return Vec::new();
        }
        words.push(nodes.iter().map(|node| (word.as_str(), node.as_str())).collect());
    }
    let all = pattern::product(words, MOST_RULES);
    if all.is_none() {
        let message = format!("`for` makes more than {MOST_RULES} rules");
        let error = Diagnostic::new(&codes::IR_RULE, message).at(record.name.span());
        diagnostics.push(error.help("write several rules, each with fewer nodes"));
    }
    all.unwrap_or_default()
}

fn read_rewrite(
    record: &RewriteRecord,
    nodes: &NodeNames<'_>,
    words: &RuleWords,
    diagnostics: &mut Diagnostics,
) -> Option<Rewrite> {
    let family = nodes.family;
    let patterns = pattern::read_patterns(&record.pattern, nodes);
    let found = patterns.and_then(|patterns| Ok((bindings::of_patterns(&patterns, family)?, patterns)));
    let (bindings, patterns) = match found {
        Ok(found) => found,
        Err(error) => {
            report(&record.pattern, error, diagnostics);
            return None;
        }
    };
    let before = diagnostics.len();
    let mut used = Vec::new();
    let mut conditions = Vec::new();
    for text in &record.conditions {
        match condition(text, &bindings, words, &mut used) {
            Ok(condition) => conditions.push(condition),
            Err(error) => report(text, error, diagnostics),
        }
    }
    let mut reader = term::Reader { family, nodes, words, bindings: &bindings, used: &mut used, made: Vec::new() };
    let replacement = read_replacement(record, &patterns[0], &mut reader, diagnostics);
    if diagnostics.len() > before {
        return None;
    }
    unused(record, &bindings, &used, diagnostics);
    let examples = record.examples.iter().filter_map(|example| example::read(example, nodes, words, diagnostics));
    let examples = examples.collect();
    let replacement_texts = record.replace.values().into_iter().map(|(_, text)| text.clone()).collect();
    let name =
        nodes.chosen.iter().fold(record.name.as_str().to_owned(), |name, (word, node)| name.replace(&mark(word), node));
    let rewrite = Rewrite {
        name: Name::new(name, record.name.span()),
        doc: record.doc.as_ref().map(|doc| doc.as_str().trim().to_owned()).unwrap_or_default(),
        group: record.group.as_ref().map_or(DEFAULT_GROUP, |group| group.as_str()).to_owned(),
        priority: record.priority.map_or(0, |(priority, _)| priority),
        has_priority: record.priority.is_some(),
        pattern_text: record.pattern.clone(),
        patterns,
        bindings,
        used,
        conditions,
        replacement,
        replacement_texts,
        assumes: record.assumes.iter().map(|word| word.as_str().to_owned()).collect(),
        examples,
    };
    types::check_types(&rewrite, family, diagnostics);
    Some(rewrite)
}

/// A condition; the names that it uses are added to `used`.
fn condition(text: &Text, bindings: &Bindings, words: &RuleWords, used: &mut Vec<String>) -> Result<Typed, TextError> {
    let expr = parse(text)?;
    let mut checker = Checker::new(words, bindings.variables());
    let typed = checker.expression_of(&expr, &Type::Bool, "a condition")?;
    used.extend(bindings.names().filter(|name| checker.used(name)).map(str::to_owned));
    Ok(typed)
}

/// The values in place of the results of a match.
fn read_replacement(
    record: &RewriteRecord,
    root: &NodePattern,
    reader: &mut term::Reader<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<(usize, Term)> {
    let Class::Record(root) = root.class else { return Vec::new() };
    let node = &reader.family.nodes[root];
    let mut read = |result: usize, text: &Text, diagnostics: &mut Diagnostics| match reader.root(text) {
        Ok(term) => Some((result, term)),
        Err(error) => {
            report(text, error, diagnostics);
            None
        }
    };
    match &record.replace {
        ReplaceRecord::Only(text) => {
            if node.results.len() != 1 {
                let count = node.results.len();
                let message = format!("`{}` has {count} results, and one value cannot replace them", node.name);
                let error = Diagnostic::new(&codes::IR_RULE, message).at(text.span());
                let results: Vec<String> = node.results.iter().map(|it| format!("{}: …", it.name.text)).collect();
                let (open, close) = ('{', '}');
                diagnostics.push(error.help(format!("write `replace: {open}{}{close}`", results.join(", "))));
                return Vec::new();
            }
            read(0, text, diagnostics).into_iter().collect()
        }
        ReplaceRecord::Results(results) => {
            let mut found = Vec::new();
            for (name, text) in results {
                let names = || node.results.iter().map(|result| result.name.text.as_str());
                match names().position(|own| own == name.as_str()) {
                    Some(result) => found.extend(read(result, text, diagnostics)),
                    None => {
                        let message = format!("`{}` has no result `{name}`", node.name);
                        let error = Diagnostic::new(&codes::IR_RULE, message).at(name.span());
                        diagnostics.push(error.maybe_help(did_you_mean(name.as_str(), names())));
                    }
                }
            }
            found
        }
    }
}

/// Reports names that nothing uses.
fn unused(record: &RewriteRecord, bindings: &Bindings, used: &[String], diagnostics: &mut Diagnostics) {
    for binding in bindings.list.iter().filter(|binding| !binding.repeated && !used.contains(&binding.name)) {
        let message = format!("nothing uses `{}`", binding.name);
        let warning = Diagnostic::new(&codes::IR_IDLE, message).at(record.pattern.sub_span(binding.range.clone()));
        diagnostics.push(warning.help("write `_` for what may be anything, or leave the name out"));
    }
}

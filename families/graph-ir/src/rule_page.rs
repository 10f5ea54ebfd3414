//! The page of all rules: what each one says, and its graphs before and after as pictures.
//!
//! Invariant: a picture has what the text of the rule has, in its words. Names of values that a
//! text has twice are one box.

use std::collections::HashMap;

use serde::Serialize;
use torchgen_base::yaml::Text;
use torchgen_kit::expr::{Call, Expr, ExprKind, parse_pattern};
use torchgen_kit::picture::{Graph, Look, Picture};

use crate::model::Family;
use crate::records::RewriteRecord;
use crate::rewrite::{self, DEFAULT_GROUP};

/// The page.
#[derive(Debug, Serialize)]
pub(crate) struct RulePage {
    namespace: String,
    groups: Vec<Group>,
}

/// The rules that are tried together.
#[derive(Debug, Serialize)]
struct Group {
    name: String,
    rules: Vec<Rule>,
}

/// An entry of `rules:`.
#[derive(Debug, Serialize)]
struct Rule {
    name: String,
    /// The name of its heading in links.
    anchor: usize,
    doc: String,
    /// The words of `for:`, and the nodes of each one.
    words: Vec<(String, Vec<String>)>,
    conditions: Vec<String>,
    priority: Option<i64>,
    assumes: Vec<String>,
    examples: usize,
    before: Picture,
    after: Picture,
}

/// Makes the page, with groups and rules in the order in which they are tried.
pub(crate) fn rule_page(family: &Family, records: &[RewriteRecord]) -> RulePage {
    let mut groups: Vec<Group> = Vec::new();
    for (anchor, record) in records.iter().enumerate() {
        let rule = rule(anchor, record, family);
        let name = record.group.as_ref().map_or(DEFAULT_GROUP, |group| group.as_str());
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.rules.push(rule),
            None => groups.push(Group { name: name.to_owned(), rules: vec![rule] }),
        }
    }
    for group in &mut groups {
        // The first of several that fit has the highest priority.
        group.rules.sort_by_key(|rule| std::cmp::Reverse(rule.priority.unwrap_or(0)));
    }
    RulePage { namespace: family.namespace.clone(), groups }
}

fn rule(anchor: usize, record: &RewriteRecord, family: &Family) -> Rule {
    let words = |words: &[Text]| words.iter().map(|word| word.as_str().to_owned()).collect();
    Rule {
        name: record.name.as_str().to_owned(),
        anchor,
        doc: record.doc.as_ref().map(|doc| doc.as_str().trim().to_owned()).unwrap_or_default(),
        words: record.words.iter().map(|(word, nodes)| (word.as_str().to_owned(), words(nodes))).collect(),
        conditions: words(&record.conditions),
        priority: record.priority.map(|(priority, _)| priority),
        assumes: words(&record.assumes),
        examples: record.examples.len(),
        before: picture(&[(None, &record.pattern)], record, family),
        after: picture(&record.replace.values(), record, family),
    }
}

/// The picture of values, each of a result that may have a name.
fn picture(values: &[(Option<&Text>, &Text)], record: &RewriteRecord, family: &Family) -> Picture {
    let mut graph = Graph::default();
    let mut named = HashMap::new();
    for (result, text) in values {
        // Rules with errors have no page.
        let Ok(expr) = parse_pattern(text) else { continue };
        let mut drawer = Drawer { text, record, family, graph: &mut graph, named: &mut named };
        let value = drawer.value(&expr);
        if let Some(result) = result {
            let result = graph.add(Look::Word, vec![result.as_str().to_owned()]);
            graph.connect(value, result);
        }
    }
    let texts: Vec<String> = values
        .iter()
        .map(|(result, text)| result.map_or_else(|| text.as_str().to_owned(), |result| format!("{result}: {text}")))
        .collect();
    graph.picture(texts)
}

/// Adds the values of one text to a graph.
struct Drawer<'d> {
    text: &'d str,
    record: &'d RewriteRecord,
    family: &'d Family,
    graph: &'d mut Graph,
    named: &'d mut HashMap<String, usize>,
}

impl Drawer<'_> {
    /// Adds a value. Returns the number of its box.
    fn value(&mut self, expr: &Expr) -> usize {
        match &expr.kind {
            ExprKind::Name(name) if name == "_" => self.graph.add(Look::Leaf, vec![name.clone()]),
            ExprKind::Name(name) => match self.named.get(name) {
                Some(number) => *number,
                None => {
                    let number = self.graph.add(Look::Leaf, vec![name.clone()]);
                    self.named.insert(name.clone(), number);
                    number
                }
            },
            ExprKind::Starred(_) => self.graph.add(Look::Leaf, vec![self.words(expr)]),
            ExprKind::Bound(value, name) => {
                let number = self.value(value);
                self.graph.add_line(number, format!("as {}", name.name));
                self.named.insert(name.name.clone(), number);
                number
            }
            ExprKind::Member { of, name, arguments: None } => {
                let number = self.value(of);
                self.graph.add_line(number, format!(".{}", name.name));
                number
            }
            ExprKind::Either(choices) => {
                let number = self.graph.add(Look::Word, vec!["one of".to_owned()]);
                for choice in choices {
                    let choice = self.value(choice);
                    self.graph.connect(choice, number);
                }
                number
            }
            ExprKind::Call(call) => match self.inputs_of(call) {
                Some(inputs) => self.node(call, &inputs),
                None => self.graph.add(Look::Node, vec![self.words(expr)]),
            },
            _ => self.graph.add(Look::Word, vec![self.words(expr)]),
        }
    }

    /// The inputs of what is called; nothing for a function of the user's.
    fn inputs_of(&self, call: &Call) -> Option<Vec<String>> {
        let callee = call.callee.name.as_str();
        // All nodes of a word of `for:` have the inputs that the rule names.
        let chosen = self.record.words.iter().find(|(word, _)| word.as_str() == callee);
        let name = chosen.and_then(|(_, nodes)| nodes.first()).map_or(callee, |node| node.as_str());
        if rewrite::STORAGE.contains(&name) {
            return Some(Vec::new());
        }
        let node = self.family.node(name)?;
        Some(node.all_inputs().map(|input| input.name.text.clone()).collect())
    }

    fn node(&mut self, call: &Call, inputs: &[String]) -> usize {
        let number = self.graph.add(Look::Node, vec![call.callee.name.clone()]);
        let given = call.keywords.iter().filter(|(key, _)| inputs.contains(&key.name));
        for value in call.positional.iter().chain(given.map(|(_, value)| value)) {
            let values = match &value.kind {
                ExprKind::List(items) => items.as_slice(),
                _ => std::slice::from_ref(value),
            };
            for value in values {
                let value = self.value(value);
                self.graph.connect(value, number);
            }
        }
        for (key, value) in call.keywords.iter().filter(|(key, _)| !inputs.contains(&key.name)) {
            self.graph.add_line(number, format!("{}={}", key.name, self.words(value)));
        }
        number
    }

    /// The text of an expression, in one line.
    fn words(&self, expr: &Expr) -> String {
        self.text[expr.range.clone()].split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

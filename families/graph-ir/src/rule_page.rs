//! The page of all rules: what each one says, and its graphs before and after as pictures.
//!
//! Invariant: a picture has what the text of the rule has, in its words. Names of values that a
//! text has twice are one box.

use std::cmp::Reverse;
use std::collections::HashMap;

use torchgen_base::yaml::Text;
use torchgen_kit::expr::{Call, Expr, ExprKind, parse_pattern};
use torchgen_kit::picture::{Graph, Look, Picture};
use torchgen_kit::site::{Figure, Page, Part, Piece, blocks};

use crate::model::Family;
use crate::records::RewriteRecord;
use crate::rewrite::{self, DEFAULT_GROUP};

/// An entry of `rules:` as pages show it.
pub(crate) struct DrawnRule {
    name: String,
    anchor: String,
    /// The nodes that its pattern names.
    nodes: Vec<String>,
    before: Picture,
    after: Picture,
}

impl DrawnRule {
    /// Its graphs beside each other.
    fn figures(&self) -> Part {
        let both = [("before", &self.before), ("after", &self.after)];
        let figure = |(when, picture): (&str, &Picture)| {
            let name = format!("{}-{when}", self.anchor);
            Figure::shared(&name, format!("{}, {when}", self.name), picture.clone())
        };
        Part::Figures(both.into_iter().map(figure).collect())
    }

    fn link(&self) -> Piece {
        Piece::link(&self.name, PATH, &self.anchor)
    }
}

/// The path of the page.
const PATH: &str = "rules";

/// The rules, with groups and rules in the order in which they are tried, and the page of them.
pub(crate) fn rule_page(family: &Family, records: &[RewriteRecord]) -> (Page, Vec<DrawnRule>) {
    let group = |record: &RewriteRecord| record.group.as_ref().map_or(DEFAULT_GROUP, |group| group.as_str()).to_owned();
    let groups: Vec<String> = records.iter().map(group).collect();
    let mut order: Vec<usize> = (0..records.len()).collect();
    // The first of several that fit has the highest priority.
    let priority = |record: &RewriteRecord| record.priority.map_or(0, |(priority, _)| priority);
    order.sort_by_key(|at| (groups.iter().position(|own| *own == groups[*at]), Reverse(priority(&records[*at]))));
    let mut page = Page::new(PATH, &format!("Rules of {}", family.namespace), "Rules");
    let drawn: Vec<DrawnRule> = order.iter().map(|at| draw(*at, &records[*at], family)).collect();
    page.add("", "", vec![Part::List(drawn.iter().map(|rule| vec![rule.link()]).collect())]);
    for (at, rule) in order.iter().zip(&drawn) {
        page.add(&rule.name, &rule.anchor, parts(&records[*at], &groups[*at], rule));
    }
    (page, drawn)
}

/// Adds the rules that match a node to its page.
pub(crate) fn add_matching(rules: &[DrawnRule], node: &str, page: &mut Page) {
    let fitting: Vec<&DrawnRule> = rules.iter().filter(|rule| rule.nodes.iter().any(|own| own == node)).collect();
    if !fitting.is_empty() {
        let links = Part::List(fitting.iter().map(|rule| vec![rule.link()]).collect());
        let figures = fitting.iter().map(|rule| rule.figures());
        page.add("Rules that match it", "rules", [links].into_iter().chain(figures).collect());
    }
}

/// What the page says about a rule.
fn parts(record: &RewriteRecord, group: &str, rule: &DrawnRule) -> Vec<Part> {
    let mut parts: Vec<Part> = record.doc.iter().map(|doc| Part::Text(blocks(doc.as_str()))).collect();
    let codes = |words: &[Text]| {
        let pieces: Vec<Piece> = words.iter().map(|word| Piece::code(word.as_str())).collect();
        pieces.into_iter().flat_map(|piece| [Piece::text(", "), piece]).skip(1).collect::<Vec<_>>()
    };
    let mut facts = vec![("group".to_owned(), vec![Piece::code(group)])];
    facts.extend(record.words.iter().map(|(word, nodes)| (format!("{word}, one of"), codes(nodes))));
    facts
        .extend(record.priority.map(|(priority, _)| ("priority".to_owned(), vec![Piece::text(&priority.to_string())])));
    facts.extend((!record.assumes.is_empty()).then(|| ("assumes".to_owned(), codes(&record.assumes))));
    facts.push(("examples".to_owned(), vec![Piece::text(&record.examples.len().to_string())]));
    parts.push(Part::Facts(facts));
    parts.push(rule.figures());
    if !record.conditions.is_empty() {
        let conditions = record.conditions.iter().map(|condition| vec![Piece::code(condition.as_str())]);
        parts.push(Part::Text(blocks("Where")));
        parts.push(Part::List(conditions.collect()));
    }
    parts
}

fn draw(at: usize, record: &RewriteRecord, family: &Family) -> DrawnRule {
    let mut called = Vec::new();
    let before = picture(&[(None, &record.pattern)], record, family, &mut called);
    let after = picture(&record.replace.values(), record, family, &mut Vec::new());
    let chosen = |name: &String| {
        let words = record.words.iter().find(|(word, _)| word.as_str() == name);
        words.map_or_else(|| vec![name.clone()], |(_, nodes)| nodes.iter().map(ToString::to_string).collect())
    };
    DrawnRule {
        name: record.name.as_str().to_owned(),
        anchor: format!("rule-{at}"),
        nodes: called.iter().flat_map(chosen).collect(),
        before,
        after,
    }
}

/// The picture of values, each of a result that may have a name.
fn picture(
    values: &[(Option<&Text>, &Text)],
    record: &RewriteRecord,
    family: &Family,
    called: &mut Vec<String>,
) -> Picture {
    let mut graph = Graph::default();
    let mut named = HashMap::new();
    for (result, text) in values {
        // Rules with errors have no page.
        let Ok(expr) = parse_pattern(text) else { continue };
        let mut drawer = Drawer { text, record, family, graph: &mut graph, named: &mut named, called };
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
    /// The nodes, and the words for nodes, that it names.
    called: &'d mut Vec<String>,
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
        self.called.push(call.callee.name.clone());
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

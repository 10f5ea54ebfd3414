//! The types of what is replaced and of what takes its place, as far as records say.
//!
//! Invariant: types that are found to differ differ for each graph. What is not known is compared
//! when a rule is applied, and then the rule does not change the graph.

use super::Rewrite;
use super::pattern::{Class, NodePattern, Pattern};
use super::term::{NodeTerm, Term};
use crate::codes;
use crate::model::{Family, Node};
use torchgen_base::diag::{Diagnostic, Diagnostics};

/// A type, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
enum KnownType {
    /// That of a name.
    Of(String),
    /// Another element kind than that of another type, maybe with another shape.
    Element(String),
    Unknown,
}

impl KnownType {
    /// What makes it different from another, if something does.
    fn differs<'t>(&'t self, other: &'t KnownType) -> Option<(&'t str, &'t str)> {
        match (self, other) {
            (KnownType::Element(own), KnownType::Element(others)) if own != others => Some((own, others)),
            _ => None,
        }
    }
}

/// Reports a replacement whose type differs from that of what it replaces.
pub(super) fn check_types(rewrite: &Rewrite, family: &Family, diagnostics: &mut Diagnostics) {
    for (at, (result, term)) in rewrite.replacement.iter().enumerate() {
        for root in &rewrite.patterns {
            let old = of_pattern(root, *result, family);
            let new = of_term(term, root, family);
            let Some((old, new)) = old.differs(&new) else { continue };
            let text = &rewrite.replacement_texts[at];
            let message = format!("this has elements `{new}`, and what it replaces `{old}`");
            let error = Diagnostic::new(&codes::IR_RULE_TYPE, message).at(text.span());
            let place = rewrite.pattern_text.sub_span(root.range.clone());
            diagnostics.push(error.also(place, "this is replaced"));
            break;
        }
    }
}

/// The type of a result of a node, whose inputs have these types.
fn of_result(node: &Node, result: usize, input: impl Fn(usize) -> KnownType) -> KnownType {
    let result = &node.results[result];
    let like = |name: &str| node.inputs.iter().position(|own| own.name.text == name).map(&input);
    if let Some(same) = &result.same_as {
        return like(same).unwrap_or(KnownType::Unknown);
    }
    match &result.infer {
        Some(infer) => match (&infer.element, &infer.shape) {
            (Some(element), _) => KnownType::Element(element.clone()),
            (None, None) => like(&infer.like).unwrap_or(KnownType::Unknown),
            (None, Some(_)) => match like(&infer.like) {
                Some(KnownType::Element(element)) => KnownType::Element(element),
                _ => KnownType::Unknown,
            },
        },
        None => KnownType::Unknown,
    }
}

fn of_pattern(pattern: &NodePattern, result: usize, family: &Family) -> KnownType {
    let Class::Record(number) = pattern.class else {
        return pattern.name.as_ref().map_or(KnownType::Unknown, |name| KnownType::Of(name.name.clone()));
    };
    of_result(&family.nodes[number], result, |at| match &pattern.inputs[at] {
        Pattern::Any(name) => name.as_ref().map_or(KnownType::Unknown, |name| KnownType::Of(name.name.clone())),
        Pattern::Node(node) => of_pattern(node, node.result, family),
    })
}

fn of_term(term: &Term, root: &NodePattern, family: &Family) -> KnownType {
    match term {
        Term::Name(name) => match named(root, name) {
            Some(node) => of_pattern(node, node.result, family),
            None => KnownType::Of(name.clone()),
        },
        Term::Node(node) => of_made(node, root, family),
        Term::Call(_) => KnownType::Unknown,
    }
}

fn of_made(term: &NodeTerm, root: &NodePattern, family: &Family) -> KnownType {
    of_result(&family.nodes[term.node], term.result, |at| of_term(&term.inputs[at], root, family))
}

/// The node of a pattern that has a name.
fn named<'p>(pattern: &'p NodePattern, name: &str) -> Option<&'p NodePattern> {
    if pattern.name.as_ref().is_some_and(|own| own.name == name) {
        return Some(pattern);
    }
    pattern.parts().find_map(|(_, part)| match part {
        Pattern::Node(node) => named(node, name),
        Pattern::Any(_) => None,
    })
}

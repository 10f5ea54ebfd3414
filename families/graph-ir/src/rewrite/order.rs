//! Compares the rules of a group with each other: which one comes first, which one is never
//! reached, which one undoes another.
//!
//! Invariant: rules are in the order in which they are tried, by priority and then as written.

use std::collections::HashMap;

use super::Rewrite;
use super::literal::MemberPattern;
use super::pattern::{Class, ListPattern, NodePattern, Pattern};
use super::term::{NodeTerm, Term};
use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics};

/// Sorts rules by priority, and reports those that are never reached, undo each other, or come in
/// no order.
pub(crate) fn check_order(rewrites: &mut [Rewrite], diagnostics: &mut Diagnostics) {
    rewrites.sort_by_key(|rewrite| std::cmp::Reverse(rewrite.priority));
    for (at, rewrite) in rewrites.iter().enumerate() {
        let same_root = |other: &&Rewrite| other.group == rewrite.group;
        let unreachable = rewrites[..at].iter().filter(same_root).find(|first| {
            first.conditions.is_empty() && rewrite.patterns.iter().all(|own| covers_one(&first.patterns, own))
        });
        if let Some(first) = unreachable {
            let message = format!(
                "the rule `{}` matches whatever `{}` matches, and comes first",
                first.name.text, rewrite.name.text
            );
            let error = Diagnostic::new(&codes::IR_RULE_ORDER, message).at(rewrite.name.span);
            let error = error.also(first.name.span, "this rule comes first");
            diagnostics.push(error.help("put the special rule before the general one, or give it a `priority:`"));
            continue;
        }
        for other in rewrites[..=at].iter().filter(same_root) {
            if undoes(other, rewrite) && undoes(rewrite, other) {
                let message = match std::ptr::eq(other, rewrite) {
                    true => format!("the rule `{}` undoes itself", rewrite.name.text),
                    false => format!("the rules `{}` and `{}` undo each other", other.name.text, rewrite.name.text),
                };
                let error = Diagnostic::new(&codes::IR_RULE_ORDER, message).at(rewrite.name.span);
                let error = match std::ptr::eq(other, rewrite) {
                    true => error,
                    false => error.also(other.name.span, "the other rule"),
                };
                diagnostics.push(error.help("add a condition, `where:`, that holds one way only"));
            }
        }
        for first in rewrites[..at].iter().filter(same_root) {
            let decided = first.priority != rewrite.priority || (first.has_priority && rewrite.has_priority);
            let plain = first.conditions.is_empty() && rewrite.conditions.is_empty();
            let overlap = || {
                let pairs = || first.patterns.iter().flat_map(|a| rewrite.patterns.iter().map(move |b| (a, b)));
                let special = |a: &NodePattern, b: &NodePattern| covers(a, b) || covers(b, a);
                pairs().any(|(a, b)| nodes_overlap(a, b)) && !pairs().any(|(a, b)| special(a, b))
            };
            if !decided && plain && overlap() {
                let message = format!("`{}` and `{}` can match the same node", first.name.text, rewrite.name.text);
                let warning = Diagnostic::new(&codes::IR_RULE_OVERLAP, message).at(rewrite.name.span);
                let warning = warning.also(first.name.span, "this rule is tried first");
                diagnostics.push(warning.help("say which one comes first: `priority: 1`"));
            }
        }
    }
}

fn covers_one(patterns: &[NodePattern], own: &NodePattern) -> bool {
    patterns.iter().any(|general| covers(general, own))
}

/// Whether a pattern matches whatever another one matches.
fn covers(general: &NodePattern, special: &NodePattern) -> bool {
    let mut names = Names::default();
    names.node(general, special)
}

/// What the names of a general pattern are in a special one.
#[derive(Default)]
struct Names(HashMap<String, String>);

impl Names {
    /// Whether a name can be this text, as everywhere before.
    fn binds(&mut self, name: &str, text: String) -> bool {
        match self.0.get(name) {
            Some(known) => *known == text,
            None => {
                self.0.insert(name.to_owned(), text);
                true
            }
        }
    }

    fn value(&mut self, general: &Pattern, special: &Pattern) -> bool {
        match (general, special) {
            (Pattern::Any(None), _) => true,
            (Pattern::Any(Some(name)), Pattern::Any(Some(own))) => self.binds(&name.name, own.name.clone()),
            (Pattern::Any(Some(name)), _) => self.binds(&name.name, format!("{special:?}")),
            (Pattern::Node(general), Pattern::Node(special)) => self.node(general, special),
            (Pattern::Node(_), Pattern::Any(_)) => false,
        }
    }

    fn node(&mut self, general: &NodePattern, special: &NodePattern) -> bool {
        general.class == special.class
            && general.result == special.result
            && general.inputs.iter().zip(&special.inputs).all(|(a, b)| self.value(a, b))
            && general.lists.iter().zip(&special.lists).all(|(a, b)| self.list(a, b))
            && general.members.iter().all(|(member, pattern)| {
                let own = special.members.iter().find(|(own, _)| own == member);
                match own {
                    Some((_, own)) => self.member(pattern, own),
                    None => matches!(pattern, MemberPattern::Any)
                        || matches!(pattern, MemberPattern::Bound(name) if self.binds(&name.name, format!("any member {member:?} {:?}", special.range))),
                }
            })
    }

    fn list(&mut self, general: &ListPattern, special: &ListPattern) -> bool {
        match (general, special) {
            (ListPattern::Any(None), _) => true,
            (ListPattern::Any(Some(name)), _) => self.binds(&name.name, format!("{special:?}")),
            (ListPattern::Items { items, rest }, ListPattern::Items { items: own, rest: own_rest }) => {
                let fits = match rest {
                    Some(_) => own.len() >= items.len(),
                    None => own.len() == items.len() && own_rest.is_none(),
                };
                fits && items.iter().zip(own).all(|(a, b)| self.value(a, b))
            }
            (ListPattern::Items { .. }, ListPattern::Any(_)) => false,
        }
    }

    fn member(&mut self, general: &MemberPattern, special: &MemberPattern) -> bool {
        match (general, special) {
            (MemberPattern::Any, _) => true,
            (MemberPattern::Bound(name), MemberPattern::Bound(own)) => self.binds(&name.name, own.name.clone()),
            (MemberPattern::Bound(name), _) => self.binds(&name.name, format!("{special:?}")),
            (MemberPattern::Literal(a), MemberPattern::Literal(b)) => a == b,
            (MemberPattern::Items(a), MemberPattern::Items(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.member(a, b))
            }
            _ => false,
        }
    }
}

/// Whether some node matches both patterns, as far as classes and literals show.
fn nodes_overlap(a: &NodePattern, b: &NodePattern) -> bool {
    let members =
        || a.members.iter().filter_map(|(member, own)| Some((own, &b.members.iter().find(|(it, _)| it == member)?.1)));
    a.class == b.class
        && a.result == b.result
        && a.inputs.iter().zip(&b.inputs).all(|(a, b)| values_overlap(a, b))
        && a.lists.iter().zip(&b.lists).all(|(a, b)| lists_overlap(a, b))
        && members().all(|(a, b)| members_overlap(a, b))
}

fn values_overlap(a: &Pattern, b: &Pattern) -> bool {
    match (a, b) {
        (Pattern::Node(a), Pattern::Node(b)) => nodes_overlap(a, b),
        _ => true,
    }
}

fn lists_overlap(a: &ListPattern, b: &ListPattern) -> bool {
    let (ListPattern::Items { items, rest }, ListPattern::Items { items: others, rest: more }) = (a, b) else {
        return true;
    };
    let fits = items.len() == others.len()
        || (rest.is_some() && items.len() < others.len())
        || (more.is_some() && others.len() < items.len());
    fits && items.iter().zip(others).all(|(a, b)| values_overlap(a, b))
}

fn members_overlap(a: &MemberPattern, b: &MemberPattern) -> bool {
    match (a, b) {
        (MemberPattern::Literal(a), MemberPattern::Literal(b)) => a == b,
        (MemberPattern::Items(a), MemberPattern::Items(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| members_overlap(a, b))
        }
        _ => true,
    }
}

/// Whether a rule without conditions matches what another one makes. Two rules that do that for
/// each other run for ever.
fn undoes(first: &Rewrite, second: &Rewrite) -> bool {
    let repeats = |rewrite: &Rewrite| rewrite.bindings.list.iter().any(|binding| binding.repeated);
    first.conditions.is_empty()
        && second.conditions.is_empty()
        && !repeats(second)
        && first.replacement.iter().any(|(_, term)| {
            let Term::Node(made) = term else { return false };
            second.patterns.iter().any(|pattern| makes(made, pattern))
        })
}

/// Whether a pattern matches a node that is made, for each graph.
fn makes(made: &NodeTerm, pattern: &NodePattern) -> bool {
    pattern.class == Class::Record(made.node)
        && pattern.result == made.result
        && made.inputs.iter().zip(&pattern.inputs).all(|(term, pattern)| match (term, pattern) {
            (_, Pattern::Any(_)) => true,
            (Term::Node(made), Pattern::Node(pattern)) => makes(made, pattern),
            (Term::Name(_) | Term::Call(_), Pattern::Node(_)) => false,
        })
        && made.lists.iter().zip(&pattern.lists).all(|(_, pattern)| matches!(pattern, ListPattern::Any(_)))
        && pattern.members.iter().all(|(_, pattern)| matches!(pattern, MemberPattern::Any | MemberPattern::Bound(_)))
}

//! The facts of a family as things whose changes are compared. A family says in a table what its
//! parts, facts and relations are.
//!
//! Invariant: a fact that is not in the table is not compared. A fact that is false, null or empty
//! is not there.

use std::borrow::Cow;

use serde_json::Value;

use super::{Change, Fact, FactKind, Group, Part, Rules, Said, Thing, compare, kinds};
use crate::facts::{self, Facts, Place, Word};
use torchgen_base::diag::Span;

/// What of a family's facts is compared.
pub struct Compared {
    /// What changes break.
    pub rules: Rules,
    /// What parts are, by their roles in the facts.
    pub parts: &'static [(&'static str, As)],
    /// The facts that are compared.
    pub facts: &'static [Property],
    /// The relations that are compared.
    pub relations: &'static [Property],
    /// The relation of a thing to the one that it is made from.
    pub made_from: &'static str,
    /// Whether things without a place are parts of the program, which are not compared.
    pub only_placed: bool,
}

/// What a part of a thing is.
#[derive(Debug)]
pub enum As {
    /// A part. The text is what it does with its value, as its declaration writes it; empty if
    /// there is nothing to say.
    Part(&'static str, Group, &'static str),
    /// A result.
    Result(&'static str),
    /// A fact about the thing, by its name: a value of an enumeration.
    Fact(Property),
}

/// A fact that is compared.
#[derive(Debug)]
pub struct Property {
    /// Its key.
    pub key: &'static str,
    /// Whether the order of a list matters.
    pub ordered: bool,
    /// The value that it has if it is not there.
    pub absent: &'static str,
    /// What its changes are.
    pub of: FactKind,
}

impl Property {
    /// A property with what its changes are.
    pub const fn new(key: &'static str, added: Option<Said>, removed: Option<Said>, changed: Said) -> Property {
        let of = FactKind { added, removed, ..FactKind::value(changed) };
        Property { key, ordered: false, absent: "", of }
    }

    /// A property that is there or not, with two sentences about its change.
    pub const fn flag(key: &'static str, added: &'static str, removed: &'static str) -> Property {
        let changed = (&kinds::PROPERTY_CHANGED, added);
        Property::new(key, Some(changed), Some((&kinds::PROPERTY_CHANGED, removed)), changed)
    }

    /// A property of which only another value is a change.
    pub const fn value(key: &'static str, changed: Said) -> Property {
        Property::new(key, Some(changed), Some(changed), changed)
    }

    /// The values of an enumeration. `ordered` if their order gives their numbers.
    pub const fn values(key: &'static str, ordered: bool) -> Property {
        Property {
            ordered,
            ..Property::new(
                key,
                Some((&kinds::VALUE_ADDED, "THING has the value `KEY` now")),
                Some((&kinds::VALUE_REMOVED, "THING does not have the value `KEY` any more")),
                (&kinds::VALUE_CHANGED, "the value `KEY` of THING was number OLD, and is NEW now"),
            )
        }
    }
}

/// The namespace of generated code.
static NAMESPACE: FactKind =
    FactKind::value((&kinds::NAMESPACE_CHANGED, "the generated code was in the namespace `OLD`, and is in `NEW` now"));

impl Compared {
    /// The changes from one state to another.
    pub fn changes(&'static self, old: &Facts, new: &Facts) -> Vec<Change> {
        compare(&self.things(old), &self.things(new), self.rules)
    }

    /// What facts declare, after the generated code as a whole.
    pub fn things(&'static self, facts: &Facts) -> Vec<Thing> {
        let namespace = facts.namespace.iter();
        let namespace =
            namespace.map(|value| Fact { of: &NAMESPACE, key: String::new(), value: value.clone(), place: None });
        let whole = Thing { kind: "generated code", facts: namespace.collect(), ..Thing::default() };
        let own = facts.things.iter().filter(|thing| !self.only_placed || thing.at.is_some());
        std::iter::once(whole).chain(own.map(|thing| self.thing(thing))).collect()
    }

    fn thing(&'static self, thing: &facts::Thing) -> Thing {
        let mut made = Thing {
            kind: fixed(&thing.kind),
            name: thing.name.clone(),
            place: thing.at.as_ref().and_then(|at| at.span),
            text: thing.schema.clone().unwrap_or_else(|| self.written(thing)),
            generated: thing.related(self.made_from).next().is_some(),
            ..Thing::default()
        };
        let mut numbers = 0;
        for part in &thing.parts {
            match self.role(part) {
                Some(As::Part(role, group, alias)) => made.parts.push(of_part(part, role, *group, alias)),
                Some(As::Result(role)) => made.results.push(of_part(part, role, Group::Positional, "")),
                Some(As::Fact(property)) => {
                    let number = part.default.as_ref().and_then(|number| number.parse().ok()).unwrap_or(numbers);
                    numbers = number + 1;
                    let is_numbered = property.ordered || part.default.is_some();
                    let value = if is_numbered { number.to_string() } else { String::new() };
                    let key = part.name.clone().unwrap_or_default();
                    made.facts.push(Fact { of: &property.of, key, value, place: place(part.at.as_ref()) });
                }
                None => {}
            }
        }
        for property in self.facts {
            let Some(value) = thing.facts.get(property.key) else { continue };
            let is_there = property.absent.is_empty() || value.as_str() != Some(property.absent);
            for (key, value) in values(value, property.ordered).into_iter().filter(|_| is_there) {
                made.facts.push(Fact { of: &property.of, key, value, place: None });
            }
        }
        for property in self.relations {
            made.facts.extend(thing.related(property.key).map(|to| Fact {
                of: &property.of,
                key: String::new(),
                value: to.to_owned(),
                place: None,
            }));
        }
        made
    }

    fn role(&self, part: &facts::Part) -> Option<&'static As> {
        self.parts.iter().find(|(role, _)| *role == part.role).map(|(_, role)| role)
    }

    /// A declaration, from its parts.
    fn written(&self, thing: &facts::Thing) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut results: Vec<String> = Vec::new();
        let mut by_name = false;
        for part in &thing.parts {
            match self.role(part) {
                Some(As::Part(_, group, alias)) => {
                    if *group == Group::Keyword && !std::mem::replace(&mut by_name, true) {
                        parts.push("*".to_owned());
                    }
                    parts.push(text(part, alias));
                }
                Some(As::Result(_)) => results.push(text(part, "")),
                Some(As::Fact(_)) => parts.push(part.name.clone().unwrap_or_default()),
                None => {}
            }
        }
        let results = match results.as_slice() {
            [] => String::new(),
            [one] => format!(" -> {one}"),
            several => format!(" -> ({})", several.join(", ")),
        };
        format!("{}({}){results}", thing.name, parts.join(", "))
    }
}

/// A word of a family's own list.
fn fixed(word: &Word) -> &'static str {
    match word {
        Cow::Borrowed(word) => word,
        Cow::Owned(_) => "declaration",
    }
}

fn place(at: Option<&Place>) -> Option<Span> {
    at.and_then(|at| at.span)
}

/// The name that callers use.
fn name(part: &facts::Part) -> &str {
    part.cpp_name.as_ref().or(part.name.as_ref()).map_or("", String::as_str)
}

fn text(part: &facts::Part, alias: &str) -> String {
    let mut words: Vec<&str> = [alias, &part.ty, name(part)].into_iter().filter(|word| !word.is_empty()).collect();
    let with_default = part.default.as_ref().map(|default| format!("{}={default}", words.pop().unwrap_or_default()));
    words.extend(with_default.as_deref());
    words.join(" ")
}

fn of_part(part: &facts::Part, role: &'static str, group: Group, alias: &str) -> Part {
    Part {
        role,
        group,
        name: name(part).to_owned(),
        ty: part.ty.clone(),
        alias: alias.to_owned(),
        default: part.default.clone(),
        text: text(part, alias),
        place: place(part.at.as_ref()),
    }
}

/// Keys and values of a fact.
fn values(value: &Value, ordered: bool) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let text = |value: &Value| match value {
        Value::Object(map) => map.values().map(word).collect::<Vec<_>>().join(", "),
        value => word(value),
    };
    match value {
        Value::Null | Value::Bool(false) => Vec::new(),
        Value::Bool(true) => vec![(String::new(), String::new())],
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(_) | Value::Number(_) => vec![(String::new(), text(value))],
        Value::Array(items) => {
            let value = |at: usize| if ordered { at.to_string() } else { String::new() };
            items.iter().enumerate().map(|(at, item)| (text(item), value(at))).collect()
        }
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), text(value))).collect(),
    }
}

/// Only the same type has all values of a type.
pub fn same_type(new: &str, old: &str) -> bool {
    new == old
}

/// The same type, or an optional one.
pub fn maybe_optional(new: &str, old: &str) -> bool {
    new == old || new.strip_suffix('?') == Some(old)
}

/// What to do instead of a change of a declaration without overloads.
pub fn instead(kind: &'static kinds::ChangeKind) -> Option<&'static str> {
    let has = |words: &str| kind.code.name.contains(words);
    match ["argument", "default-", "result-"].into_iter().any(has) {
        true => Some("keep the declaration, and add one of another name"),
        false => kind.help,
    }
}

/// New parts with defaults do nothing else.
pub fn nothing_more(_: &Part) -> Option<super::Effect> {
    None
}

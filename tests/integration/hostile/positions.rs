//! The texts of a sample, and the keys of a JSON Schema that take text.

use std::collections::BTreeSet;

use serde_json::Value;

/// A step from a value to a part of it.
#[derive(Clone)]
enum Step {
    Key(String),
    Item(usize),
}

/// A text of a sample: a value, or a key that the author chooses.
pub(super) struct Position {
    /// `ops[].doc`; `*` is a key of the author's, and `.*:` is the key itself.
    pub(super) pattern: String,
    steps: Vec<Step>,
    is_key: bool,
}

/// The texts, one for each pattern.
pub(super) fn positions(sample: &Value, schema: Option<&Value>) -> Vec<Position> {
    let mut found = Vec::new();
    walk(sample, schema, &mut Vec::new(), String::new(), &mut found);
    let mut seen = BTreeSet::new();
    found.retain(|position| seen.insert(position.pattern.clone()));
    found
}

/// The texts with a string in them, such as a schema with a default.
pub(super) fn with_strings(sample: &Value, schema: Option<&Value>) -> Vec<Position> {
    let mut found = Vec::new();
    walk(sample, schema, &mut Vec::new(), String::new(), &mut found);
    let text = |position: &Position| {
        position.steps.iter().fold(sample, |here, step| match step {
            Step::Key(key) => &here[key.as_str()],
            Step::Item(at) => &here[*at],
        })
    };
    found.retain(|position| !position.is_key && text(position).as_str().is_some_and(|text| text.contains('"')));
    found
}

/// The sample with a text inside the first string of the text at a position.
pub(super) fn changed_inside(sample: &Value, position: &Position, inside: &str) -> Value {
    let mut changed = sample.clone();
    let text = position.steps.iter().fold(&mut changed, go);
    let hostile = text.as_str().expect("a text").replacen('"', &format!("\"{inside}"), 1);
    *text = Value::String(hostile);
    changed
}

fn walk(value: &Value, schema: Option<&Value>, steps: &mut Vec<Step>, pattern: String, found: &mut Vec<Position>) {
    match value {
        Value::String(_) => found.push(Position { pattern, steps: steps.clone(), is_key: false }),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                steps.push(Step::Item(at));
                walk(item, schema.and_then(|schema| part(schema, None)), steps, format!("{pattern}[]"), found);
                steps.pop();
            }
        }
        Value::Object(pairs) => {
            for (key, item) in pairs {
                let dot = if pattern.is_empty() { "" } else { "." };
                let inner = schema.and_then(|schema| part(schema, Some(key)));
                let known = schema.is_some_and(|schema| is_property(schema, key));
                let name = if known || schema.is_none() { key } else { "*" };
                steps.push(Step::Key(key.clone()));
                if !known {
                    let pattern = format!("{pattern}{dot}{name}:");
                    found.push(Position { pattern, steps: steps.clone(), is_key: true });
                }
                walk(item, inner, steps, format!("{pattern}{dot}{name}"), found);
                steps.pop();
            }
        }
        _ => {}
    }
}

/// The alternatives of a schema, itself among them.
fn alternatives(schema: &Value) -> Vec<&Value> {
    let inner = ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    [schema].into_iter().chain(inner.flat_map(alternatives)).collect()
}

/// The schema of the items of a list, or of the value of a key.
fn part<'s>(schema: &'s Value, key: Option<&str>) -> Option<&'s Value> {
    let of = |schema: &'s Value| match key {
        None => schema.get("items"),
        Some(key) => {
            let property = schema.get("properties").and_then(|properties| properties.get(key));
            property.or_else(|| schema.get("additionalProperties").filter(|schema| schema.is_object()))
        }
    };
    alternatives(schema).into_iter().find_map(of)
}

/// Whether the reader knows the key, so that the author does not choose it.
fn is_property(schema: &Value, key: &str) -> bool {
    let fixed = |schema: &&Value| !schema.get("additionalProperties").is_some_and(Value::is_object);
    let has = |schema: &Value| schema.get("properties").is_some_and(|properties| properties.get(key).is_some());
    alternatives(schema).iter().any(|schema| has(schema) && (fixed(schema) || has_text_beside(schema)))
}

/// Whether the table has keys of its own beside those that authors choose. Keys that editors offer
/// have no descriptions.
fn has_text_beside(schema: &Value) -> bool {
    let described = |properties: &Value| {
        properties.as_object().is_some_and(|map| map.values().any(|property| property.get("description").is_some()))
    };
    schema.get("properties").is_some_and(described)
}

/// The sample with a longer text at a position.
pub(super) fn changed(sample: &Value, position: &Position, end: &str) -> Value {
    let mut changed = sample.clone();
    let (last, before) = position.steps.split_last().expect("a sample is not a text");
    let mut here = &mut changed;
    for step in before {
        here = go(here, step);
    }
    match last {
        Step::Key(key) if position.is_key => {
            let pairs = here.as_object_mut().expect("a mapping");
            // The order stays.
            let old = std::mem::take(pairs);
            let renamed = |name: String| if name == *key { format!("{name}{end}") } else { name };
            pairs.extend(old.into_iter().map(|(name, value)| (renamed(name), value)));
        }
        step => {
            let text = go(here, step);
            *text = Value::String(format!("{}{end}", text.as_str().expect("a text")));
        }
    }
    changed
}

fn go<'v>(value: &'v mut Value, step: &Step) -> &'v mut Value {
    match step {
        Step::Key(key) => &mut value[key.as_str()],
        Step::Item(at) => &mut value[*at],
    }
}

/// The sample as YAML: JSON in which only printable ASCII is written as it is.
pub(super) fn yaml(sample: &Value) -> String {
    let text = serde_json::to_string(sample).expect("JSON");
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' '..='~' => out.push(c),
            // No sample has characters beyond the first plane.
            _ => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    out
}

/// The keys of a schema that take text and that no sample has, each after its table.
pub(super) fn lacking(schema: &Value, samples: &[Value]) -> Vec<(String, String)> {
    let mut wanted = BTreeSet::new();
    keys(schema, &mut wanted);
    let mut there = BTreeSet::new();
    samples.iter().for_each(|sample| present(sample, schema, &mut there));
    wanted.difference(&there).cloned().collect()
}

/// The name of a table: its keys, by which lists of the same entries share their keys.
fn table(schema: &Value) -> String {
    let names = schema.get("properties").and_then(Value::as_object).map(|properties| properties.keys());
    names.into_iter().flatten().take(4).cloned().collect::<Vec<_>>().join(", ")
}

fn keys(schema: &Value, found: &mut BTreeSet<(String, String)>) {
    for schema in alternatives(schema) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let own = !schema.get("additionalProperties").is_some_and(Value::is_object) || has_text_beside(schema);
        for (key, value) in properties.into_iter().flatten() {
            if own && takes_text(value) {
                found.insert((table(schema), key.clone()));
            }
            keys(value, found);
        }
        for inner in ["items", "additionalProperties"] {
            schema.get(inner).into_iter().for_each(|inner| keys(inner, found));
        }
    }
}

/// Whether a text can be there or in it: not for booleans and for words of a list.
fn takes_text(schema: &Value) -> bool {
    let alternatives = alternatives(schema);
    let typed = |schema: &&&Value| schema.get("type").is_some() || schema.get("enum").is_some();
    if alternatives.iter().filter(typed).count() == 0 {
        return true;
    }
    alternatives.iter().any(|schema| {
        let types = schema.get("type");
        let is = |name: &str| {
            types.is_some_and(|types| {
                types == name || types.as_array().is_some_and(|list| list.iter().any(|one| one == name))
            })
        };
        let items = schema.get("items");
        schema.get("enum").is_none() && (is("string") || is("object") || (is("array") && items.is_none_or(takes_text)))
    })
}

fn present(value: &Value, schema: &Value, found: &mut BTreeSet<(String, String)>) {
    match value {
        Value::Array(items) => {
            let Some(inner) = part(schema, None) else { return };
            items.iter().for_each(|item| present(item, inner, found));
        }
        Value::Object(pairs) => {
            for (key, item) in pairs {
                for schema in alternatives(schema) {
                    found.insert((table(schema), key.clone()));
                }
                if let Some(inner) = part(schema, Some(key)) {
                    present(item, inner, found);
                }
            }
        }
        _ => {}
    }
}

//! `python/torchgen_rs/things.py` has the types of what `model` prints, as its JSON Schema has
//! them.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast python_functions::` writes the file again.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{sentence, wrapped_in};
use crate::expected::assert_is_text_of_file;
use crate::root;

/// The beginning of the file.
const HEAD: &str = r#""""What ``torchgen_rs.facts`` returns: the objects that ``torchgen-rs model`` prints.

``UPDATE_EXPECT=1 cargo test --test fast python_functions::`` writes this file from the JSON Schema
of a line. Each type is that of a dictionary; a key without content is left out.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union
"#;

/// A thing by its kind. In the schema, only the facts differ.
const KINDS: &[(&str, &str, &str, &str)] = &[
    ("Operator", "An operator: one overload.", "Literal[\"operator\"]", "OperatorFacts"),
    ("Group", "The variants of one operator.", "Literal[\"group\"]", "GroupFacts"),
    ("ViewGroup", "A view with its copy.", "Literal[\"view_group\"]", "ViewGroupFacts"),
    ("KernelThing", "A kernel with all that it serves.", "Literal[\"kernel\"]", "KernelFacts"),
    ("FormulaThing", "A formula with all that it differentiates.", "Literal[\"formula\"]", "FormulaFacts"),
    ("Record", "A declaration of another family.", "str", "dict[str, Any]"),
];

/// The end of the file.
const TAIL: &str = "\n\nThing = Union[Operator, Group, ViewGroup, KernelThing, FormulaThing, Record]\n\"\"\"A declaration, or a group of them.\"\"\"\n";

/// The type in Python of a value with this schema.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or(name).to_owned();
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        return choices.iter().map(type_of).collect::<Vec<_>>().join(" | ");
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let words: Vec<String> = choices.iter().map(|choice| choice["const"].to_string()).collect();
        return format!("Literal[{}]", words.join(", "));
    }
    if let Some(types) = schema["type"].as_array() {
        let one = |ty: &Value| {
            let mut own = schema.clone();
            own["type"] = ty.clone();
            type_of(&own)
        };
        return types.iter().map(one).collect::<Vec<_>>().join(" | ");
    }
    match schema["type"].as_str() {
        Some("string") => "str".to_owned(),
        Some("integer") => "int".to_owned(),
        Some("boolean") => "bool".to_owned(),
        Some("null") => "None".to_owned(),
        Some("array") => format!("list[{}]", type_of(&schema["items"])),
        Some("object") => format!("dict[str, {}]", type_of(&schema["additionalProperties"])),
        _ => panic!("no type of Python for {schema}"),
    }
}

fn documented(out: &mut String, indent: usize, text: &str) {
    wrapped_in(out, indent, indent, &format!("\"\"\"{}\"\"\"", sentence(text)));
}

/// A field. One that may be left out is never null.
fn field(out: &mut String, name: &str, schema: &Value, required: bool) {
    let ty = type_of(schema);
    let ty = if required { &ty } else { ty.trim_end_matches(" | None") };
    let _ = writeln!(out, "    {name}: {ty}");
    documented(out, 4, schema["description"].as_str().expect("a description"));
}

/// The class of an object: its optional keys, if it has any, are in a class of their own, since
/// Python 3.10 lacks `NotRequired`.
fn class(out: &mut String, name: &str, schema: &Value, base: &str) {
    // A list of words is written where it is used.
    let Some(properties) = schema["properties"].as_object() else { return };
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let is_required = |(name, _): &(&String, &Value)| required.contains(&name.as_str());
    let (always, sometimes): (Vec<_>, Vec<_>) = properties.iter().partition(is_required);
    let base = if sometimes.is_empty() {
        base.to_owned()
    } else {
        let own = format!("_{}Keys", name.trim_start_matches('_'));
        let _ = writeln!(out, "\n\nclass {own}({base}, total=False):");
        sometimes.iter().for_each(|(name, schema)| field(out, name, schema, false));
        own
    };
    let _ = writeln!(out, "\n\nclass {name}({base}):");
    documented(out, 4, schema["description"].as_str().expect("a description"));
    out.push('\n');
    always.iter().for_each(|(name, schema)| field(out, name, schema, true));
}

/// The schema with lists of words in place of their names.
fn with_words(schema: &Value, definitions: &Value) -> Value {
    let named = schema["$ref"].as_str().and_then(|name| definitions.get(name.rsplit('/').next()?));
    match (schema, named.and_then(|named| named.get("oneOf"))) {
        (_, Some(words)) => json!({"description": schema["description"], "oneOf": words}),
        (Value::Object(keys), None) => {
            keys.iter().map(|(key, value)| (key.clone(), with_words(value, definitions))).collect()
        }
        (Value::Array(items), None) => items.iter().map(|item| with_words(item, definitions)).collect(),
        (plain, None) => plain.clone(),
    }
}

/// The file.
fn file(schema: &Value) -> String {
    let schema = with_words(schema, &schema["$defs"]);
    let mut out = HEAD.to_owned();
    let classes: &Map<String, Value> = schema["$defs"].as_object().expect("definitions");
    for (name, schema) in classes {
        match name.as_str() {
            // Its facts are one of the other classes.
            "TorchFacts" => {}
            "Thing" => {
                let mut own = schema.clone();
                let properties = own["properties"].as_object_mut().expect("properties");
                for key in ["facts", "kind"] {
                    properties.remove(key).expect("a key of all things");
                }
                class(&mut out, "_Thing", &own, "TypedDict");
            }
            name => class(&mut out, name, schema, "TypedDict"),
        }
    }
    for (name, doc, kind, facts) in KINDS {
        let _ =
            writeln!(out, "\n\nclass {name}(_Thing):\n    \"\"\"{doc}\"\"\"\n\n    kind: {kind}\n    facts: {facts}");
    }
    out + TAIL
}

pub(super) fn every_line_has_a_type() {
    let path = root().join("schemas/model.json");
    let schema = std::fs::read_to_string(&path).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    assert_is_text_of_file(&root().join("python/torchgen_rs/things.py"), &file(&schema));
}

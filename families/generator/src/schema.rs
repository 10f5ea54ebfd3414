//! The JSON Schema of own YAML, with `--emit schema`: for completion and checks in editors.
//!
//! Invariant: it accepts what the reader accepts, unless that depends on operators.

use serde_json::{Map, Value, json};
use torchgen_base::yaml::json_schema::DIALECT;
use torchgen_kit::driver::context::json_text;

use super::manifest::{Manifest, OwnKey};
use super::things::Model;
use super::types::KeyType;

/// The schema.
pub(crate) fn text(manifest: &Manifest, model: &Model) -> String {
    let mut operators: Option<Value> = None;
    let mut sections = Map::new();
    for (name, section) in &manifest.sections {
        let mut keys = Map::new();
        for (name, key) in &section.keys {
            let names = || {
                let names = model.kind("operator").iter().map(|at| model.thing(*at).name.as_str());
                let own = names.map(|name| name.strip_prefix("aten::").unwrap_or(name));
                json!({"anyOf": [{"enum": own.collect::<Vec<_>>()}, {"type": "string"}]})
            };
            if key.ty == KeyType::Operator {
                operators.get_or_insert_with(names);
            }
            keys.insert(name.clone(), of_key(key));
        }
        for name in ["since", "until"] {
            keys.entry(name).or_insert_with(|| json!({"description": "A version of torch.", "type": "string"}));
        }
        let required: Vec<&String> =
            section.keys.iter().filter(|(_, key)| key.required).map(|(name, _)| name).collect();
        let mut entry = json!({"type": "object", "properties": keys, "additionalProperties": section.allows_others});
        if !required.is_empty() {
            entry["required"] = json!(required);
        }
        let mut list = json!({"type": ["array", "null"], "items": entry});
        if let Some(doc) = &section.doc {
            list["description"] = json!(doc);
        }
        sections.insert(name.clone(), list);
    }
    sections.insert("family".to_owned(), json!({"enum": ["generator"]}));
    sections.insert("generator".to_owned(), json!({"description": "The folder of the generator.", "type": "string"}));
    sections.insert("run".to_owned(), json!({"description": "Values for flags.", "type": "object"}));
    let mut schema = json!({
        "$schema": DIALECT,
        "title": format!("Entries of the generator {}", manifest.name),
        "type": "object",
        "properties": sections,
        "additionalProperties": false,
    });
    if let Some(operators) = operators {
        schema["definitions"] = json!({"operator": operators});
    }
    json_text(&schema)
}

fn of_key(key: &OwnKey) -> Value {
    let one = match &key.ty {
        KeyType::Bool => json!({"type": "boolean"}),
        KeyType::Int => json!({"type": "integer"}),
        KeyType::Number => json!({"type": "number"}),
        KeyType::Map => json!({"type": "object"}),
        KeyType::Any => json!({}),
        KeyType::Words(words) => json!({"enum": words}),
        KeyType::Operator => json!({"$ref": "#/definitions/operator"}),
        _ => json!({"type": "string"}),
    };
    let mut schema = if key.list { json!({"type": "array", "items": one}) } else { one };
    if !key.required {
        schema = json!({"anyOf": [schema, {"type": "null"}]});
    }
    if let Some(doc) = &key.doc {
        schema["description"] = json!(doc);
    }
    schema
}

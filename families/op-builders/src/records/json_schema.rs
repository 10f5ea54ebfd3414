//! The JSON Schema of the YAML, for editors.
//!
//! Invariant: it is made from the readers' key tables. Signatures and bodies are only strings in
//! it.

use serde_json::{Map, Value, json};

use super::keys::{DOCUMENT, ENTRY};
use torchgen_base::yaml::json_schema::DIALECT;
use torchgen_base::yaml::keys::{KeySpec, KeyTable, Shape};

/// The schema; the text ends in a line break.
pub(crate) fn json_schema() -> String {
    let mut root = object(&DOCUMENT);
    root.insert("$schema".to_owned(), json!(DIALECT));
    root.insert("title".to_owned(), json!("Op builders"));
    let mut text = serde_json::to_string_pretty(&Value::Object(root)).expect("strings and numbers always serialize");
    text.push('\n');
    text
}

fn object(table: &KeyTable) -> Map<String, Value> {
    let properties: Map<String, Value> =
        table.keys.iter().map(|spec| (spec.name.to_owned(), described(spec))).collect();
    let required: Vec<&str> = table.keys.iter().filter(|spec| spec.required).map(|spec| spec.name).collect();
    let mut object = Map::new();
    object.insert("type".to_owned(), json!("object"));
    object.insert("properties".to_owned(), Value::Object(properties));
    object.insert("required".to_owned(), json!(required));
    object.insert("additionalProperties".to_owned(), json!(false));
    object
}

fn described(spec: &KeySpec) -> Value {
    let mut value = shape(spec.shape);
    value.insert("description".to_owned(), json!(spec.doc));
    Value::Object(value)
}

fn shape(shape: Shape) -> Map<String, Value> {
    let mut made = Map::new();
    let mut put = |key: &str, value: Value| drop(made.insert(key.to_owned(), value));
    match shape {
        Shape::Word(words) => put("enum", json!(words)),
        Shape::Texts => {
            put("type", json!("array"));
            put("items", json!({ "type": "string" }));
        }
        Shape::Entries(_) => {
            put("type", json!("array"));
            let mut entry = object(&ENTRY);
            let one = |key: &str| json!({ "required": [key] });
            entry.insert("oneOf".to_owned(), json!([one("builder"), one("helper"), one("op")]));
            put("items", Value::Object(entry));
        }
        Shape::Map(_) => {
            put("type", json!("object"));
            put("additionalProperties", json!({ "type": "string" }));
        }
        Shape::TextOrMap(keys) => {
            put("type", json!("object"));
            let properties: Map<String, Value> =
                keys.iter().map(|key| ((*key).to_owned(), json!({ "type": "string" }))).collect();
            put("properties", Value::Object(properties));
            put("minProperties", json!(1));
            put("maxProperties", json!(1));
            put("additionalProperties", json!(false));
        }
        Shape::Values => put("type", json!("array")),
        Shape::Bool => put("type", json!("boolean")),
        Shape::Keys(table) => return object(table),
        _ => put("type", json!("string")),
    }
    made
}

//! JSON Schemas of YAML files, for completion and checks in editors.
//!
//! Invariant: a schema is made from the readers' [`KeyTable`]s, and accepts what they accept unless
//! a later stage always refuses it. Keys are in the order of the tables. The dialect is draft 7,
//! the newest that editors' YAML servers support.

use indexmap::IndexMap;
use serde::Serialize;

use super::keys::{KeySpec, KeyTable, Null, Others, Shape};

/// How entries are arranged in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// A list of entries.
    List,
    /// A list of entries, or nothing.
    ListOrNothing,
    /// One entry.
    Mapping,
    /// One entry, or nothing: a file with comments alone.
    MappingOrNothing,
}

/// The schema of a file that is one mapping; the text ends in a line break. `kind` is its name in
/// `torchgen-rs json-schema`.
pub fn file_schema(kind: &str, title: &str, keys: &KeyTable) -> String {
    json_schema(kind, title, keys, Root::Mapping)
}

/// JSON whose keys stay in order, whatever the features of `serde_json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum Json {
    Bool(bool),
    Text(String),
    List(Vec<Json>),
    Object(IndexMap<&'static str, Json>),
    Map(IndexMap<String, Json>),
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_owned())
    }
}

fn object<const N: usize>(pairs: [(&'static str, Json); N]) -> Json {
    Json::Object(pairs.into())
}

fn words(words: &[&str]) -> Json {
    Json::List(words.iter().map(|word| Json::from(*word)).collect())
}

fn of_type(name: &str) -> Json {
    object([("type", name.into())])
}

fn any_of<const N: usize>(schemas: [Json; N]) -> Json {
    object([("anyOf", Json::List(schemas.into()))])
}

fn list(items: Json) -> Json {
    object([("type", "array".into()), ("items", items)])
}

fn mapping(values: Json) -> Json {
    object([("type", "object".into()), ("additionalProperties", values)])
}

/// A mapping; editors offer some keys for it.
fn mapping_with(offered: &[String], values: &Json) -> Json {
    let offered = offered.iter().map(|key| (key.clone(), values.clone())).collect();
    object([("type", "object".into()), ("properties", Json::Map(offered)), ("additionalProperties", values.clone())])
}

/// The dialect of the schemas.
pub const DIALECT: &str = "http://json-schema.org/draft-07/schema#";

/// The schema of a kind of file; the text ends in a line break. `kind` is its name in
/// `torchgen-rs json-schema`.
pub fn json_schema(kind: &str, title: &str, keys: &KeyTable, root: Root) -> String {
    let entry = table(keys);
    let mut schema = IndexMap::from([
        ("$schema", DIALECT.into()),
        ("title", title.into()),
        ("description", Json::Text(format!("Made by `torchgen-rs json-schema {kind}`."))),
    ]);
    let body = match root {
        Root::Mapping | Root::MappingOrNothing => entry,
        Root::List => list(entry),
        Root::ListOrNothing => object([("type", words(&["array", "null"])), ("items", entry)]),
    };
    if let Json::Object(body) = body {
        schema.extend(body);
    }
    if matches!(root, Root::MappingOrNothing) {
        schema.insert("type", words(&["object", "null"]));
    }
    // This cannot fail: all keys are strings.
    let mut text = serde_json::to_string_pretty(&schema).expect("strings and numbers always serialize");
    text.push('\n');
    text
}

fn table(table: &KeyTable) -> Json {
    let properties = table.keys.iter().map(|spec| (spec.name.to_owned(), key(spec))).collect();
    let required = table.keys.iter().filter(|spec| spec.required).map(|spec| spec.name.into());
    let others = match table.others {
        Others::Refused => Json::Bool(false),
        Others::Ignored => Json::Bool(true),
        Others::Texts { doc, examples } => {
            object([("type", "string".into()), ("description", doc.into()), ("examples", words(examples))])
        }
    };
    object([
        ("type", "object".into()),
        ("properties", Json::Map(properties)),
        ("required", Json::List(required.collect())),
        ("additionalProperties", others),
    ])
}

fn key(spec: &KeySpec) -> Json {
    let shape = match (value(spec.shape), spec.null) {
        (shape, Null::Refused) => shape,
        // This shape allows null already.
        (shape, Null::Absent) if matches!(spec.shape, Shape::Filled) => shape,
        (shape, Null::Absent) if shape == of_type("string") => object([("type", words(&["string", "null"]))]),
        (shape, Null::Absent) => any_of([shape, of_type("null")]),
    };
    let mut described = IndexMap::from([("description", spec.doc.into())]);
    if let Json::Object(shape) = shape {
        described.extend(shape);
    }
    Json::Object(described)
}

fn value(shape: Shape) -> Json {
    let text = of_type("string");
    match shape {
        Shape::Text => text,
        Shape::Identifier => {
            let pattern = Json::Text("^[A-Za-z_][A-Za-z0-9_]*$".to_owned());
            object([("type", "string".into()), ("pattern", pattern)])
        }
        Shape::Word(known) => object([("enum", words(known))]),
        Shape::Words(known) => {
            let word = format!("({})", known.join("|"));
            let pattern = Json::Text(format!("^{word}(, {word})*$"));
            let all = known.join(", ");
            let offered = Json::List(known.iter().copied().chain([all.as_str()]).map(Json::from).collect());
            any_of([object([("enum", offered)]), object([("type", "string".into()), ("pattern", pattern)])])
        }
        Shape::Filled => object([("not", object([("const", "".into())]))]),
        Shape::Bool => of_type("boolean"),
        Shape::Texts => list(text),
        Shape::TextsOrNamed(table) => list(any_of([text, mapping(self::table(table))])),
        Shape::WordList(known) => list(object([("enum", words(known))])),
        Shape::TextOrTexts(offered) => {
            let offered = Json::List(offered().into_iter().map(Json::Text).collect());
            let one = any_of([object([("enum", offered)]), text]);
            any_of([one.clone(), list(one)])
        }
        Shape::TextsOrReasons(offered) => {
            let reasons = mapping_with(&offered(), &text);
            any_of([value(Shape::TextOrTexts(offered)), reasons])
        }
        Shape::BoolsAndTexts => list(object([("type", words(&["boolean", "string"]))])),
        Shape::Any => object([]),
        Shape::Scalars => list(object([("not", object([("type", words(&["array", "object"]))]))])),
        Shape::Values => of_type("array"),
        Shape::ValueLists => mapping(of_type("array")),
        Shape::TextOrKeyed(keys) => any_of([text, value(Shape::Map(keys))]),
        Shape::Map(keys) => {
            let mut map = mapping_with(&(keys.offered)(), &text);
            // Without words, any key is right.
            if let Json::Object(map) = &mut map
                && !(keys.words)().is_empty()
            {
                let words = format!(r"\s*({})\s*", (keys.words)().join("|"));
                let names = object([("pattern", Json::Text(format!("^{words}(,{words})*$")))]);
                map.insert("propertyNames", names);
            }
            map
        }
        Shape::TextOrMap(known) => {
            let known: Vec<String> = known.iter().map(|word| (*word).to_owned()).collect();
            any_of([text.clone(), mapping_with(&known, &text)])
        }
        Shape::MapOfMaps(offered) => mapping_with(&offered(), &mapping(text)),
        Shape::Entries(table) => list(self::table(table)),
        Shape::Named(table) => mapping(self::table(table)),
        Shape::Keys(table) => self::table(table),
    }
}

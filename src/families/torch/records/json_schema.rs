//! JSON Schemas of the YAML files, so that editors complete and check what the readers read.
//!
//! Invariant: a schema is made from the readers' own [`KeyTable`]s, and accepts what they accept unless a later stage refuses it in any case.
//! Keys come in the order of the tables. Deliberately absent: what the words are that PyTorch fixes (the caller knows the [`Vocabulary`]).
//! The target is draft 7, the newest that editors' YAML servers know.

use indexmap::IndexMap;
use serde::Serialize;

use super::{backend, deprecated, derivatives, native, selective, tags};
use crate::yaml::keys::{KeySpec, KeyTable, Null, Others, Shape};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// PyTorch's own native_functions.yaml.
    NativeFunctions,
    /// The native_functions.yaml of an operator library.
    Library,
    /// derivatives.yaml.
    Derivatives,
    /// tags.yaml.
    Tags,
    /// deprecated.yaml.
    Deprecated,
    /// Selective-build YAML.
    Selective,
    /// The YAML of an external backend.
    Backend,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 7] = [
        Kind::NativeFunctions,
        Kind::Library,
        Kind::Derivatives,
        Kind::Tags,
        Kind::Deprecated,
        Kind::Selective,
        Kind::Backend,
    ];

    /// The name that people type; `schemas/<name>.json` is its schema.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NativeFunctions => "native-functions",
            Kind::Library => "library",
            Kind::Derivatives => "derivatives",
            Kind::Tags => "tags",
            Kind::Deprecated => "deprecated",
            Kind::Selective => "selective",
            Kind::Backend => "backend",
        }
    }

    /// The kind of that name.
    pub fn find(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What the file is, the keys of its entries or of itself, and how they stand in it.
    fn parts(self) -> (&'static str, &'static KeyTable, Root) {
        match self {
            Kind::NativeFunctions => ("PyTorch's native_functions.yaml", &native::ATEN_KEYS, Root::List),
            Kind::Library => ("The native_functions.yaml of an operator library", &native::LIBRARY_KEYS, Root::List),
            Kind::Derivatives => ("derivatives.yaml", &derivatives::KEYS, Root::List),
            Kind::Tags => ("tags.yaml", &tags::KEYS, Root::List),
            Kind::Deprecated => ("deprecated.yaml", &deprecated::KEYS, Root::ListOrNothing),
            Kind::Selective => ("Selective-build YAML", &selective::FILE_KEYS, Root::Mapping),
            Kind::Backend => ("The YAML of an external backend", &backend::BACKEND_KEYS, Root::Mapping),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    List,
    ListOrNothing,
    Mapping,
}

/// Words that PyTorch fixes.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary<'a> {
    /// All dispatch keys.
    pub dispatch_keys: &'a [&'a str],
    /// Those that editors offer for kernels.
    pub kernel_keys: &'a [&'a str],
    /// Those that editors offer for derivatives.
    pub autograd_keys: &'a [&'a str],
    /// The standard tags.
    pub tags: &'a [&'a str],
}

/// JSON whose keys stay in order, whatever features of `serde_json` a build has.
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

/// A mapping of which editors offer some keys.
fn mapping_with(offered: &[&str], values: &Json) -> Json {
    let offered = offered.iter().map(|key| ((*key).to_owned(), values.clone())).collect();
    object([("type", "object".into()), ("properties", Json::Map(offered)), ("additionalProperties", values.clone())])
}

/// The schema of a kind of file, as text that ends in a line break.
pub fn json_schema(kind: Kind, vocabulary: &Vocabulary<'_>) -> String {
    let (title, table, root) = kind.parts();
    let entry = vocabulary.table(table);
    let mut schema = IndexMap::from([
        ("$schema", "http://json-schema.org/draft-07/schema#".into()),
        ("title", title.into()),
        ("description", Json::Text(format!("Made by `torchgen-rs json-schema {}`.", kind.name()))),
    ]);
    let body = match root {
        Root::Mapping => entry,
        Root::List => list(entry),
        Root::ListOrNothing => object([("type", words(&["array", "null"])), ("items", entry)]),
    };
    if let Json::Object(body) = body {
        schema.extend(body);
    }
    // Nothing in it can fail: all keys are strings.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

impl Vocabulary<'_> {
    fn table(&self, table: &KeyTable) -> Json {
        let properties = table.keys.iter().map(|spec| (spec.name.to_owned(), self.key(spec))).collect();
        let required = table.keys.iter().filter(|spec| spec.required).map(|spec| spec.name.into());
        let others = match table.others {
            Others::Refused => Json::Bool(false),
            Others::Ignored => Json::Bool(true),
            Others::Formulas => object([
                ("type", "string".into()),
                ("description", "The formula of an input's gradient, or of an output's forward gradient.".into()),
                ("examples", words(&["not_differentiable", "auto_element_wise", "auto_linear"])),
            ]),
        };
        object([
            ("type", "object".into()),
            ("properties", Json::Map(properties)),
            ("required", Json::List(required.collect())),
            ("additionalProperties", others),
        ])
    }

    fn key(&self, spec: &KeySpec) -> Json {
        let shape = match (self.shape(spec.shape), spec.null) {
            (shape, Null::Fault) => shape,
            // Which allows null as it is.
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

    fn shape(&self, shape: Shape) -> Json {
        let text = of_type("string");
        match shape {
            Shape::Text => text,
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
            Shape::WordList(known) => list(object([("enum", words(known))])),
            Shape::Tags => {
                let tag = any_of([object([("enum", words(self.tags))]), text]);
                any_of([tag.clone(), list(tag)])
            }
            Shape::Conditions => list(object([("type", words(&["boolean", "string"]))])),
            Shape::Values => of_type("array"),
            Shape::ValueLists => mapping(of_type("array")),
            Shape::Kernels => {
                let key = format!("\\s*({})\\s*", self.dispatch_keys.join("|"));
                let names = object([("pattern", Json::Text(format!("^{key}(,{key})*$")))]);
                let mut kernels = mapping_with(self.kernel_keys, &text);
                if let Json::Object(kernels) = &mut kernels {
                    kernels.insert("propertyNames", names);
                }
                kernels
            }
            Shape::TextOrMap(known) => any_of([text.clone(), mapping_with(known, &text)]),
            Shape::KeyedFormulas => mapping_with(self.autograd_keys, &mapping(text)),
            Shape::Entries(table) => list(self.table(table)),
            Shape::Named(table) => mapping(self.table(table)),
        }
    }
}

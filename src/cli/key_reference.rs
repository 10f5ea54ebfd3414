//! The keys of a kind of YAML file as Markdown, for a reference page.
//!
//! Long lists of words follow the table, where a cell would be too long to read.
//!
//! Invariant: the page is made from the kind's JSON Schema, which is made from the tables that
//! readers use, so that it lists the keys that are accepted, in their order.

use std::fmt::Write;

use indexmap::IndexMap;
use serde::Deserialize;
use torchgen_base::lang::wrapped;

/// What the page needs of a JSON Schema.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Schema {
    title: String,
    description: String,
    #[serde(rename = "type")]
    types: Types,
    items: Option<Box<Schema>>,
    properties: IndexMap<String, Schema>,
    required: Vec<String>,
    #[serde(rename = "additionalProperties")]
    others: Others,
    #[serde(rename = "anyOf")]
    any_of: Vec<Schema>,
    #[serde(rename = "enum")]
    words: Vec<String>,
}

/// The value of `type`.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Types {
    #[default]
    Any,
    One(String),
    Several(Vec<String>),
}

/// The value of `additionalProperties`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Others {
    Allowed(bool),
    Values(Box<Schema>),
}

impl Default for Others {
    fn default() -> Self {
        Others::Allowed(true)
    }
}

/// The most words that a cell lists.
const SHORT: usize = 5;

/// What a cell says instead of more words.
const BELOW: &str = "a word listed below";

#[derive(Debug)]
struct Key {
    /// The key, with the keys that it is below.
    path: String,
    value: String,
    required: bool,
    doc: String,
    /// The words of a list that is too long for a cell.
    words: Vec<String>,
}

/// The keys in the text of a kind's JSON Schema, as a section of Markdown.
///
/// # Errors
/// The text is not such a schema.
pub(super) fn markdown(kind: &str, schema: &str) -> Result<String, serde_json::Error> {
    let schema: Schema = serde_json::from_str(schema)?;
    let mut keys = Vec::new();
    schema.add_keys("", &mut keys);
    let mut out = format!("## {kind}\n\n{}.\n\n| key | value | meaning |\n| --- | --- | --- |\n", schema.title);
    for key in &keys {
        let required = if key.required { " (required)" } else { "" };
        let [value, doc] = [&key.value, &key.doc].map(|text| text.replace('|', r"\|"));
        let _ = writeln!(out, "| `{}`{required} | {value} | {doc} |", key.path);
    }
    // Keys with the same words share a list.
    let mut lists: Vec<(&[String], Vec<String>)> = Vec::new();
    for key in keys.iter().filter(|key| !key.words.is_empty()) {
        let path = format!("`{}`", key.path);
        match lists.iter_mut().find(|(words, _)| *words == key.words) {
            Some((_, paths)) => paths.push(path),
            None => lists.push((&key.words, vec![path])),
        }
    }
    for (words, paths) in lists {
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let _ = write!(out, "\nWords of {}:\n\n{}\n", paths.join(", "), wrapped(&words.join(", "), 100).join("\n"));
    }
    Ok(out)
}

impl Schema {
    /// The keys of the mappings in this value, below `path`.
    fn add_keys(&self, path: &str, keys: &mut Vec<Key>) {
        // A mapping that offers words for its keys has no keys with a meaning of their own.
        let documented = self.properties.iter().filter(|(_, value)| !value.description.is_empty());
        for (name, value) in documented {
            let path = format!("{path}{name}");
            keys.push(Key {
                path: path.clone(),
                value: value.value(),
                required: self.required.contains(name),
                doc: value.description.clone(),
                words: value.long_list(),
            });
            value.add_keys(&format!("{path}."), keys);
        }
        if let Some(items) = &self.items {
            let path = path.strip_suffix('.').map_or_else(String::new, |path| format!("{path}[]."));
            items.add_keys(&path, keys);
        }
        if let Others::Values(values) = &self.others {
            if !values.description.is_empty() {
                let (value, doc) = (values.value(), values.description.clone());
                let words = values.long_list();
                keys.push(Key { path: format!("{path}*"), value, required: false, doc, words });
            }
            values.add_keys(&format!("{path}*."), keys);
        }
        self.any_of.iter().for_each(|one| one.add_keys(path, keys));
    }

    /// What the value may be, in words.
    fn value(&self) -> String {
        let mut found = Vec::new();
        self.values(&mut found);
        found.retain(|value| value != "nothing");
        let mut distinct = Vec::new();
        found.into_iter().filter(|value| !value.is_empty()).for_each(|value| {
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        });
        if distinct.is_empty() { "anything".to_owned() } else { distinct.join(", or ") }
    }

    /// The words of the value, of its elements or of its values, if they are too many for a cell.
    fn long_list(&self) -> Vec<String> {
        let mut inside: Vec<&Schema> = self.any_of.iter().chain(self.items.as_deref()).collect();
        if let Others::Values(values) = &self.others {
            inside.push(values);
        }
        match self.words.len() > SHORT {
            true => self.words.clone(),
            false => inside.into_iter().map(Schema::long_list).find(|words| !words.is_empty()).unwrap_or_default(),
        }
    }

    fn values(&self, found: &mut Vec<String>) {
        if !self.any_of.is_empty() {
            return self.any_of.iter().for_each(|one| one.values(found));
        }
        if self.words.len() > SHORT {
            return found.push(BELOW.to_owned());
        }
        if !self.words.is_empty() {
            return found.push(self.words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "));
        }
        match &self.types {
            Types::Any => found.push(String::new()),
            Types::One(name) => found.push(self.of_type(name)),
            Types::Several(names) => found.extend(names.iter().map(|name| self.of_type(name))),
        }
    }

    fn of_type(&self, name: &str) -> String {
        match name {
            "string" => "a string".to_owned(),
            "boolean" => "`True` or `False`".to_owned(),
            "integer" => "a whole number".to_owned(),
            "null" => "nothing".to_owned(),
            "array" => match &self.items {
                Some(items) => format!("a list: {}", items.value()),
                None => "a list".to_owned(),
            },
            "object" => match &self.others {
                Others::Values(values) => format!("a mapping: {}", values.value()),
                Others::Allowed(true) => "a mapping".to_owned(),
                Others::Allowed(false) => "a mapping with the keys below".to_owned(),
            },
            other => other.to_owned(),
        }
    }
}

//! The JSON Schemas accept what the readers accept, and refuse what they refuse.

use std::path::Path;

use jsonschema::Validator;
use serde_json::{Map, Value};

use super::{YamlFileKind, schema};
use crate::records::{self, native};
use torchgen_base::diag::{Diagnostics, Sources};
use torchgen_base::yaml::{Node, NodeKind, Options, Resolved, parse, resolve};

/// The tree of a text.
fn tree(text: &str) -> Node {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("file.yaml", text.to_owned());
    let node = parse(&sources, file, Options::SAFE_LOAD, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "not YAML: {text}");
    node.expect("a tree")
}

/// A node as JSON. Numbers and dates lose their values, since no schema checks them.
fn json(node: &Node) -> Value {
    match (&node.kind, resolve(node)) {
        (NodeKind::Sequence(items), _) => Value::Array(items.iter().map(json).collect()),
        (NodeKind::Mapping(pairs), _) => {
            let key = |key: &Node| key.as_text().map_or_else(String::new, |text| text.as_str().to_owned());
            Value::Object(pairs.iter().map(|(name, value)| (key(name), json(value))).collect::<Map<_, _>>())
        }
        (_, Resolved::Null) => Value::Null,
        (_, Resolved::Bool(value)) => Value::Bool(value),
        (NodeKind::Scalar(text), Resolved::Str) => Value::String(text.as_str().to_owned()),
        _ => Value::from(1),
    }
}

/// The schema of a kind, and its validator.
fn validator(kind: YamlFileKind) -> (Value, Validator) {
    let schema: Value = serde_json::from_str(&schema(kind)).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a JSON Schema");
    (schema, validator)
}

/// The required keys and values of a kind of file, as pairs.
fn base(kind: YamlFileKind) -> &'static [(&'static str, &'static str)] {
    match kind {
        YamlFileKind::NativeFunctions | YamlFileKind::Library => &[("func", "'f() -> ()'")],
        YamlFileKind::Derivatives => &[("name", "'f() -> ()'")],
        YamlFileKind::Tags => &[("tag", "x"), ("desc", "x")],
        YamlFileKind::Deprecated => &[("name", "x"), ("aten", "x")],
        YamlFileKind::Selective | YamlFileKind::Settings => &[],
        YamlFileKind::Backend => &[("backend", "XLA"), ("cpp_namespace", "x")],
    }
}

fn document(kind: YamlFileKind, pairs: &[(&str, &str)]) -> String {
    let dash = if matches!(kind, YamlFileKind::Selective | YamlFileKind::Settings | YamlFileKind::Backend) {
        ""
    } else {
        "- "
    };
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}: {value}")).collect();
    format!("{dash}{{{}}}\n", pairs.join(", "))
}

/// Whether the reader of a kind accepts a text.
fn reads(kind: YamlFileKind, text: &str) -> bool {
    let (root, mut diagnostics) = (tree(text), Diagnostics::new());
    let diags = &mut diagnostics;
    match kind {
        YamlFileKind::NativeFunctions => drop(records::read_native_functions(root, &native::ATEN_KEYS, diags)),
        YamlFileKind::Library => drop(records::read_native_functions(root, &native::LIBRARY_KEYS, diags)),
        YamlFileKind::Derivatives => drop(records::read_derivatives(root, diags)),
        YamlFileKind::Tags => drop(records::read_tags(root, diags)),
        YamlFileKind::Deprecated => drop(records::read_deprecated(root, diags)),
        YamlFileKind::Settings => drop(records::read_settings(root, diags)),
        YamlFileKind::Selective => drop(records::read_selective(root, diags)),
        YamlFileKind::Backend => drop(records::read_backend(root, diags)),
    }
    !diagnostics.has_errors()
}

const VALUES: [&str; 20] = [
    "x",
    "''",
    "True",
    "1",
    "1.5",
    "2001-01-01",
    "~",
    "[]",
    "[x]",
    "[1]",
    "[True]",
    "[~]",
    "{}",
    "{x: y}",
    "{x: 1}",
    "{x: [y]}",
    "{x: {}}",
    "{x: {y: z}}",
    "[{x: y}]",
    "[{func: x, properties: [Lower]}]",
];

/// A later stage checks the values of these keys.
const WORDS: [&str; 5] = ["variants", "device_check", "dispatch", "registration", "when"];

#[test]
fn schemas_take_what_readers_take() {
    let mut errors = Vec::new();
    for kind in YamlFileKind::ALL {
        let (schema, validator) = validator(kind);
        let of_entry = schema.pointer("/items/properties").or(schema.pointer("/properties"));
        let keys: Vec<&String> = of_entry.and_then(|keys| keys.as_object()).expect("properties").keys().collect();
        let mut check = |key: &str, pairs: &[(&str, &str)]| {
            let text = document(kind, pairs);
            let (read, valid) = (reads(kind, &text), validator.is_valid(&json(&tree(&text))));
            let only_words = read && !valid && WORDS.contains(&key);
            if read != valid && !only_words {
                errors.push(format!("{}: the reader says {read}, the schema {valid} of {text}", kind.name()));
            }
        };
        check("", base(kind));
        for key in keys {
            let others: Vec<_> = base(kind).iter().copied().filter(|(other, _)| other != key).collect();
            check(key, &others);
            for value in VALUES {
                check(key, &[&others[..], &[(key, value)]].concat());
            }
            // Misspelt keys. In derivatives.yaml other keys are names of inputs.
            let misspelt = format!("{key}s");
            check(key, &[&others[..], &[(&misspelt, "x")]].concat());
            check(key, &[base(kind), &[(&misspelt, "[x]")]].concat());
        }
    }
    assert!(errors.is_empty(), "{} errors\n{}", errors.len(), errors.join(""));
}

/// The files of the project match the schemas.
#[test]
fn own_files_fit() {
    let root = Path::new("../..");
    let (mut errors, mut seen) = (Vec::new(), 0);
    let mut check = |kind: &str, path: &Path| {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let kind = YamlFileKind::ALL.into_iter().find(|known| known.name() == kind).expect("a kind");
        let value = json(&tree(&text));
        errors.extend(validator(kind).1.iter_errors(&value).map(|e| format!("{}: {e}", path.display())));
        seen += 1;
    };
    check("library", &root.join("native_functions.yaml"));
    check("derivatives", &root.join("derivatives.yaml"));
    for directory in ["tests/mini", "tests/conformance/added"] {
        for entry in walkdir::WalkDir::new(root.join(directory)).sort_by_file_name() {
            let entry = entry.expect("a file of the project");
            let kind = match entry.file_name().to_str() {
                Some("native_functions.yaml") => "native-functions",
                Some("derivatives.yaml") => "derivatives",
                Some("deprecated.yaml") => "deprecated",
                Some("tags.yaml") => "tags",
                Some("selective.yaml") => "selective",
                _ => continue,
            };
            check(kind, entry.path());
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert!(seen >= 8, "only {seen} files were found");
}

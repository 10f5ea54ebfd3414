//! YAML files held against the JSON Schemas in `schemas/`, read as the reference's YAML reader
//! resolves scalars.

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Map, Value};
use torchgen_rs::diag::{Diagnostics, Sources};
use torchgen_rs::yaml::{Node, NodeKind, Options, Resolved, parse, resolve};

/// Where the schema of a kind is committed.
pub(crate) fn path(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(format!("{kind}.json"))
}

/// The committed schema of a kind.
pub(crate) fn schema(kind: &str) -> Value {
    let text = std::fs::read_to_string(path(kind)).expect("a committed schema");
    serde_json::from_str(&text).expect("JSON")
}

/// The validator of a kind.
pub(crate) fn validator(kind: &str) -> Validator {
    jsonschema::validator_for(&schema(kind)).expect("a JSON Schema")
}

/// The tree of a text.
pub(crate) fn tree(text: &str) -> Node {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("file.yaml", text.to_owned());
    let node = parse(&sources, file, Options::SAFE_LOAD, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "no YAML: {text}");
    node.expect("a tree")
}

/// A node as JSON. Numbers and dates lose their values, which no schema asks for.
pub(crate) fn json(node: &Node) -> Value {
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

/// What the schema of a kind has against a file.
pub(crate) fn faults(validator: &Validator, path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let value = json(&tree(&text));
    validator.iter_errors(&value).map(|e| format!("{}: {}: {e}", path.display(), e.instance_path())).collect()
}

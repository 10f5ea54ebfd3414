//! YAML files checked against the JSON Schemas in `schemas/` and of families, read as an editor
//! reads them.

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::Value;

/// The path of the committed schema of a kind.
pub(crate) fn path(kind: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let family = root.join("families").join(kind);
    match family.is_dir() && !kind.is_empty() {
        true => family.join("schema.json"),
        false => root.join("schemas").join(format!("{kind}.json")),
    }
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

/// A YAML text as JSON.
pub(crate) fn json(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The violations of the schema of a kind in a file.
pub(crate) fn errors(validator: &Validator, path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let value = json(&text);
    validator.iter_errors(&value).map(|e| format!("{}: {}: {e}", path.display(), e.instance_path())).collect()
}

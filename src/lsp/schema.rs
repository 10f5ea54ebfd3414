//! What the JSON Schema of a file says about its keys and values.
//!
//! Invariant: the schemas are those that `torchgen-rs json-schema` prints.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;
use torchgen_kit::driver::family::DefaultFamily;
use torchgen_kit::driver::head::families_in;

use crate::families::{FAMILIES, Fallback};

/// The schema of a file.
pub(super) fn schema_of(path: &Path, text: &str) -> Option<&'static Value> {
    let named = families_in(text);
    let kind = FAMILIES
        .iter()
        .flat_map(|family| family.yaml_kinds)
        .map(|kind| kind.name)
        .find(|kind| named.iter().any(|family| family == kind));
    let kind = kind.or_else(|| {
        let name = path.file_name()?.to_str()?;
        let is_library = || path.parent().is_some_and(Fallback::is_project);
        let begins = |words: &str| text.lines().any(|line| line.starts_with(words));
        Some(match name {
            "native_functions.yaml" if is_library() => "library",
            "native_functions.yaml" => "native-functions",
            "library.yaml" => "library-settings",
            "derivatives.yaml" => "derivatives",
            "tags.yaml" => "tags",
            "deprecated.yaml" => "deprecated",
            _ if begins("- func:") => "library",
            _ => Fallback::kind_of(text)?,
        })
    })?;
    named_schema(kind)
}

/// The schema of a kind.
fn named_schema(kind: &str) -> Option<&'static Value> {
    static ALL: LazyLock<BTreeMap<&str, Value>> = LazyLock::new(|| {
        let kinds = FAMILIES.iter().flat_map(|family| family.yaml_kinds);
        kinds.filter_map(|kind| Some((kind.name, serde_json::from_str(&(kind.schema)()).ok()?))).collect()
    });
    ALL.get(kind)
}

/// The schemas of what is below these keys.
pub(super) fn at<'s>(root: &'s Value, keys: &[Option<String>]) -> Vec<&'s Value> {
    let mut found = alternatives(root, root);
    for key in keys {
        let below = found.iter().flat_map(|schema| match key {
            None => schema.get("items").into_iter().collect::<Vec<_>>(),
            Some(key) => {
                let property = schema.pointer("/properties").and_then(|properties| properties.get(key));
                property
                    .or_else(|| schema.get("additionalProperties").filter(|of| of.is_object()))
                    .into_iter()
                    .collect()
            }
        });
        found = below.flat_map(|schema| alternatives(root, schema)).collect();
    }
    found
}

/// A schema, or those that it may be.
fn alternatives<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s Value> {
    let mut found = vec![schema];
    if let Some(pointer) = schema["$ref"].as_str().and_then(|name| name.strip_prefix('#'))
        && let Some(meant) = root.pointer(pointer)
    {
        found.extend(alternatives(root, meant));
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        let of = schema[key].as_array().into_iter().flatten();
        found.extend(of.flat_map(|schema| alternatives(root, schema)));
    }
    found
}

/// The keys that mappings of these schemas have, with what they mean.
pub(super) fn keys<'s>(of: &[&'s Value]) -> Vec<(&'s str, &'s str)> {
    let properties = of.iter().filter_map(|schema| schema["properties"].as_object()).flatten();
    properties.map(|(name, schema)| (name.as_str(), schema["description"].as_str().unwrap_or_default())).collect()
}

/// The values that these schemas name.
pub(super) fn values(of: &[&Value]) -> Vec<String> {
    let named = of.iter().filter_map(|schema| schema["enum"].as_array()).flatten();
    let mut values: Vec<String> =
        named.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
    if of.iter().any(|schema| schema["type"] == "boolean") {
        values.extend(["True", "False"].map(str::to_owned));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_of_each_kind() {
        let key = |name: &str| Some(name.to_owned());
        let keys_at = |schema: &Value, path: &[Option<String>]| {
            keys(&at(schema, path)).into_iter().map(|(key, _)| key.to_owned()).collect::<Vec<_>>()
        };
        let aten = schema_of(Path::new("/x/ATen/native/native_functions.yaml"), "").expect("a schema");
        assert!(keys_at(aten, &[None]).contains(&"func".to_owned()));
        assert!(keys_at(aten, &[None, key("dispatch")]).contains(&"CompositeExplicitAutograd".to_owned()));
        assert!(values(&at(aten, &[None, key("variants")])).contains(&"function, method".to_owned()));
        assert!(values(&at(aten, &[None, key("structured")])).contains(&"True".to_owned()));
        let graph = schema_of(Path::new("/x/ir.yaml"), "family: graph-ir\n").expect("a schema");
        assert_eq!(values(&at(graph, &[key("kind")])), ["nodes", "instructions"]);
        assert!(schema_of(Path::new("/x/ir.yaml"), "a: b\n").is_none());
    }
}

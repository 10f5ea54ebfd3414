//! What `model` says of operators, in the words of `tests/model/reference.py`.
//!
//! Invariant: the two write the same keys, so that their texts are equal if both models are.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use twox_hash::XxHash3_128;

use super::torch::run;

/// The lines that `model` prints with these arguments: the header and the things.
pub(crate) fn model(arguments: &[&str], dir: &Path) -> (Value, Vec<Value>) {
    let text = run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).arg("model").args(arguments).current_dir(dir));
    let mut lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    (lines.next().expect("a header"), lines.collect())
}

/// The texts of a list of strings, sorted.
fn sorted(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = all.collect();
    all.sort();
    all
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

/// Each operator by its name, in the words of the reference; in order.
pub(crate) fn operators(things: &[Value]) -> Vec<(String, Value)> {
    let of_kind = |kind: &str| -> BTreeMap<&str, &Value> {
        things.iter().filter(|thing| thing["kind"] == kind).map(|thing| (text(&thing["name"]), thing)).collect()
    };
    let (groups, view_groups) = (of_kind("group"), of_kind("view_group"));
    let members = |thing: &Value, kind: &str, all: &BTreeMap<&str, &Value>| -> Vec<String> {
        let to = list(thing, "relations").find(|relation| relation["kind"] == kind);
        let group = to.and_then(|relation| all.get(text(&relation["to"])));
        let relations = group.into_iter().flat_map(|group| list(group, "relations"));
        relations.map(|relation| format!("{} {}", text(&relation["kind"]), text(&relation["to"]))).collect()
    };
    let signatures = |thing: &Value, convention: &str, scoped: bool| {
        let own = list(thing, "signatures")
            .filter(|own| own["convention"] == convention && own["form"] != "redispatch" && own["absent"] != true);
        sorted(own.map(|own| {
            if scoped {
                format!("{} {}", text(&own["scope"]), text(&own["text"]))
            } else {
                text(&own["text"]).to_owned()
            }
        }))
    };
    let composite = [
        "implicit_autograd",
        "implicit_autograd_nested_tensor",
        "explicit_autograd",
        "explicit_autograd_non_functional",
    ];
    let operators = things.iter().filter(|thing| thing["kind"] == "operator");
    let facts = operators.map(|thing| {
        let facts = &thing["facts"];
        let words = json!({
            "name": thing["name"],
            "schema": thing["schema"],
            "kind": facts["schema_kind"],
            "variants": sorted(list(facts, "variants").map(|own| text(own).to_owned())),
            "tags": facts["tags"],
            "structured": facts["structured"],
            "structured_delegate": facts["structured_delegate"],
            "view": facts["view"],
            "autogen": facts["autogen"],
            "composite": composite.map(|key| &facts["composite"][key]),
            "group": members(thing, "group", &groups),
            "view_group": members(thing, "view_group", &view_groups),
            "cpp": signatures(thing, "cpp", true),
            "dispatcher": signatures(thing, "dispatcher", false),
            "native": signatures(thing, "native", true),
            // The reference has them of the out variant alone.
            "structured_signatures": match thing["facts"]["schema_kind"] == "out" {
                true => signatures(thing, "structured", true),
                false => Vec::new(),
            },
            "python": signatures(thing, "python", true),
        });
        (text(&thing["name"]).to_owned(), words)
    });
    facts.collect()
}

/// A line of the record: the operator, and the hash of its words.
pub(crate) fn recorded(name: &str, words: &Value) -> String {
    let hash = XxHash3_128::oneshot(words.to_string().as_bytes());
    format!("{name} {:012x}\n", hash >> 80)
}

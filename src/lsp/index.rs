//! What the program knows about a project: the facts that `model` prints, by name.
//!
//! Invariant: it is of the last state that had no error, so a place in it may have moved. Names are
//! looked up in the texts as they are now.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A declaration, as a line of `model`.
#[derive(Debug)]
pub(super) struct Thing {
    /// The name with its namespace.
    pub(super) name: String,
    /// The file that declares it; none if it is generated.
    pub(super) file: Option<PathBuf>,
    /// All that is known.
    pub(super) json: Value,
}

impl Thing {
    /// The name as the files have it, without a namespace.
    pub(super) fn short(&self) -> &str {
        short(&self.name)
    }

    /// A text of it.
    pub(super) fn text(&self, key: &str) -> &str {
        self.json[key].as_str().unwrap_or_default()
    }

    /// The members of a list.
    pub(super) fn list<'a>(&'a self, pointer: &str) -> impl Iterator<Item = &'a Value> {
        self.json.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
    }
}

fn short(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |(_, name)| name)
}

/// The declarations of a project.
#[derive(Debug, Default)]
pub(super) struct Index {
    things: Vec<Thing>,
    by_name: BTreeMap<String, Vec<usize>>,
}

impl Index {
    /// That of what `model` printed.
    pub(super) fn of(lines: &str) -> Index {
        let mut index = Index::default();
        for json in lines.lines().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let Some(name) = json["name"].as_str() else { continue };
            let is_group = json["kind"].as_str().is_some_and(|kind| kind.ends_with("group"));
            let file = json.pointer("/at/file").and_then(Value::as_str).map(PathBuf::from);
            let thing = Thing { name: name.to_owned(), file, json };
            if !is_group {
                index.by_name.entry(thing.short().to_owned()).or_default().push(index.things.len());
            }
            index.things.push(thing);
        }
        index
    }

    /// The declarations of a name, with or without a namespace.
    pub(super) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Thing> {
        let found = self.by_name.get(short(name)).into_iter().flatten().map(|at| &self.things[*at]);
        found.filter(move |thing| !name.contains("::") || thing.name == name)
    }

    /// The names of all declarations, without namespaces.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, &Thing)> {
        self.by_name.iter().filter_map(|(name, at)| Some((name.as_str(), &self.things[*at.first()?])))
    }

    /// The types of all parts.
    pub(super) fn types(&self) -> Vec<&str> {
        let mut types: Vec<&str> = self
            .things
            .iter()
            .flat_map(|thing| thing.list("/parts"))
            .filter_map(|part| part["type"].as_str())
            .collect();
        types.sort_unstable();
        types.dedup();
        types
    }

    /// The files that declare something.
    pub(super) fn files(&self) -> Vec<&Path> {
        let mut files: Vec<&Path> = self.things.iter().filter_map(|thing| thing.file.as_deref()).collect();
        let derivatives = self.things.iter().flat_map(|thing| thing.list("/facts/derivatives"));
        files.extend(derivatives.filter_map(|of| Some(Path::new(of.pointer("/at/file")?.as_str()?))));
        files.sort_unstable();
        files.dedup();
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_and_without_namespaces() {
        let index = Index::of(concat!(
            "{\"format\":1}\n",
            "{\"kind\":\"operator\",\"name\":\"a::f\",\"at\":{\"file\":\"/x.yaml\"},\"parts\":[{\"type\":\"int\"}]}\n",
            "{\"kind\":\"group\",\"name\":\"a::f\"}\n",
            "not JSON\n",
        ));
        let named = |name: &str| index.named(name).count();
        assert_eq!((named("f"), named("a::f"), named("b::f"), named("g")), (1, 1, 0, 0));
        assert_eq!((index.types(), index.files()), (vec!["int"], vec![Path::new("/x.yaml")]));
    }
}

//! What the program knows about a project: the facts that `model` prints, by name.
//!
//! Invariant: it is of the last state that had no error, so a place in it may have moved. Names are
//! looked up in the texts as they are now.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use super::words::short;

/// A declaration with all that is known about it.
#[derive(Debug)]
pub(super) struct Thing {
    /// The name with its namespace.
    pub(super) name: String,
    json: Value,
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

    /// A fact about it; null if it has no such fact.
    pub(super) fn fact(&self, key: &str) -> &Value {
        &self.json["facts"][key]
    }

    /// The members of a list.
    pub(super) fn list<'a>(&'a self, pointer: &str) -> impl Iterator<Item = &'a Value> {
        self.json.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
    }
}

/// The declarations of a project. A line is read when somebody asks about it: those of PyTorch
/// would take ten times their length in memory.
#[derive(Debug, Default)]
pub(super) struct Index {
    lines: String,
    by_name: BTreeMap<String, Vec<Line>>,
    /// The kernels, without namespaces, and what each is a kernel of.
    kernels: BTreeMap<String, Vec<String>>,
    types: Vec<String>,
    files: Vec<PathBuf>,
}

/// Where a line is, and what is read of it at once.
#[derive(Debug)]
struct Line {
    bytes: Range<usize>,
    schema: String,
}

/// What is read of a line at once.
#[derive(Deserialize)]
struct Read {
    kind: String,
    name: String,
    #[serde(default)]
    schema: String,
    at: Option<At>,
    #[serde(default)]
    parts: Vec<Part>,
    #[serde(default)]
    facts: Facts,
}

#[derive(Deserialize)]
struct At {
    file: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    of: Option<String>,
}

#[derive(Deserialize, Default)]
struct Facts {
    #[serde(default)]
    derivatives: Vec<Derivative>,
    #[serde(default)]
    dispatch: Vec<Kernel>,
}

#[derive(Deserialize)]
struct Kernel {
    function: Option<String>,
}

#[derive(Deserialize)]
struct Derivative {
    at: Option<At>,
}

impl Index {
    /// That of what `model` printed.
    pub(super) fn from_model_output(lines: String) -> Index {
        let mut index = Index::default();
        let mut end = 0;
        for line in lines.split_inclusive('\n') {
            let bytes = end..end + line.len();
            end = bytes.end;
            // The first one is the header.
            let Ok(read) = serde_json::from_str::<Read>(line) else { continue };
            for kernel in read.facts.dispatch.into_iter().filter_map(|kernel| kernel.function) {
                let of = index.kernels.entry(short(&kernel).to_owned()).or_default();
                if of.last() != Some(&read.name) {
                    of.push(read.name.clone());
                }
            }
            if !read.kind.ends_with("group") {
                let known = index.by_name.entry(short(&read.name).to_owned()).or_default();
                known.push(Line { bytes, schema: read.schema });
            }
            index.types.extend(read.parts.into_iter().filter_map(|part| part.of));
            let places = read.facts.derivatives.into_iter().map(|of| of.at).chain([read.at]);
            index.files.extend(places.flatten().filter_map(|at| at.file));
            if index.types.len() > 10_000 {
                index.tidy();
            }
        }
        index.tidy();
        index.lines = lines;
        index
    }

    fn tidy(&mut self) {
        self.types.sort_unstable();
        self.types.dedup();
        self.files.sort_unstable();
        self.files.dedup();
    }

    /// The declarations of a name, with or without a namespace.
    pub(super) fn things_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Thing> + 'a {
        let lines = self.by_name.get(short(name)).into_iter().flatten();
        let things = lines.filter_map(|line| {
            let json: Value = serde_json::from_str(&self.lines[line.bytes.clone()]).ok()?;
            Some(Thing { name: json["name"].as_str()?.to_owned(), json })
        });
        things.filter(move |thing| !name.contains("::") || thing.name == name)
    }

    /// The declarations that a C++ function is a kernel of; its name has no namespace.
    pub(super) fn with_kernel<'a>(&'a self, function: &str) -> impl Iterator<Item = Thing> + 'a {
        self.kernels.get(function).into_iter().flatten().flat_map(|name| self.things_named(name))
    }

    /// Whether a C++ function is a kernel of something.
    pub(super) fn is_kernel(&self, function: &str) -> bool {
        self.kernels.contains_key(function)
    }

    /// The names of all declarations, without namespaces, and the schema of each.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.by_name.iter().filter_map(|(name, lines)| Some((name.as_str(), lines.first()?.schema.as_str())))
    }

    /// The types of all parts.
    pub(super) fn types(&self) -> &[String] {
        &self.types
    }

    /// The files that declare something.
    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_and_without_namespaces() {
        let lines = concat!(
            "{\"format\":1}\n",
            "{\"kind\":\"operator\",\"name\":\"a::f\",\"at\":{\"file\":\"/x.yaml\"},\"parts\":[{\"type\":\"int\"}]}\n",
            "{\"kind\":\"group\",\"name\":\"a::f\"}\n",
            "{\"kind\":\"operator\",\"name\":\"a::h\",\"facts\":{\"dispatch\":[{\"function\":\"a::native::k\"},{\"function\":null}]}}\n",
            "not JSON\n",
        );
        let index = Index::from_model_output(lines.to_owned());
        let named = |name: &str| index.things_named(name).count();
        assert_eq!((named("f"), named("a::f"), named("b::f"), named("g")), (1, 1, 0, 0));
        assert_eq!((index.types(), index.files()), (&["int".to_owned()][..], &[PathBuf::from("/x.yaml")][..]));
        assert_eq!(index.names().collect::<Vec<_>>(), [("f", ""), ("h", "")]);
        assert_eq!(index.with_kernel("k").map(|thing| thing.name).collect::<Vec<_>>(), ["a::h"]);
        assert!(index.is_kernel("k") && !index.is_kernel("h"));
    }
}

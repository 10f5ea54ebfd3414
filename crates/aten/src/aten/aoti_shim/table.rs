//! The operators that get a shim, and the versions of the shims.
//!
//! Invariant: the versions of an operator's shim are numbered; the first is the oldest and takes
//! the fewest arguments. The table does not depend on the inputs.

use std::collections::BTreeMap;

use serde::Deserialize;

use torchgen_kit::driver::data;

/// The operators of one kind of shim, by name, in the order of their shims.
pub(crate) type Operators = BTreeMap<String, Entry>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    /// Called on a backend.
    pub(crate) fallback: Operators,
    /// Called through the dispatcher.
    pub(crate) through_dispatcher: Operators,
    optional_results: Vec<String>,
}

/// An operator.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The release that introduced its first version.
    since: Option<String>,
    #[serde(default)]
    versions: BTreeMap<u32, Version>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Version {
    new_arguments: Vec<String>,
    since: Option<String>,
}

/// An operator that is not in the table.
pub(crate) static UNLISTED: Entry = Entry { since: None, versions: BTreeMap::new() };

/// One version of an operator's shim.
pub(crate) struct ShimVersion<'a> {
    /// The suffix of its name after `_v`; empty for the first.
    pub version: Option<u32>,
    /// The release that introduced it, as a macro; `None` if it is older than these macros.
    pub since: Option<&'a str>,
    /// The arguments that were added later.
    pub(crate) without: Vec<&'a str>,
}

impl Entry {
    /// An operator whose first version is of that release, with its later versions: each has a
    /// number, the arguments that it added, and its release.
    pub fn new(since: Option<String>, later: Vec<(u32, Vec<String>, Option<String>)>) -> Entry {
        let version = |(number, new_arguments, since)| (number, Version { new_arguments, since });
        Entry { since, versions: later.into_iter().map(version).collect() }
    }

    /// The versions, newest first.
    pub(crate) fn forms(&self) -> Vec<ShimVersion<'_>> {
        let mut forms = Vec::with_capacity(self.versions.len() + 1);
        let mut without: Vec<&str> = Vec::new();
        for (&number, version) in self.versions.iter().rev() {
            forms.push(ShimVersion {
                version: Some(number),
                since: version.since.as_deref(),
                without: without.clone(),
            });
            without.extend(version.new_arguments.iter().map(String::as_str));
        }
        forms.push(ShimVersion { version: None, since: self.since.as_deref(), without });
        forms
    }
}

impl Table {
    /// The caller may pass null pointers for results of the operator of that name.
    pub(crate) fn has_optional_results(&self, unambiguous_name: &str) -> bool {
        self.optional_results.iter().any(|part| unambiguous_name.contains(part.as_str()))
    }
}

impl data::Table for Table {
    const PATH: &'static str = "torch/aoti_fallback_ops.yaml";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_table() {
        let table: &Table = data::Tables::embedded().get();
        for (name, entry) in table.fallback.iter().chain(&table.through_dispatcher) {
            assert_eq!(name.split('.').count(), 3, "{name}");
            for form in entry.forms() {
                let release = form.since.map(|since| since.strip_prefix("TORCH_VERSION_").unwrap_or(""));
                let numbers = release.map(|release| release.split('_').filter(|n| n.parse::<u32>().is_ok()).count());
                assert_eq!(numbers.unwrap_or(3), 3, "{name}: {:?}", form.since);
                assert_ne!(form.version, Some(1), "{name}: the first form has no number");
            }
        }
    }

    #[test]
    fn forms() {
        let yaml = "{since: A, versions: {2: {new_arguments: [x]}, 3: {new_arguments: [y, z], since: B}}}";
        let entry: Entry = serde_yaml::from_str(yaml).unwrap();
        let forms: Vec<_> = entry.forms().into_iter().map(|f| (f.version, f.since, f.without)).collect();
        let expected =
            [(Some(3), Some("B"), vec![]), (Some(2), None, vec!["y", "z"]), (None, Some("A"), vec!["y", "z", "x"])];
        assert_eq!(forms, expected);
    }
}

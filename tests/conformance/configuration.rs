//! The suite as data: the records of `configurations.yaml`.
//!
//! Invariant: names are unique, every `tree` exists, and each kind of configuration has a live one,
//! checked on loading.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::records;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Suite {
    pub(crate) wheel: Wheel,
    /// Prefixes of test names -> the generator that those tests still need. The tests are ignored,
    /// and run with `--include-ignored`.
    #[serde(default)]
    pub(crate) awaits: BTreeMap<String, String>,
    pub(crate) trees: BTreeMap<String, Tree>,
    pub(crate) configurations: Vec<Configuration>,
    pub(crate) headers: Vec<HeadersCheck>,
    pub(crate) errors: Vec<ErrorsCheck>,
    pub(crate) together: Vec<TogetherCheck>,
}

impl Suite {
    /// Whether this test needs a generator that does not exist yet.
    pub(crate) fn waits(&self, name: &str) -> bool {
        self.awaits.keys().any(|beginning| name.starts_with(beginning.as_str()))
    }
}

/// The download.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wheel {
    /// The requirement, with its exact version.
    pub(crate) pin: String,
    pub(crate) file: String,
    pub(crate) sha256: String,
    /// The packages that the reference imports, with exact versions.
    pub(crate) requirements: Vec<String>,
}

impl Wheel {
    /// The version of torch, which names the directory of its records.
    pub(crate) fn version(&self) -> &str {
        self.pin.rsplit("==").next().unwrap_or(&self.pin)
    }
}

/// Inputs laid out in a working directory.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tree {
    /// The tree to lay out first, if any.
    pub(crate) base: Option<String>,
    /// Path in the working directory -> source: `wheel/...` is the unpacked wheel, `here/...` this
    /// folder, `tree/...` a path that is laid out already.
    #[serde(default)]
    pub(crate) copy: BTreeMap<String, String>,
    /// Path in the working directory -> directory `here/...`, of which only the files that the runs
    /// name are laid out, so that a new file there is not an input of all the others.
    #[serde(default, skip_serializing)]
    pub(crate) named: BTreeMap<String, String>,
    /// Texts put at the end of a file that is laid out already.
    #[serde(default)]
    pub(crate) append: BTreeMap<String, String>,
    /// Texts put at the beginning of a file that is laid out already.
    #[serde(default)]
    pub(crate) prepend: BTreeMap<String, String>,
}

/// One comparison with the reference.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Configuration {
    pub(crate) name: String,
    pub(crate) tree: String,
    pub(crate) runs: Vec<Run>,
    /// Whether the reference runs in each test, as a check of the records of this kind.
    #[serde(default)]
    pub(crate) live: bool,
}

/// One comparison with headers of the wheel.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeadersCheck {
    pub(crate) name: String,
    pub(crate) tree: String,
    pub(crate) runs: Vec<Run>,
    /// Output directory -> directory of the wheel.
    pub(crate) compare: BTreeMap<String, String>,
    /// Our outputs that the wheel does not ship.
    #[serde(default)]
    pub(crate) not_shipped: Vec<String>,
    /// Shipped at a path of our outputs, but written by hand.
    #[serde(default)]
    pub(crate) by_hand: Vec<String>,
    /// The number of files on both sides together.
    pub(crate) identical: usize,
}

/// A file of the reference's inputs with errors: the expected messages; no file may change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorsCheck {
    pub(crate) name: String,
    pub(crate) tree: String,
    /// The file that is edited.
    pub(crate) file: String,
    /// Texts that occur in the file, and the replacement of the first occurrence.
    pub(crate) edits: Vec<(String, String)>,
    pub(crate) run: Run,
    /// The lines with messages and places, without the excerpts.
    pub(crate) says: Vec<String>,
}

/// One run that does the jobs of several.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TogetherCheck {
    pub(crate) name: String,
    pub(crate) tree: String,
    pub(crate) run: Run,
    /// The configuration whose outputs are in the working directory.
    pub(crate) here: String,
    /// A directory in the working directory -> the configuration whose outputs are below it.
    pub(crate) below: BTreeMap<String, String>,
}

/// One command line: a subcommand and its flags, split at blanks, `''` for an empty value.
#[derive(Clone, Deserialize, Serialize)]
#[serde(try_from = "String")]
pub(crate) struct Run {
    pub(crate) entry: String,
    pub(crate) flags: Vec<String>,
}

impl TryFrom<String> for Run {
    type Error = String;

    fn try_from(line: String) -> Result<Run, String> {
        let mut words = line.split_whitespace().map(|word| if word == "''" { "" } else { word }.to_owned());
        let entry = words.next().ok_or("a run must name its entry point")?;
        Ok(Run { entry, flags: words.collect() })
    }
}

/// Reads the file and checks what its types cannot express.
pub(crate) fn load(path: &Path) -> Result<Suite, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let suite: Suite = serde_yaml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut names = BTreeSet::new();
    let configurations = suite.configurations.iter().map(|record| (&record.name, &record.tree));
    let headers = suite.headers.iter().map(|record| (&record.name, &record.tree));
    let errors = suite.errors.iter().map(|record| (&record.name, &record.tree));
    let together = suite.together.iter().map(|record| (&record.name, &record.tree));
    for (name, tree) in configurations.chain(headers).chain(errors).chain(together) {
        if !names.insert(name) {
            return Err(format!("{}: two configurations are called {name}", path.display()));
        }
        if !suite.trees.contains_key(tree) {
            return Err(format!("{}: {name}: there is no tree `{tree}`", path.display()));
        }
    }
    let kind = |configuration: &Configuration| records::split(&configuration.name).0.to_owned();
    let live: BTreeSet<String> = suite.configurations.iter().filter(|c| c.live).map(kind).collect();
    match suite.configurations.iter().map(kind).find(|kind| !live.contains(kind)) {
        Some(kind) => Err(format!("{}: mark a configuration of {kind}/ with `live: true`", path.display())),
        None => Ok(suite),
    }
}

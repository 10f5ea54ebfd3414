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
    /// Older versions, the oldest first. See [`Configuration::every_version`].
    #[serde(default)]
    pub(crate) older: Vec<OlderWheel>,
    /// Prefixes of test names -> the generator that those tests still need. The tests are ignored,
    /// and run with `--include-ignored`.
    #[serde(default)]
    pub(crate) awaits: BTreeMap<String, String>,
    pub(crate) trees: BTreeMap<String, Tree>,
    /// Trees -> those that older versions need in their place.
    #[serde(default)]
    pub(crate) older_trees: BTreeMap<String, String>,
    pub(crate) configurations: Vec<Configuration>,
    pub(crate) headers: Vec<HeadersCheck>,
    pub(crate) errors: Vec<ErrorsCheck>,
    pub(crate) together: Vec<TogetherCheck>,
}

impl Suite {
    /// The suite of an older version: what is compared for every one.
    pub(crate) fn of(&self, older: &OlderWheel) -> Suite {
        let OlderWheel { pin, file, sha256, megabytes } = older.clone();
        let requirements = self.wheel.requirements.clone();
        let compared = self.configurations.iter().filter(|configuration| configuration.every_version);
        let configurations = compared.map(|kept| Configuration {
            live: false,
            tree: self.older_trees.get(&kept.tree).unwrap_or(&kept.tree).clone(),
            ..kept.clone()
        });
        Suite {
            wheel: Wheel { pin, file, sha256, requirements, megabytes, parts: Parts::Torchgen },
            older: Vec::new(),
            awaits: BTreeMap::new(),
            trees: self.trees.clone(),
            older_trees: BTreeMap::new(),
            configurations: configurations.collect(),
            headers: Vec::new(),
            errors: Vec::new(),
            together: Vec::new(),
        }
    }

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
    /// The size of the download.
    #[serde(skip_serializing)]
    pub(crate) megabytes: u32,
    /// What is unpacked.
    #[serde(default, skip_serializing)]
    pub(crate) parts: Parts,
}

/// The download of an older version, with the requirements of the newest one.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OlderWheel {
    pin: String,
    file: String,
    sha256: String,
    megabytes: u32,
}

/// The parts of a wheel that are unpacked.
#[derive(Clone, Copy, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Parts {
    /// All that a test reads.
    #[default]
    All,
    /// The reference and its inputs.
    Torchgen,
}

impl Parts {
    /// The name that `fetch.py` has for them.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Parts::All => "all",
            Parts::Torchgen => "torchgen",
        }
    }
}

impl Wheel {
    /// The version of torch, which names the directory of its records.
    pub(crate) fn version(&self) -> &str {
        self.pin.rsplit("==").next().unwrap_or(&self.pin)
    }
}

/// Inputs laid out in a working directory.
#[derive(Clone, Deserialize, Serialize)]
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
    /// Directories of templates whose holes are moved into lines, see [`super::in_line`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) in_line: Vec<String>,
}

/// One comparison with the reference.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Configuration {
    pub(crate) name: String,
    pub(crate) tree: String,
    pub(crate) runs: Vec<Run>,
    /// Whether the reference runs in each test, as a check of the records of this kind.
    #[serde(default)]
    pub(crate) live: bool,
    /// Whether older versions are compared too, each with its own reference.
    #[serde(default)]
    pub(crate) every_version: bool,
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
    if let Some(missing) = suite.older_trees.values().find(|tree| !suite.trees.contains_key(*tree)) {
        return Err(format!("{}: there is no tree `{missing}`", path.display()));
    }
    let kind = |configuration: &Configuration| records::split(&configuration.name).0.to_owned();
    let live: BTreeSet<String> = suite.configurations.iter().filter(|c| c.live).map(kind).collect();
    match suite.configurations.iter().map(kind).find(|kind| !live.contains(kind)) {
        Some(kind) => Err(format!("{}: mark a configuration of {kind}/ with `live: true`", path.display())),
        None => Ok(suite),
    }
}

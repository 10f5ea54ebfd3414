//! One invocation: what it was made from and what it made.
//!
//! As text, one line of JSON. Paths are as they were typed, so a record serves only a run that types the same in the same directory. A path
//! that is not Unicode makes a record that is not kept.
//!
//! Invariant: outputs lie below their directory, whatever a file says. Deliberately absent: the texts of inputs and outputs.

use std::path::{Path, PathBuf};

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use super::observation::Observation;
use crate::write::list::Listed;
use crate::write::paths;
use crate::write::stamp::{Entry, Hash, Identity, Moment, Verdict};

/// Outputs are looked at in parallel, this many at a time.
const CHUNK: usize = 64;

/// What is remembered of an invocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// What was typed, and where.
    pub typed: Hash,
    /// The run told more than faults.
    pub verbose: bool,
    /// The program.
    pub tool: Identity,
    /// What it saw of the file system, in order.
    pub seen: Vec<Observation>,
    /// Directories that replace templates; lists of outputs have some too.
    pub overlays: Vec<PathBuf>,
    /// Where files went.
    pub installs: Vec<Install>,
    /// The files, in the order in which they are listed.
    pub outputs: Vec<Output>,
    /// Files of earlier runs that this one did not make.
    pub stale: Vec<Output>,
    /// What it had to say, in a form that only the jobs know.
    pub messages: Vec<serde_json::Value>,
}

/// A directory that files go to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Install {
    /// The directory, as typed.
    pub dir: PathBuf,
    /// The same, from the root.
    pub place: PathBuf,
    /// What the name of its list of files begins with; `None` if there is no list.
    pub list_prefix: Option<String>,
}

/// A file that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Output {
    /// The index of its directory.
    pub install: usize,
    /// Its path below the directory.
    pub path: PathBuf,
    /// Whether lists name it.
    pub listed: bool,
    /// What it was when it was made.
    pub entry: Entry,
}

/// Whether a record still holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// It does, by the stamps.
    Fresh,
    /// It does, but so many files had to be compared; the record knows their stamps now.
    Compared(usize),
    /// The file is not what it was.
    Changed(PathBuf),
}

impl Record {
    /// Where an output is, spelled as typed.
    pub(crate) fn path(&self, output: &Output) -> PathBuf {
        self.installs[output.install].dir.join(&output.path)
    }

    /// Where an output is, from the root.
    pub(crate) fn place(&self, output: &Output) -> PathBuf {
        self.installs[output.install].place.join(&output.path)
    }

    /// What the lists of outputs name.
    pub(crate) fn lists(&self) -> Vec<Listed> {
        let lists = self.installs.iter().enumerate();
        let lists = lists.filter_map(|(index, install)| Some((index, install.list_prefix.clone()?)));
        let paths = |index| {
            let outputs = self.outputs.iter().filter(move |output| output.install == index && output.listed);
            outputs.map(|output| self.path(output)).collect()
        };
        lists.map(|(index, prefix)| Listed { prefix, paths: paths(index) }).collect()
    }

    /// The bytes of all outputs.
    pub(crate) fn bytes(&self) -> u64 {
        self.outputs.iter().map(|output| output.entry.size).fold(0, u64::saturating_add)
    }

    /// The inputs that a depfile names.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.seen.iter().filter_map(Observation::named)
    }

    /// Looks whether inputs are what they were, and, if wanted, outputs.
    pub(crate) fn check(&mut self, tool: &Path, with_outputs: bool) -> Freshness {
        let mut compared = 0;
        if !std::fs::metadata(tool).is_ok_and(|metadata| self.tool == Identity::of(&metadata)) {
            return Freshness::Changed(tool.to_owned());
        }
        for observation in &mut self.seen {
            match observation.check() {
                Verdict::Same => {}
                Verdict::Compared(_) => compared += 1,
                Verdict::Changed => return Freshness::Changed(observation.path().to_owned()),
            }
        }
        if with_outputs {
            let verdict = |output: &Output| output.entry.check(&self.path(output));
            let verdicts: Vec<Verdict> = self.outputs.par_iter().with_min_len(CHUNK).map(verdict).collect();
            for (index, verdict) in verdicts.into_iter().enumerate() {
                match verdict {
                    Verdict::Same => {}
                    Verdict::Compared(entry) => {
                        compared += 1;
                        self.outputs[index].entry = entry;
                    }
                    Verdict::Changed => return Freshness::Changed(self.path(&self.outputs[index])),
                }
            }
        }
        if compared == 0 { Freshness::Fresh } else { Freshness::Compared(compared) }
    }

    /// Forgets the stamps that do not tell later changes: for what was read, changes since the run began, for what it wrote, since it ended.
    pub(crate) fn settle(&mut self, began: Moment, ended: Moment) {
        self.seen.iter_mut().for_each(|observation| observation.settle(began));
        self.outputs.iter_mut().for_each(|output| output.entry.settle(ended));
    }

    /// The text; `None` if a path is not Unicode.
    pub(super) fn to_text(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }

    /// Reads the text; `None` if anything about it is not as it should be.
    pub(super) fn parse(text: &str) -> Option<Record> {
        let record: Record = serde_json::from_str(text).ok()?;
        let is_below = |output: &Output| {
            let path = output.path.to_str().and_then(paths::below);
            output.install < record.installs.len() && path.is_some_and(|path| path == output.path)
        };
        record.outputs.iter().chain(&record.stale).all(is_below).then_some(record)
    }
}

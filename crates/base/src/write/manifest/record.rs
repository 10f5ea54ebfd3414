//! The record of an invocation: its inputs and its outputs.
//!
//! A record is one line of JSON. Paths are as they were typed, so a record serves only a run with
//! the same arguments in the same directory. A record with a path that is not Unicode is not kept.
//!
//! Invariant: outputs lie below their directory, whatever a file says. The texts of inputs and
//! outputs are not stored.

use std::path::{Path, PathBuf};

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use super::observation::Observation;
use crate::write::list::Listed;
use crate::write::paths;
use crate::write::stamp::{Entry, Hash, Identity, Moment, Verdict};

/// The number of outputs in a unit of parallel work.
const CHUNK: usize = 64;

/// The record of an invocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The command line and its directory.
    pub typed: Hash,
    /// The same without what selects operators.
    pub kin: Hash,
    /// The program.
    pub tool: Identity,
    /// What it observed in the file system, in order.
    pub seen: Vec<Observation>,
    /// Directories of overlay templates; lists of outputs have templates too.
    pub overlays: Vec<PathBuf>,
    /// The install directories.
    pub installs: Vec<Install>,
    /// The files, in the order of the lists.
    pub outputs: Vec<Output>,
    /// Files from earlier runs that this one did not generate.
    pub stale: Vec<Output>,
    /// Its diagnostics, in a form that only the jobs interpret.
    pub messages: Vec<serde_json::Value>,
}

/// An install directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// The directory, as typed.
    pub dir: PathBuf,
    /// The same as an absolute path.
    pub place: PathBuf,
    /// The prefix of the name of its list; `None` if there is no list.
    pub list_prefix: Option<String>,
}

/// A generated file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The index of its directory.
    pub install: usize,
    /// Its path below the directory.
    pub path: PathBuf,
    /// Whether lists name it.
    pub listed: bool,
    /// Its state after it was written.
    pub entry: Entry,
}

/// Whether a record is still valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Freshness {
    /// It is, by the stamps.
    Fresh,
    /// It is, but this many files had to be compared; the record has their stamps now.
    Compared(usize),
    /// The file has changed.
    Changed(PathBuf),
}

impl Record {
    /// The path of an output, as typed.
    pub fn path(&self, output: &Output) -> PathBuf {
        self.installs[output.install].dir.join(&output.path)
    }

    /// The absolute path of an output.
    pub fn place(&self, output: &Output) -> PathBuf {
        self.installs[output.install].place.join(&output.path)
    }

    /// The contents of the lists of outputs.
    pub fn lists(&self) -> Vec<Listed> {
        let lists = self.installs.iter().enumerate();
        let lists = lists.filter_map(|(index, install)| Some((index, install.list_prefix.clone()?)));
        let paths = |index| {
            let outputs = self.outputs.iter().filter(move |output| output.install == index && output.listed);
            outputs.map(|output| self.path(output)).collect()
        };
        lists.map(|(index, prefix)| Listed { prefix, paths: paths(index) }).collect()
    }

    /// The total size of all outputs in bytes.
    pub fn bytes(&self) -> u64 {
        self.outputs.iter().map(|output| output.entry.size).fold(0, u64::saturating_add)
    }

    /// The inputs that a depfile lists.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.seen.iter().filter_map(Observation::named_path)
    }

    /// Checks whether the program, the inputs and, if requested, the outputs are unchanged. `tool`
    /// is the program's file.
    pub fn verify_unchanged(&mut self, tool: &Path, identity: Identity, with_outputs: bool) -> Freshness {
        let mut compared = 0;
        if self.tool != identity {
            return Freshness::Changed(tool.to_owned());
        }
        for observation in &mut self.seen {
            match observation.observe_again() {
                Verdict::Same => {}
                Verdict::Compared(_) => compared += 1,
                Verdict::Changed => return Freshness::Changed(observation.path().to_owned()),
            }
        }
        if with_outputs {
            let verdict = |output: &Output| output.entry.verify_unchanged(&self.path(output));
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

    /// Drops the stamps that do not reveal later changes: for inputs, changes since the run began;
    /// for outputs, since it ended.
    pub fn settle(&mut self, began: Moment, ended: Moment) {
        self.seen.iter_mut().for_each(|observation| observation.settle(began));
        self.outputs.iter_mut().for_each(|output| output.entry.settle(ended));
    }

    /// The text; `None` if a path is not Unicode.
    pub(super) fn to_text(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }

    /// Parses a record; `None` if anything in it is invalid.
    pub(super) fn parse(text: &str) -> Option<Record> {
        let record: Record = serde_json::from_str(text).ok()?;
        let is_below = |output: &Output| {
            let path = output.path.to_str().and_then(paths::below);
            output.install < record.installs.len() && path.is_some_and(|path| path == output.path)
        };
        record.outputs.iter().chain(&record.stale).all(is_below).then_some(record)
    }
}

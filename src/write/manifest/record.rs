//! One invocation: what it was made from and what it made.
//!
//! As text, a line per fact, its parts between tabs. Paths stand as they were typed, so a record serves only a run that types the same in the
//! same directory; one that does not is made anew. A path that a line cannot hold makes a record that is not kept.
//!
//! Invariant: outputs lie below their directory, whatever a file says. Deliberately absent: the texts of inputs and outputs.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::observation::Observation;
use crate::write::list::Listed;
use crate::write::paths;
use crate::write::stamp::{Entry, Hash, Identity, Moment, Stamp, Verdict};

/// Outputs are looked at in parallel, this many at a time.
const CHUNK: usize = 64;

/// What is remembered of an invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
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
    /// What it had to say, in a form that only the jobs know. Each is one line.
    pub messages: Vec<String>,
}

/// A directory that files go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Install {
    /// The directory, as typed.
    pub dir: PathBuf,
    /// The same, from the root.
    pub place: PathBuf,
    /// What the name of its list of files begins with; `None` if there is no list.
    pub list_prefix: Option<String>,
}

/// A file that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
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
pub enum Freshness {
    /// It does, by the stamps.
    Fresh,
    /// It does, but so many files had to be compared; the record knows their stamps now.
    Compared(usize),
    /// The file is not what it was.
    Changed(PathBuf),
}

impl Record {
    /// Where an output is, spelled as typed.
    pub fn path(&self, output: &Output) -> PathBuf {
        self.installs[output.install].dir.join(&output.path)
    }

    /// Where an output is, from the root.
    pub fn place(&self, output: &Output) -> PathBuf {
        self.installs[output.install].place.join(&output.path)
    }

    /// What the lists of outputs name.
    pub fn lists(&self) -> Vec<Listed> {
        let lists = self.installs.iter().enumerate();
        let lists = lists.filter_map(|(index, install)| Some((index, install.list_prefix.clone()?)));
        let paths = |index| {
            let outputs = self.outputs.iter().filter(move |output| output.install == index && output.listed);
            outputs.map(|output| self.path(output)).collect()
        };
        lists.map(|(index, prefix)| Listed { prefix, paths: paths(index) }).collect()
    }

    /// The bytes of all outputs.
    pub fn bytes(&self) -> u64 {
        self.outputs.iter().map(|output| output.entry.size).fold(0, u64::saturating_add)
    }

    /// The inputs that a depfile names.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.seen.iter().filter_map(Observation::named)
    }

    /// Looks whether inputs are what they were, and, if wanted, outputs.
    pub fn check(&mut self, tool: &Path, with_outputs: bool) -> Freshness {
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
    pub fn settle(&mut self, began: Moment, ended: Moment) {
        self.seen.iter_mut().for_each(|observation| observation.settle(began));
        self.outputs.iter_mut().for_each(|output| output.entry.settle(ended));
    }

    /// The text; `None` if a line cannot hold a path.
    pub(super) fn to_text(&self) -> Option<String> {
        let mut text = String::with_capacity(160 * (self.outputs.len() + self.seen.len() + 8));
        let _ = writeln!(text, "typed\t{:032x}\t{}", self.typed.0, u8::from(self.verbose));
        let _ = writeln!(text, "tool\t{} {}", self.tool.size, stamp_text(&self.tool.stamp));
        for observation in &self.seen {
            observation.write(&mut text)?;
        }
        for dir in &self.overlays {
            let _ = writeln!(text, "overlay\t{}", path_text(dir)?);
        }
        for install in &self.installs {
            let list = install.list_prefix.as_ref().map_or("-".to_owned(), |prefix| format!("+{prefix}"));
            let (dir, place) = (path_text(&install.dir)?, path_text(&install.place)?);
            let _ = writeln!(text, "install\t{}\t{dir}\t{place}", line_text(&list)?);
        }
        for (mark, outputs) in [("output", &self.outputs), ("stale", &self.stale)] {
            for Output { install, path, listed, entry } in outputs {
                let (listed, path) = (u8::from(*listed), path_text(path)?);
                let _ = writeln!(text, "{mark}\t{install}\t{listed}\t{}\t{path}", entry_text(entry));
            }
        }
        for message in &self.messages {
            let _ = writeln!(text, "message\t{}", line_text(message)?);
        }
        Some(text)
    }

    /// Reads the text; `None` if anything about it is not as it should be.
    pub(super) fn parse(text: &str) -> Option<Record> {
        let mut lines = text.strip_suffix('\n')?.split('\n').map(|line| line.split('\t')).peekable();
        let mut typed = lines.next()?;
        let mut tool = lines.next()?;
        let mut record = Record {
            typed: (typed.next()? == "typed").then(|| hash(typed.next()))??,
            verbose: flag(typed.next())?,
            tool: (tool.next()? == "tool").then(|| identity(tool.next()))??,
            seen: Vec::new(),
            overlays: Vec::new(),
            installs: Vec::new(),
            outputs: Vec::new(),
            stale: Vec::new(),
            messages: Vec::new(),
        };
        for mut parts in lines {
            match parts.next()? {
                "overlay" => record.overlays.push(parts.next()?.into()),
                "install" => {
                    let list_prefix = match parts.next()? {
                        "-" => None,
                        list => Some(list.strip_prefix('+')?.to_owned()),
                    };
                    let (dir, place) = (parts.next()?.into(), parts.next()?.into());
                    record.installs.push(Install { list_prefix, dir, place });
                }
                "output" => record.outputs.push(output(&mut parts, record.installs.len())?),
                "stale" => record.stale.push(output(&mut parts, record.installs.len())?),
                "message" => record.messages.push(parts.next()?.to_owned()),
                mark => record.seen.push(Observation::parse(mark, &mut parts)?),
            }
            if parts.next().is_some() {
                return None;
            }
        }
        Some(record)
    }
}

fn output<'t>(parts: &mut impl Iterator<Item = &'t str>, installs: usize) -> Option<Output> {
    let install = parts.next()?.parse().ok().filter(|install| *install < installs)?;
    Some(Output {
        install,
        listed: flag(parts.next())?,
        entry: entry(parts.next())?,
        path: paths::below(parts.next()?)?,
    })
}

/// A text that fits a part of a line.
fn line_text(text: &str) -> Option<&str> {
    (!text.contains(['\t', '\n'])).then_some(text)
}

/// A path that fits a part of a line.
pub(super) fn path_text(path: &Path) -> Option<&str> {
    path.to_str().and_then(line_text)
}

pub(super) fn entry_text(entry: &Entry) -> String {
    let Entry { size, hash, stamp } = entry;
    match stamp {
        Some(stamp) => format!("{size} {:032x} {}", hash.0, stamp_text(stamp)),
        None => format!("{size} {:032x}", hash.0),
    }
}

fn stamp_text(Stamp { modified, changed, inode }: &Stamp) -> String {
    format!("{modified} {changed} {inode}")
}

fn stamp<'t>(words: &mut impl Iterator<Item = &'t str>) -> Option<Stamp> {
    let (modified, changed) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some(Stamp { modified, changed, inode: words.next()?.parse().ok()? })
}

fn identity(text: Option<&str>) -> Option<Identity> {
    let mut words = text?.split(' ');
    let identity = Identity { size: words.next()?.parse().ok()?, stamp: stamp(&mut words)? };
    words.next().is_none().then_some(identity)
}

pub(super) fn entry(text: Option<&str>) -> Option<Entry> {
    let mut words = text?.split(' ').peekable();
    let (size, hash) = (words.next()?.parse().ok()?, hash(words.next())?);
    let stamp = match words.peek() {
        None => None,
        Some(_) => Some(stamp(&mut words)?),
    };
    words.next().is_none().then_some(Entry { size, hash, stamp })
}

pub(super) fn hash(text: Option<&str>) -> Option<Hash> {
    let text = text.filter(|text| text.len() == 32)?;
    u128::from_str_radix(text, 16).ok().map(Hash)
}

pub(super) fn flag(text: Option<&str>) -> Option<bool> {
    match text? {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

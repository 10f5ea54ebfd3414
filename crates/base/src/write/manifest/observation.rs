//! What a run observed in its environment: bytes of files, names in directories, what exists, and
//! environment variables.
//!
//! Jobs read through [`Seen`], so a run with the same observations would do the same. Invariant: an
//! observation was true before its result was returned, so that the next run notices a change
//! during the run.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::kind::PathKind;
use super::tree::{Tree, Trees};
use crate::write::stamp::{Entry, Hash, Moment, Verdict};

/// An observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Observation {
    /// A file's bytes.
    File {
        /// The file.
        path: PathBuf,
        /// Its state.
        entry: Entry,
        /// Whether a depfile lists it.
        named: bool,
    },
    /// The kind of a path.
    Kind {
        /// The path.
        path: PathBuf,
        /// Its kind.
        kind: PathKind,
        /// Whether a depfile lists the directory in which it would appear, if it is missing.
        named: bool,
    },
    /// The names in a directory, and which are directories.
    Names {
        /// The directory.
        path: PathBuf,
        /// The hash of the sorted names.
        hash: Hash,
    },
    /// The value of an environment variable.
    Variable {
        /// Its name.
        path: PathBuf,
        /// The hash of its value; an unset one has that of an empty one.
        hash: Hash,
    },
}

/// The directories that depfiles list: those that were searched, each once, in order. Directories
/// to which the run itself writes are omitted, since they would be newer than its outputs after
/// every run.
pub fn directories(seen: &[Observation], outputs: &[PathBuf]) -> Vec<PathBuf> {
    let real = |path: &Path| path.canonicalize().ok();
    let mut written: BTreeSet<PathBuf> = BTreeSet::new();
    for dir in outputs.iter().filter_map(|path| path.parent()) {
        // Creating a directory also changes its parent.
        if written.insert(dir.to_owned()) {
            written.extend(dir.parent().map(Path::to_owned));
        }
    }
    let written: BTreeSet<PathBuf> = written.iter().filter_map(|dir| real(dir)).collect();
    let mut directories: Vec<PathBuf> = Vec::new();
    for dir in seen.iter().filter_map(Observation::directory) {
        let fresh = !directories.iter().any(|known| known == dir);
        if fresh && real(dir).is_some_and(|real| !written.contains(&real)) {
            directories.push(dir.to_owned());
        }
    }
    directories
}

/// The observations of a run.
#[derive(Debug, Default)]
pub struct Seen {
    list: Vec<Observation>,
    /// The kinds in the list. A run often examines a path more than once.
    kinds: FxHashSet<(PathBuf, PathKind, bool)>,
    /// The bytes read from pipes, which can be read only once.
    pipes: Vec<(PathBuf, Vec<u8>)>,
    /// Whether something was observed that cannot be observed again, such as a pipe.
    fleeting: bool,
    /// Files that are not in the file system.
    trees: Trees,
    /// Texts that replace those of files, by absolute path.
    texts: Texts,
}

/// Texts that replace those of files, by absolute path: what an editor has not saved.
pub type Texts = Arc<BTreeMap<PathBuf, Arc<String>>>;

/// The maximum size of an input in bytes: hundreds of times the largest known.
const LARGEST: u64 = 256 << 20;

impl Seen {
    /// Shows the files of a tree as if they were in the file system: paths that begin with the
    /// prefix are the rest of their text in the tree. A later run cannot repeat what is seen there.
    pub fn mount(&mut self, prefix: String, tree: Box<dyn Tree>) {
        self.fleeting = true;
        self.trees.add(prefix, tree);
    }

    /// Shows texts in place of files. A later run cannot repeat what is seen there.
    pub fn show(&mut self, texts: Texts) {
        self.fleeting |= !texts.is_empty();
        self.texts = texts;
    }

    /// The text that is shown in place of a file.
    fn shown(&self, path: &Path) -> Option<&Arc<String>> {
        if self.texts.is_empty() {
            return None;
        }
        let found = std::path::absolute(path).ok().and_then(|path| self.texts.get(&path));
        found.or_else(|| self.texts.get(&path.canonicalize().ok()?))
    }

    /// The bytes of a file, which depfiles list.
    pub fn read_file(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_and_note(path, true)
    }

    /// Records a file that others read, or its absence.
    pub fn watch(&mut self, path: &Path) {
        if PathKind::at(path) == PathKind::Other {
            // Reading it would block.
            self.fleeting = true;
        } else if self.read_and_note(path, false).is_err() {
            self.kind(path);
        }
    }

    /// Whether the path is a file, links followed.
    pub fn is_file(&mut self, path: &Path) -> bool {
        self.kind(path) == PathKind::File
    }

    /// Whether the path is a directory, links followed.
    pub fn is_dir(&mut self, path: &Path) -> bool {
        self.kind(path) == PathKind::Directory
    }

    /// The file or directory that a path names, links followed: two paths are of the same one if
    /// these are equal. A path to nothing is itself.
    pub fn identity(&self, path: &Path) -> PathBuf {
        if let Some(path) = self.trees.identity(path) {
            return path;
        }
        // What is at the path is recorded when it is read.
        path.canonicalize().unwrap_or_else(|_| path.to_owned())
    }

    /// Whether the path is neither a file nor a directory but, for example, a pipe, links followed.
    pub fn is_other(&mut self, path: &Path) -> bool {
        // A file is recorded when it is read.
        self.trees.kind(path).unwrap_or_else(|| PathKind::at(path)) == PathKind::Other
    }

    /// Whether the path exists, links followed.
    pub fn exists(&mut self, path: &Path) -> bool {
        self.kind(path) != PathKind::Nothing
    }

    /// The paths in a directory, sorted, and whether each is a directory, links followed.
    pub fn entries(&mut self, dir: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
        if let Some(entries) = self.trees.entries(dir) {
            return entries;
        }
        let entries = entries(dir)?;
        self.list.push(Observation::Names { path: dir.to_owned(), hash: names_hash(&entries) });
        Ok(entries)
    }

    /// The value of an environment variable; empty if it is not set.
    pub fn variable(&mut self, name: &str) -> OsString {
        let value = std::env::var_os(name).unwrap_or_default();
        self.list.push(Observation::Variable { path: name.into(), hash: Hash::of_bytes(value.as_encoded_bytes()) });
        value
    }

    /// The observations, in order; `None` if a later run cannot repeat them.
    pub fn observations(&self) -> Option<&[Observation]> {
        (!self.fleeting).then_some(&self.list)
    }

    /// The observations so far, even if a later run cannot repeat them.
    pub fn all(&self) -> &[Observation] {
        &self.list
    }

    fn read_and_note(&mut self, path: &Path, named: bool) -> io::Result<Vec<u8>> {
        if let Some(bytes) = self.trees.read_file(path) {
            return bytes;
        }
        if let Some(text) = self.shown(path) {
            return Ok(text.as_bytes().to_vec());
        }
        if let Some((_, bytes)) = self.pipes.iter().find(|(known, _)| known == path) {
            return Ok(bytes.clone());
        }
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0).min(1 << 24));
        // Some files are endless.
        (&file).take(LARGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 256 MiB"));
        }
        if metadata.is_file() && metadata.len() == bytes.len() as u64 {
            let entry = Entry::new(&metadata, Hash::of_bytes(&bytes));
            self.list.push(Observation::File { path: path.to_owned(), entry, named });
        } else {
            self.fleeting = true;
            if !metadata.is_file() {
                self.pipes.push((path.to_owned(), bytes.clone()));
            }
        }
        Ok(bytes)
    }

    /// The kind of a path, links followed.
    pub fn kind(&mut self, path: &Path) -> PathKind {
        self.observe_kind(path, true)
    }

    /// Whether a directory is above an input, links followed. Depfiles do not list where it was not
    /// found: everything that is created there, up to the root, would make Ninja run the rule.
    pub fn is_dir_above(&mut self, path: &Path) -> bool {
        self.observe_kind(path, false) == PathKind::Directory
    }

    fn observe_kind(&mut self, path: &Path, named: bool) -> PathKind {
        if let Some(kind) = self.trees.kind(path) {
            return kind;
        }
        if self.shown(path).is_some() {
            return PathKind::File;
        }
        let kind = PathKind::at(path);
        if self.kinds.insert((path.to_owned(), kind, named)) {
            self.list.push(Observation::Kind { path: path.to_owned(), kind, named });
        }
        kind
    }
}

fn entries(dir: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        // Most are not links, so no second call is needed.
        let is_dir = match entry.file_type() {
            Ok(kind) if !kind.is_symlink() => kind.is_dir(),
            _ => entry.path().is_dir(),
        };
        entries.push((entry.path(), is_dir));
    }
    entries.sort();
    Ok(entries)
}

fn names_hash(entries: &[(PathBuf, bool)]) -> Hash {
    let mut bytes = Vec::new();
    for (path, is_dir) in entries {
        bytes.extend(path.file_name().unwrap_or_default().as_encoded_bytes());
        bytes.extend([0, u8::from(*is_dir)]);
    }
    Hash::of_bytes(&bytes)
}

impl Observation {
    /// The path that was observed, or the name of the variable.
    pub fn path(&self) -> &Path {
        match self {
            Observation::File { path, .. }
            | Observation::Kind { path, .. }
            | Observation::Names { path, .. }
            | Observation::Variable { path, .. } => path,
        }
    }

    /// The directory in which a new file would change the observation, for depfiles: a directory
    /// that was listed, or the directory of a missing file.
    fn directory(&self) -> Option<&Path> {
        match self {
            Observation::Names { path, .. } => Some(path),
            Observation::Kind { path, kind: PathKind::Nothing, named: true } => {
                path.parent().filter(|dir| !dir.as_os_str().is_empty() && dir.is_dir())
            }
            _ => None,
        }
    }

    pub(super) fn named_path(&self) -> Option<&Path> {
        match self {
            Observation::File { path, named: true, .. } => Some(path),
            _ => None,
        }
    }

    /// Observes again.
    pub(super) fn observe_again(&mut self) -> Verdict {
        let same = match self {
            Observation::File { path, entry, .. } => {
                let verdict = entry.verify_unchanged(path);
                if let Verdict::Compared(now) = verdict {
                    *entry = now;
                }
                return verdict;
            }
            Observation::Kind { path, kind, .. } => PathKind::at(path) == *kind,
            Observation::Variable { path, hash } => {
                Hash::of_bytes(std::env::var_os(path).unwrap_or_default().as_encoded_bytes()) == *hash
            }
            Observation::Names { path, hash } => entries(path).is_ok_and(|entries| names_hash(&entries) == *hash),
        };
        if same { Verdict::Same } else { Verdict::Changed }
    }

    pub(super) fn settle(&mut self, moment: Moment) {
        if let Observation::File { entry, .. } = self {
            entry.settle(moment);
        }
    }
}

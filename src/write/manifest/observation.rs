//! What a run saw of the file system: bytes, names in directories, and whether something is there.
//!
//! Jobs read through [`Seen`], so that a run that saw the same would do the same. Invariant: what is remembered was true before it was
//! returned, so that a change while the run goes on is noticed by the next. Deliberately absent: what the bytes mean.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::write::stamp::{Entry, Hash, Moment, Verdict};

/// Something that was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) enum Observation {
    /// A file's bytes.
    File {
        /// The file.
        path: PathBuf,
        /// What it was.
        entry: Entry,
        /// Whether a depfile names it.
        named: bool,
    },
    /// What is at a place.
    Kind {
        /// The place.
        path: PathBuf,
        /// What is there.
        kind: Kind,
    },
    /// The names in a directory, and which are directories.
    Names {
        /// The directory.
        path: PathBuf,
        /// Of the names, in order.
        hash: Hash,
    },
}

/// What is at a place, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Nothing that can be seen.
    Nothing,
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A pipe or the like.
    Other,
}

impl Kind {
    fn at(path: &Path) -> Kind {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Kind::File,
            Ok(metadata) if metadata.is_dir() => Kind::Directory,
            Ok(_) => Kind::Other,
            Err(_) => Kind::Nothing,
        }
    }
}

/// Everything that a run saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    list: Vec<Observation>,
    /// Something was seen that cannot be seen again, such as a pipe.
    fleeting: bool,
}

/// The largest file that is read, in bytes: hundreds of times the largest that there is.
const LARGEST: u64 = 256 << 20;

impl Seen {
    /// The bytes of a file that depfiles name.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_file(path, true)
    }

    /// Takes note of a file that others read, or of its absence.
    pub(crate) fn watch(&mut self, path: &Path) {
        if self.read_file(path, false).is_err() {
            self.kind(path);
        }
    }

    /// Whether there is a file, links followed.
    pub(crate) fn is_file(&mut self, path: &Path) -> bool {
        self.kind(path) == Kind::File
    }

    /// Whether there is a directory, links followed.
    pub(crate) fn is_dir(&mut self, path: &Path) -> bool {
        self.kind(path) == Kind::Directory
    }

    /// Whether there is anything, links followed.
    pub(crate) fn exists(&mut self, path: &Path) -> bool {
        self.kind(path) != Kind::Nothing
    }

    /// The paths in a directory, sorted, and whether each is a directory, links followed.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub(crate) fn entries(&mut self, dir: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
        let entries = entries(dir)?;
        self.list.push(Observation::Names { path: dir.to_owned(), hash: names_hash(&entries) });
        Ok(entries)
    }

    /// What was seen, in order; `None` if a later run cannot look at it again.
    pub(crate) fn observations(&self) -> Option<&[Observation]> {
        (!self.fleeting).then_some(&self.list)
    }

    fn read_file(&mut self, path: &Path, named: bool) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0).min(1 << 24));
        // Some files never end.
        (&file).take(LARGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 256 MiB"));
        }
        if metadata.is_file() && metadata.len() == bytes.len() as u64 {
            let entry = Entry::new(&metadata, Hash::of(&bytes));
            self.list.push(Observation::File { path: path.to_owned(), entry, named });
        } else {
            self.fleeting = true;
        }
        Ok(bytes)
    }

    fn kind(&mut self, path: &Path) -> Kind {
        let kind = Kind::at(path);
        self.list.push(Observation::Kind { path: path.to_owned(), kind });
        kind
    }
}

fn entries(dir: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        // Most are no links, and then need not be looked at again.
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
    Hash::of(&bytes)
}

impl Observation {
    /// What was looked at.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Observation::File { path, .. } | Observation::Kind { path, .. } | Observation::Names { path, .. } => path,
        }
    }

    pub(super) fn named(&self) -> Option<&Path> {
        match self {
            Observation::File { path, named: true, .. } => Some(path),
            _ => None,
        }
    }

    /// Looks again.
    pub(super) fn check(&mut self) -> Verdict {
        let same = match self {
            Observation::File { path, entry, .. } => {
                let verdict = entry.check(path);
                if let Verdict::Compared(now) = verdict {
                    *entry = now;
                }
                return verdict;
            }
            Observation::Kind { path, kind } => Kind::at(path) == *kind,
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

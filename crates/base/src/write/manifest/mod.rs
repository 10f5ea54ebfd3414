//! `.torchgen-rs.manifest`: what the next run needs to know to find that nothing changed, in a
//! hidden file of the install directory.
//!
//! It has one line for each invocation: a key, the hash of the record, and the [`Record`]. Runs
//! that end at the same time take turns by a lock on the file. Each replaces the file, so that a
//! reader always sees a whole one. A file that is missing, damaged or of another version counts as
//! empty. A record can only be a reason not to run, never to write or remove anything.
//!
//! Invariant: nothing here fails a run. The jobs determine when two invocations are the same.

mod kind;
mod observation;
mod record;
mod tree;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

pub use kind::PathKind;
pub use observation::{Seen, Texts, directories};
pub use record::{Freshness, Install, Output, Record};
pub use tree::Tree;

use super::leftover;
use super::stamp::{Hash, Moment};

/// The name of the file.
pub const NAME: &str = ".torchgen-rs.manifest";

/// The first line. If it differs, the file is of another version and is ignored.
const HEAD: &str = "torchgen-rs manifest 3\n";
/// The maximum size of a manifest.
const LARGEST: u64 = 1 << 28;
/// The number of invocations that are remembered; the oldest is forgotten first.
const MOST: usize = 64;
/// How often the file may be replaced between opening and locking it, before the run gives up.
const ATTEMPTS: usize = 1000;

/// The contents of a manifest.
#[derive(Debug, Default)]
pub struct Manifest {
    text: String,
    /// For each record the key and the range of its text, the latest last.
    records: Vec<(Hash, std::ops::Range<usize>)>,
}

impl Manifest {
    /// Reads a file. An invalid one counts as empty.
    pub fn read_file(path: &Path) -> Manifest {
        let text = match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_file() && metadata.len() <= LARGEST => fs::read(path).ok(),
            _ => None,
        };
        Manifest::parse(text.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default())
    }

    fn parse(text: String) -> Manifest {
        let mut records = Vec::new();
        let mut at = HEAD.len();
        if !text.starts_with(HEAD) {
            return Manifest::default();
        }
        for line in text[at..].split_inclusive('\n') {
            at += line.len();
            let Some((key, hash, record)) = parts(line) else { break };
            if Hash::of_bytes(record.as_bytes()) != hash {
                break;
            }
            let end = at - 1;
            records.push((key, end - record.len()..end));
        }
        Manifest { text, records }
    }

    /// The record of an invocation.
    pub fn record(&self, key: Hash) -> Option<Record> {
        let (_, range) = self.records.iter().rev().find(|(known, _)| *known == key)?;
        Record::parse(&self.text[range.clone()])
    }

    /// The records of all other invocations.
    pub fn others(&self, key: Hash) -> impl Iterator<Item = Record> {
        let others = self.records.iter().filter(move |(known, _)| *known != key);
        others.filter_map(|(_, range)| Record::parse(&self.text[range.clone()]))
    }

    /// All records, the latest first.
    pub fn latest_first(&self) -> impl Iterator<Item = Record> {
        self.records.iter().rev().filter_map(|(_, range)| Record::parse(&self.text[range.clone()]))
    }

    /// The file's text with a new record for an invocation; the others are unchanged.
    fn with(&self, key: Hash, record: &str) -> String {
        let others: Vec<_> = self.records.iter().filter(|(known, _)| *known != key).collect();
        let kept = &others[others.len().saturating_sub(MOST - 1)..];
        let mut text = String::with_capacity(self.text.len() + record.len() + 256);
        text.push_str(HEAD);
        for (key, range) in kept {
            push(&mut text, *key, &self.text[range.clone()]);
        }
        push(&mut text, key, record);
        text
    }
}

fn push(text: &mut String, key: Hash, record: &str) {
    use std::fmt::Write;
    let hash = Hash::of_bytes(record.as_bytes());
    let _ = writeln!(text, "{:032x} {:032x} {record}", key.0, hash.0);
}

/// The parts of a line: its key, the hash of its record, and the record.
fn parts(line: &str) -> Option<(Hash, Hash, &str)> {
    let hash_of = |word| u128::from_str_radix(word, 16).ok().map(Hash);
    let mut parts = line.strip_suffix('\n')?.splitn(3, ' ');
    Some((hash_of(parts.next()?)?, hash_of(parts.next()?)?, parts.next()?))
}

/// Remembers an invocation. `change` gets the current manifest, which no other run can write
/// meanwhile, and the moment before which a file must have changed for its stamp to be reliable; it
/// may leave the manifest unchanged.
///
/// # Errors
/// The file cannot be written. The run itself is not affected.
pub fn update(path: &Path, key: Hash, change: impl FnOnce(&Manifest, Moment) -> Option<Record>) -> io::Result<()> {
    let _lock = lock(path)?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    leftover::remove_leftovers(parent);
    let temporary = leftover::create_beside(parent, None)?;
    let moment = Moment::of_created_file(&temporary.as_file().metadata()?);
    let manifest = Manifest::read_file(path);
    let Some(text) = change(&manifest, moment).and_then(|record| record.to_text()) else { return Ok(()) };
    temporary.as_file().write_all(manifest.with(key, &text).as_bytes())?;
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Opens and locks the file at the path. A file that was replaced while we waited for its lock is
/// dropped.
fn lock(path: &Path) -> io::Result<File> {
    for _ in 0..ATTEMPTS {
        // A link may lead to a file that is not ours.
        if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
            fs::remove_file(path)?;
        }
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.lock() {
            Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
            // Without locks a record may get lost, which only costs time.
            _ => {}
        }
        if same(&file, path) {
            return Ok(file);
        }
    }
    Err(io::ErrorKind::WouldBlock.into())
}

#[cfg(unix)]
fn same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(file), Ok(there)) => id(file) == id(there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn same(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests;

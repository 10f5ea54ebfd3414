//! `.torchgen-rs.manifest`: what "nothing changed since the last run" needs to remember, in one hidden file of the install directory.
//!
//! One [`Record`] per invocation, in a line of its own behind its key and the hash of its text. Runs that end at the same time take turns by a lock on the file, and each puts a new file in the old one's
//! place, so a reader sees a whole one. A file that is damaged, of another version or no such file at all counts as an empty one: what it
//! says is only ever a reason not to work, never a reason to write or remove anything.
//!
//! Invariant: nothing here fails a run. Deliberately absent: what makes two invocations the same (the jobs know).

mod observation;
mod record;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

pub(crate) use observation::Seen;
pub(crate) use record::{Freshness, Install, Output, Record};

use super::leftover;
use super::stamp::{Hash, Moment};

/// The name of the file.
pub(crate) const NAME: &str = ".torchgen-rs.manifest";

/// The first line. Another version is another line, and then nothing below it is looked at.
const HEAD: &str = "torchgen-rs manifest 2\n";
/// A file larger than this is none of ours.
const LARGEST: u64 = 1 << 28;
/// How many invocations are remembered; the one that was recorded first is forgotten first.
const MOST: usize = 64;
/// How often the file may be replaced between opening and locking it before the run leaves it alone.
const ATTEMPTS: usize = 1000;

/// What a manifest file says.
#[derive(Debug, Default)]
pub(crate) struct Manifest {
    text: String,
    /// Per record the key and the place of its text, the latest last.
    records: Vec<(Hash, std::ops::Range<usize>)>,
}

impl Manifest {
    /// Reads a file. Whatever is wrong with it, it says nothing then.
    pub(crate) fn read(path: &Path) -> Manifest {
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
            if Hash::of(record.as_bytes()) != hash {
                break;
            }
            let end = at - 1;
            records.push((key, end - record.len()..end));
        }
        Manifest { text, records }
    }

    /// What is remembered of an invocation.
    pub(crate) fn record(&self, key: Hash) -> Option<Record> {
        let (_, range) = self.records.iter().rev().find(|(known, _)| *known == key)?;
        Record::parse(&self.text[range.clone()])
    }

    /// What is remembered of all others.
    pub(crate) fn others(&self, key: Hash) -> impl Iterator<Item = Record> {
        let others = self.records.iter().filter(move |(known, _)| *known != key);
        others.filter_map(|(_, range)| Record::parse(&self.text[range.clone()]))
    }

    /// The file's text with another record for an invocation; the text of all others is kept as it is.
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
    let hash = Hash::of(record.as_bytes());
    let _ = writeln!(text, "{:032x} {:032x} {record}", key.0, hash.0);
}

/// The parts of a line: its key, the hash of its record, and the record.
fn parts(line: &str) -> Option<(Hash, Hash, &str)> {
    let hash_of = |word| u128::from_str_radix(word, 16).ok().map(Hash);
    let mut parts = line.strip_suffix('\n')?.splitn(3, ' ');
    Some((hash_of(parts.next()?)?, hash_of(parts.next()?)?, parts.next()?))
}

/// Remembers an invocation. `change` is told what the file says while no other run can write it, and the moment before which a file must have
/// changed for its stamp to be worth anything; it may decide to leave all as it is.
///
/// # Errors
/// The file cannot be written. The run is no worse for it.
pub(crate) fn update(
    path: &Path,
    key: Hash,
    change: impl FnOnce(&Manifest, Moment) -> Option<Record>,
) -> io::Result<()> {
    let _lock = lock(path)?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    leftover::remove_leftovers(parent);
    let temporary = leftover::create_beside(parent, None)?;
    let moment = Moment::of(&temporary.as_file().metadata()?);
    let manifest = Manifest::read(path);
    let Some(text) = change(&manifest, moment).and_then(|record| record.to_text()) else { return Ok(()) };
    temporary.as_file().write_all(manifest.with(key, &text).as_bytes())?;
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The file that stands at the path, locked. One that was replaced while we waited for its lock is let go.
fn lock(path: &Path) -> io::Result<File> {
    for _ in 0..ATTEMPTS {
        // Whatever a link leads to is not ours to make or lock.
        if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
            fs::remove_file(path)?;
        }
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.lock() {
            Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
            // Where nothing can be locked, a record may get lost, which costs time and nothing else.
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

//! The recorded state of a file: its length, a hash of its bytes, and the file system's timestamps.
//!
//! Invariant: a stamp is kept only if a later change of the bytes must change it. A stamp as young
//! as the moment at which it was taken is dropped, since the file may change again before the clock
//! advances; such a file is compared by content, as git does.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

use crate::render::Contents;

/// The size of a read.
const BUFFER: usize = 128 * 1024;
/// Some file systems keep whole seconds, or even seconds only.
const COARSE: i64 = 2_000_000_000;
/// How far the file system's clock may be behind the system clock, with a margin.
const LAG: i64 = 1_000_000_000;

/// A hash of bytes. It detects accidental changes, not deliberate collisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Hash(pub u128);

impl Hash {
    /// Hashes bytes.
    pub fn of_bytes(bytes: &[u8]) -> Hash {
        Hash(XxHash3_128::oneshot(bytes))
    }

    /// Hashes the text of a file.
    pub(crate) fn of_contents(contents: &Contents) -> Hash {
        let mut hasher = XxHash3_128::new();
        contents.pieces().for_each(|piece| hasher.write(piece.as_bytes()));
        Hash(hasher.finish_128())
    }

    /// Hashes all bytes of a reader.
    pub(crate) fn of_reader(mut reader: impl Read) -> io::Result<Hash> {
        let mut hasher = XxHash3_128::new();
        let mut buffer = vec![0; BUFFER];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(Hash(hasher.finish_128())),
                Ok(count) => hasher.write(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// A time in nanoseconds since 1970. The default is before all changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(i64);

impl Moment {
    /// The time on a file system's clock, taken from a file that was just created there.
    pub(crate) fn of_created_file(file: &Metadata) -> Moment {
        Moment(Stamp::from_metadata(file).changed)
    }

    /// A time that is past on every file system.
    pub fn now() -> Moment {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Moment(i64::try_from(now.as_nanos()).unwrap_or(i64::MAX).saturating_sub(LAG))
    }
}

/// The metadata that reveals changes of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// The modification time, which anybody can set.
    pub(crate) modified: i64,
    /// The change time, which nobody can set. On Windows, which has none, the creation time.
    pub(crate) changed: i64,
    /// The file's inode number; 0 if there is none.
    pub(crate) inode: u64,
}

impl Stamp {
    /// Reads the stamp.
    #[cfg(unix)]
    pub(crate) fn from_metadata(metadata: &Metadata) -> Stamp {
        use std::os::unix::fs::MetadataExt;
        let nanoseconds = |seconds: i64, rest: i64| seconds.wrapping_mul(1_000_000_000).wrapping_add(rest);
        Stamp {
            modified: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }

    /// Reads the stamp.
    #[cfg(not(unix))]
    pub(crate) fn from_metadata(metadata: &Metadata) -> Stamp {
        let nanoseconds = |time: io::Result<std::time::SystemTime>| {
            let since = time.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
            since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0)
        };
        Stamp { modified: nanoseconds(metadata.modified()), changed: nanoseconds(metadata.created()), inode: 0 }
    }

    /// Whether the file can change after that time without changing the stamp.
    fn may_lie(&self, moment: Moment) -> bool {
        let last = if cfg!(unix) { self.changed } else { self.modified };
        let coarse = if last % 1_000_000_000 == 0 { COARSE } else { 0 };
        last.saturating_add(coarse) >= moment.0
    }
}

/// The identity of a file, by length and stamp: enough for a file that cannot be written meanwhile,
/// such as a running program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Its length.
    pub size: u64,
    /// Its stamp.
    pub stamp: Stamp,
}

impl Identity {
    /// Reads the identity.
    pub fn from_metadata(metadata: &Metadata) -> Identity {
        Identity { size: metadata.len(), stamp: Stamp::from_metadata(metadata) }
    }
}

/// The recorded state of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its length.
    pub size: u64,
    /// The hash of its bytes.
    pub(crate) hash: Hash,
    /// Its stamp; without one, the bytes are compared.
    pub(crate) stamp: Option<Stamp>,
}

/// The result of checking a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Unchanged, by its stamp.
    Same,
    /// The stamp is no evidence, but the bytes are unchanged; this is the new state.
    Compared(Entry),
    /// Changed, missing or unreadable.
    Changed,
}

impl Entry {
    /// The state of a file whose metadata was taken before its bytes were read.
    pub fn new(metadata: &Metadata, hash: Hash) -> Entry {
        Entry { size: metadata.len(), hash, stamp: Some(Stamp::from_metadata(metadata)) }
    }

    /// Drops a stamp that does not reveal later changes.
    pub(crate) fn settle(&mut self, moment: Moment) {
        self.stamp = self.stamp.filter(|stamp| !stamp.may_lie(moment));
    }

    /// Checks whether the file is unchanged.
    pub fn verify_unchanged(&self, path: &Path) -> Verdict {
        match std::fs::metadata(path) {
            Ok(now) if now.is_file() && now.len() == self.size => {
                if self.stamp == Some(Stamp::from_metadata(&now)) {
                    return Verdict::Same;
                }
                self.compare(path).unwrap_or(Verdict::Changed)
            }
            _ => Verdict::Changed,
        }
    }

    fn compare(&self, path: &Path) -> io::Result<Verdict> {
        let file = File::open(path)?;
        let now = file.metadata()?;
        let hash = Hash::of_reader(file)?;
        let same = now.len() == self.size && hash == self.hash;
        Ok(if same { Verdict::Compared(Entry::new(&now, hash)) } else { Verdict::Changed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_agree_however_the_bytes_come() {
        let text = "x".repeat(300_000) + "y";
        let whole = Hash::of_bytes(text.as_bytes());
        assert_eq!(Hash::of_contents(&text.clone().into()), whole);
        assert_eq!(Hash::of_reader(text.as_bytes()).unwrap(), whole);
        assert_ne!(Hash::of_bytes(b""), Hash::of_bytes(b"\0"));
    }

    #[test]
    fn young_stamps_are_not_kept() {
        let stamp = |changed| Stamp { modified: 0, changed, inode: 1 };
        let second = 1_000_000_000;
        for (changed, moment, kept) in [
            (5, 5, false),
            (5, 6, true),
            (6, 5, false),
            // Whole seconds may come from the file system, not the clock.
            (7 * second, 7 * second + 1, false),
            (7 * second, 9 * second, false),
            (7 * second, 9 * second + 1, true),
        ] {
            if cfg!(unix) {
                let mut entry = Entry { size: 0, hash: Hash::of_bytes(b""), stamp: Some(stamp(changed)) };
                entry.settle(Moment(moment));
                assert_eq!(entry.stamp.is_some(), kept, "{changed} {moment}");
            }
        }
    }
}

//! The hashes that name compiled programs, objects and headers.
//!
//! Invariant: no two lists of parts have the same bytes.

use twox_hash::XxHash3_128;

/// A hash of parts, each with its length, so that no two lists of parts have the same bytes.
#[derive(Default)]
pub(crate) struct Key(XxHash3_128);

impl Key {
    /// Adds a part.
    pub(crate) fn add(&mut self, part: &[u8]) {
        self.0.write(&part.len().to_le_bytes());
        self.0.write(part);
    }

    /// The hash of all parts.
    pub(crate) fn hex(&self) -> String {
        format!("{:032x}", self.0.finish_128())
    }
}

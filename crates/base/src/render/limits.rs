//! What templates can use: an own template can ask for any amount of text with a few characters.
//!
//! Invariant: no template makes a run take more memory than a small multiple of these limits.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The steps of one render of a fragment, of which one also pays for 64 bytes of text and for two
/// elements of a list: half a gigabyte, a few seconds, and eighty times what all of ATen needs.
/// Nested loops multiply, and so does `*`.
pub(super) const STEPS: u64 = 8_000_000;
/// The bytes of all texts of a run, fragments and files: several times what all of ATen has. Texts
/// are kept until all are made.
pub(super) const OUTPUT: u64 = 2 << 30;

/// The counts of rendered texts.
#[derive(Default)]
pub(super) struct Counts {
    texts: AtomicU64,
    bytes: AtomicU64,
}

impl Counts {
    /// Counts a text, and returns whether the run may have it.
    #[must_use]
    pub(super) fn add(&self, bytes: usize) -> bool {
        self.texts.fetch_add(1, Relaxed);
        self.bytes.fetch_add(bytes as u64, Relaxed) <= OUTPUT.saturating_sub(bytes as u64)
    }

    /// The number of texts and their bytes.
    pub(super) fn all(&self) -> (u64, u64) {
        (self.texts.load(Relaxed), self.bytes.load(Relaxed))
    }

    /// The bytes that the run can still have.
    pub(super) fn room(&self) -> usize {
        usize::try_from(OUTPUT.saturating_sub(self.bytes.load(Relaxed))).unwrap_or(usize::MAX)
    }
}

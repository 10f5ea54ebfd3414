//! Diagnostics: stable codes, places in sources, and how diagnostics are shown.
//!
//! Invariant: a [`Span`] always lies inside its source. Nothing here knows YAML or operators.

pub mod codes;
mod diagnostic;
mod diff;
pub mod explain;
mod fix;
mod gather;
mod help;
mod nearest;
mod plural;
mod render;
mod source;
mod visible;

pub use codes::{CodeInfo, Severity};
pub use diagnostic::{Allowed, Diagnostic, Diagnostics, Label, TextError};
pub use diff::{patch, unified_diff};
pub use fix::{Edit, Fix, KeptFix};
pub use gather::{gather, gather_lists};
pub use help::{Applicability, Help};
pub use nearest::{did_you_mean, did_you_mean_as, meant, nearest};
pub use plural::{listed, plural};
pub use render::{Color, Place, Shown, ShownEdit, ShownFix, ShownLabel, github, human, json, shown};
pub use source::Sources;
pub use visible::visible;

/// Index of a source file in the run's [`Sources`] arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// A range of bytes in one source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The file the range lies in.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: clamp(start), end: clamp(end.max(start)) }
    }

    /// From the first byte of `self` to the last of `other`, which lies in the same file.
    pub(crate) fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty range at the first byte.
    pub fn at_start(self) -> Span {
        Span { end: self.start, ..self }
    }

    /// The range as indices into the file's text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Offsets beyond 4 GiB cannot occur: larger files are refused when read.
fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

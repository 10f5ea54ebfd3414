//! Diagnostics: where in which source something is wrong, under which stable code, and how it is shown.
//!
//! Invariant: a [`Span`] always lies inside the source it names. Deliberately absent: any knowledge of YAML or operators.

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

//! The columns of lines between brackets.
//!
//! Invariant: they depend on new columns only, so that a second pass finds the same.

/// An open bracket: the columns of lines between it and its end, and of a line that begins with its
/// end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bracket {
    pub(super) content: usize,
    pub(super) close: usize,
}

impl Bracket {
    /// A bracket at the end of its line: what follows is indented from `base`, the column that the
    /// line's content begins in.
    pub(super) fn hanging(base: usize) -> Bracket {
        Bracket { content: base + 2, close: base }
    }

    /// A bracket in this column, with content on its line: what follows is aligned with it.
    pub(super) fn aligned(column: usize) -> Bracket {
        Bracket { content: column + 1, close: column }
    }
}

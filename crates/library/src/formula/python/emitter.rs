//! What writes expressions of Python, and what it reads. `emit.rs` begins; the other modules have
//! numbers, operators and methods.

use super::names::{Names, Used};
use torchgen_formula::Typed;

/// A part of a formula with its types.
pub(super) type Tree<'t> = Typed<'t, 't>;

/// Writes expressions of Python, and records what they use.
pub(super) struct Emitter<'n, 'o> {
    pub(super) names: &'n Names<'o>,
    pub(super) used: Used,
}

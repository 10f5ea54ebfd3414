//! The generators: one folder each, with its view structs, and templates under the same name in `templates/`.
//!
//! Invariant: a generator turns the [`Context`] into [`OutputFile`](crate::write::OutputFile)s and touches nothing else. Deliberately
//! absent: emitted text, which lives in `templates/`; a test holds that no string here has a statement, brace or comment in it.

mod context;

pub use context::{Context, Faults, Flags, ItemFault, Outcome, Subject};

use crate::cli::OutputKind;

/// A generator of ATen's outputs.
pub struct Generator {
    /// The name of its folder here and under `templates/`.
    pub name: &'static str,
    /// What it writes, for people.
    pub description: &'static str,
    /// The `--generate` value that switches it on.
    pub output: OutputKind,
    /// Makes its files.
    pub run: fn(&Context) -> Outcome,
}

/// All generators of the ATen layout. Their order is the order in which files are listed and faults reported.
pub const GENERATORS: &[Generator] = &[];

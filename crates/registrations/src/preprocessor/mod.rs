//! The preprocessor: directives, macros and includes of a tree, for all builds at once.
//!
//! Data flows `tree, lexed -> unit (expand, expression) -> tokens with conditions`. What the tree
//! does not hold is an empty file; what it does not define stays as it is, and decides nothing.
//! Invariant: any text can be read, in bounded time and depth.

mod expand;
mod expression;
mod hidden;
mod lexed;
mod macros;
mod names;
mod piece;
mod tree;
mod unit;
mod variants;

use std::path::PathBuf;

use rustc_hash::FxHashSet;
use torchgen_base::diag::{FileId, Span};
use torchgen_kit::driver::JobError;

use crate::Registrations;
use crate::files::Files;

pub(crate) use names::Names;
pub(crate) use piece::{Piece, joined};
pub(crate) use variants::variants;

/// What the preprocessor cannot follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line or the macro's use.
    pub place: Span,
    /// What is wrong.
    pub message: String,
}

/// The sources that register something.
#[derive(Default)]
pub(crate) struct Units {
    /// The tokens of each.
    pub(crate) units: Vec<(FileId, Vec<Piece>)>,
    /// Those that Jinja makes C++ of, which are not read.
    pub(crate) templates: Vec<FileId>,
}

/// Preprocesses the sources that register something.
pub(crate) fn units(
    given: &[PathBuf],
    defines: &[(String, String)],
    names: &mut Names,
    found: &mut Registrations,
    files: &mut dyn Files,
) -> Result<Units, JobError> {
    let tree = tree::Tree::read(given, names, files)?;
    let defined = macros::given(defines, names);
    let mut result = Units::default();
    let mut entered: FxHashSet<usize> = FxHashSet::default();
    // A header that no source includes is read alone.
    for is_unit in [true, false] {
        for (at, file) in tree.files.iter().enumerate().take(tree.given) {
            if file.is_unit != is_unit || !file.may_register || (!is_unit && entered.contains(&at)) {
                continue;
            }
            if file.is_template {
                result.templates.push(file.id);
                continue;
            }
            let (pieces, own) =
                unit::preprocessed(at, &tree, &defined, names, &mut found.conditions, &mut found.problems);
            entered.extend(own);
            result.units.push((file.id, pieces));
        }
    }
    Ok(result)
}

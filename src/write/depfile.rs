//! Depfiles for Make and Ninja: which inputs the outputs were made from.
//!
//! Written as compilers write them with `-MP`, which both read: one rule, and a rule without
//! prerequisites for each input, so that Make goes on when one is removed. Directories that were
//! looked into are inputs, so that a new file in them is noticed. A blank and `#` stand behind a
//! backslash, as `:` does, and `$` is doubled.
//!
//! Invariant: a path is refused if Make and Ninja would not both read it as it is.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::file::Outcome;
use super::list::ListError;
use super::paths;
use super::plan::write_with_dir;
use crate::render::{Contents, Renderer};

#[derive(Serialize)]
struct Depfile {
    targets: Vec<String>,
    inputs: Vec<String>,
    /// The inputs that are targets of empty rules.
    phony: Vec<String>,
}

/// Characters that Make or Ninja takes for something else, however they are written.
const REFUSED: [char; 8] = ['=', ';', '|', '*', '<', '>', '^', '`'];

/// The text of a depfile, with the paths spelled as given and in the given order.
///
/// # Errors
/// A path that a depfile cannot express: with a newline in it, or that is not UTF-8, or that Make and
/// Ninja would read differently.
pub(crate) fn depfile_text(renderer: &Renderer, targets: &[PathBuf], inputs: &[PathBuf]) -> Result<String, ListError> {
    let escape_all = |paths: &[PathBuf]| paths.iter().map(|path| escape(path)).collect::<Result<Vec<_>, _>>();
    check_depfile_targets(targets)?;
    let inputs = escape_all(inputs)?;
    // In a target, a percent sign makes a pattern for Make.
    let phony = inputs.iter().filter(|input| !input.contains('%')).cloned().collect();
    let view = Depfile { targets: escape_all(targets)?, inputs, phony };
    Ok(renderer.fragment("write/depfile.j2", &view)?)
}

/// Whether a depfile can name these outputs, which is better known before they are written.
///
/// # Errors
/// As [`depfile_text`].
pub(crate) fn check_depfile_targets(targets: &[PathBuf]) -> Result<(), ListError> {
    for path in targets {
        let escaped = escape(path)?;
        if escaped.contains('%') {
            return Err(ListError::Unreadable(path.clone(), '%'));
        }
    }
    Ok(())
}

/// Writes a depfile, making its directory, if it changes.
///
/// # Errors
/// As [`depfile_text`], or the file cannot be written.
pub(crate) fn write_depfile(
    renderer: &Renderer,
    path: &Path,
    targets: &[PathBuf],
    inputs: &[PathBuf],
) -> Result<Outcome, ListError> {
    let text = depfile_text(renderer, targets, inputs)?;
    Ok(write_with_dir(path, &Contents::from(text))?)
}

fn escape(path: &Path) -> Result<String, ListError> {
    if path.to_str().is_none() {
        return Err(ListError::Unspeakable(path.to_owned()));
    }
    let text = paths::posix(path);
    let mut out = String::with_capacity(text.len());
    let mut backslashes = 0;
    for c in text.chars() {
        match c {
            '\n' | '\r' => return Err(ListError::Unspeakable(path.to_owned())),
            // Backslashes before a blank are escapes too.
            ' ' | '\t' => out.extend(std::iter::repeat_n('\\', backslashes + 1)),
            '#' | ':' => out.push('\\'),
            _ if REFUSED.contains(&c) => return Err(ListError::Unreadable(path.to_owned(), c)),
            '$' => out.push('$'),
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    Ok(out)
}

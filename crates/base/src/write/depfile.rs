//! Depfiles for Make and Ninja, which list the inputs of the outputs.
//!
//! The format is that of compilers with `-MP`, which both read: one rule, and a rule without
//! prerequisites for each input, so that Make continues if an input is removed. Directories that
//! were searched are inputs, so that a new file in them triggers a run. Blanks, `#` and `:` are
//! escaped with a backslash, and `$` is doubled.
//!
//! Invariant: a path that Make and Ninja would not both read literally is refused.

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

/// Characters that cannot be escaped in Make or in Ninja.
const REFUSED: [char; 8] = ['=', ';', '|', '*', '<', '>', '^', '`'];

/// The text of a depfile, with the paths spelled as given and in the given order.
///
/// # Errors
/// A depfile cannot express a path: it contains a newline, is not UTF-8, or Make and Ninja would
/// read it differently.
pub(crate) fn depfile_text(renderer: &Renderer, targets: &[PathBuf], inputs: &[PathBuf]) -> Result<String, ListError> {
    let escape_all = |paths: &[PathBuf]| paths.iter().map(|path| escape(path)).collect::<Result<Vec<_>, _>>();
    check_depfile_targets(targets)?;
    let inputs = escape_all(inputs)?;
    // Make reads a target with a percent sign as a pattern.
    let phony = inputs.iter().filter(|input| !input.contains('%')).cloned().collect();
    let view = Depfile { targets: escape_all(targets)?, inputs, phony };
    Ok(renderer.fragment("write/depfile.j2", &view)?)
}

/// Checks that a depfile can name these outputs, before they are written.
pub fn check_depfile_targets(targets: &[PathBuf]) -> Result<(), ListError> {
    for path in targets {
        let escaped = escape(path)?;
        if escaped.contains('%') {
            return Err(ListError::Unreadable(path.clone(), '%'));
        }
    }
    Ok(())
}

/// Writes a depfile if it changes, and creates its directory.
///
/// # Errors
/// As for `depfile_text`, or the file cannot be written.
pub fn write_depfile(
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

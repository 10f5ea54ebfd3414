//! Depfiles for Make and Ninja, which list the inputs of the outputs.
//!
//! The format is that of compilers, which both read: one rule, a backslash before spaces and `#`, `$` doubled.

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
}

/// The text of a depfile, with the paths as given and in the given order.
///
/// Errors: a path contains a newline or is not UTF-8, which a depfile cannot express.
pub(crate) fn depfile_text(renderer: &Renderer, targets: &[PathBuf], inputs: &[PathBuf]) -> Result<String, ListError> {
    let escape_all = |paths: &[PathBuf]| paths.iter().map(|path| escape(path)).collect::<Result<Vec<_>, _>>();
    let view = Depfile { targets: escape_all(targets)?, inputs: escape_all(inputs)? };
    Ok(renderer.fragment("write/depfile.j2", &view)?)
}

/// Writes a depfile if it changes, and creates its directory.
///
/// Errors: as [`depfile_text`], or the file cannot be written.
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
            '#' => out.push('\\'),
            '$' => out.push('$'),
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    Ok(out)
}

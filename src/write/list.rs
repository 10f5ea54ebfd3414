//! The lists of outputs that CMake includes: per manager one file that sets one variable.
//!
//! Rule: torchgen/utils.py, `FileManager.write_outputs`, and the end of torchgen/gen.py, `main`.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::file::{Outcome, WriteError};
use super::manager::Manager;
use super::paths;
use super::plan::{Plan, write_with_dir};
use crate::render::{Contents, RenderError, Renderer};

/// Why a list of outputs could not be made.
#[derive(Debug)]
pub enum ListError {
    /// The path names no file.
    NoName(PathBuf),
    /// A path in a list cannot be spelled in it.
    Unspeakable(PathBuf),
    /// Its template is at fault.
    Render(RenderError),
    /// It could not be written.
    Write(WriteError),
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListError::NoName(path) => write!(f, "{} names no file", path.display()),
            ListError::Unspeakable(path) => {
                write!(f, "{} holds a newline, which no list of files can express", path.display())
            }
            ListError::Render(error) => error.fmt(f),
            ListError::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ListError {}

impl From<RenderError> for ListError {
    fn from(error: RenderError) -> Self {
        ListError::Render(error)
    }
}

impl From<WriteError> for ListError {
    fn from(error: WriteError) -> Self {
        ListError::Write(error)
    }
}

#[derive(Serialize)]
struct FileList<'a> {
    variable: &'a str,
    paths: Vec<String>,
}

/// Writes the list of every manager of the plan that has one, also in a dry run and if it is empty: `PATH` itself for ATen's, and beside it
/// files whose names begin with the manager's prefix. The variable a list sets is its file's name without the last suffix.
///
/// Returns what became of each list, in the order of the plan's managers. Errors: no file name in the path, or a list that cannot be written.
pub fn write_file_lists(renderer: &Renderer, plan: &Plan, path: &Path) -> Result<Vec<(PathBuf, Outcome)>, ListError> {
    let no_name = || ListError::NoName(path.to_owned());
    let path = paths::resolve(path).map_err(|error| WriteError { path: path.to_owned(), error })?;
    let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(no_name)?;
    let stem = path.file_stem().and_then(|stem| stem.to_str()).ok_or_else(no_name)?;
    let mut outcomes = Vec::new();
    for (manager, _) in plan.installs() {
        let Some(prefix) = manager.list_prefix() else { continue };
        let list = FileList { variable: &format!("{prefix}{stem}"), paths: listed(plan, manager) };
        let text = renderer.fragment("write/file_list.j2", &list)?;
        let target = path.with_file_name(format!("{prefix}{name}"));
        let outcome = write_with_dir(&target, &Contents::from(text))?;
        outcomes.push((target, outcome));
    }
    Ok(outcomes)
}

/// The paths that a manager's list names, in its order.
fn listed(plan: &Plan, manager: Manager) -> Vec<String> {
    let files = plan.files().filter(|(_, file)| file.manager == manager && file.listed);
    let mut paths: Vec<String> = files.map(|(path, _)| paths::posix(path)).collect();
    paths.sort_by(|a, b| paths::compare(a, b));
    paths
}

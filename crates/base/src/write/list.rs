//! The lists of outputs that CMake includes: for each manager a file that sets a variable.
//!
//! Rule: torchgen/utils.py, `FileManager.write_outputs`, and the end of torchgen/gen.py, `main`.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::file::{Outcome, WriteError};
use super::paths;
use super::plan::{Plan, write_with_dir};
use crate::render::{Contents, RenderError, Renderer};

/// Refuses to write a list or a depfile over an input of the run.
///
/// # Errors
/// The path is one of the inputs.
pub fn spare_inputs(path: &Path, inputs: &[PathBuf]) -> Result<(), WriteError> {
    if !paths::is_among(path, inputs) {
        return Ok(());
    }
    Err(WriteError { path: path.to_owned(), error: io::Error::other("it is an input of this run") })
}

/// Why a list of outputs could not be written.
#[derive(Debug)]
pub enum ListError {
    /// The path has no file name.
    NoName(PathBuf),
    /// A path cannot be expressed in a list.
    Unspeakable(PathBuf),
    /// Make and Ninja would not both read a path with this character.
    Unreadable(PathBuf, char),
    /// Its template has an error.
    Render(RenderError),
    /// The file cannot be written.
    Write(WriteError),
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListError::NoName(path) => write!(f, "{} names no file", path.display()),
            ListError::Unspeakable(path) => {
                let what = if path.to_str().is_some() { "holds a newline" } else { "is not UTF-8" };
                write!(f, "{} {what}, which no list of files can express", path.display())
            }
            ListError::Unreadable(path, c) => {
                write!(f, "{} has a `{c}`, which Make and Ninja cannot both read in a depfile", path.display())
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

/// The contents of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The prefix of the list's name.
    pub(crate) prefix: String,
    /// The files, in any order.
    pub(crate) paths: Vec<PathBuf>,
}

impl Plan {
    /// The contents of the lists: one for each manager that has a list, even if it is empty.
    pub fn lists(&self) -> Vec<Listed> {
        let lists = self.installs().filter_map(|(manager, _)| Some((manager, manager.list_prefix()?.to_owned())));
        let paths = |manager| {
            let files = self.files().filter(move |(_, file)| file.manager == manager && file.listed);
            files.map(|(path, _)| path.to_owned()).collect()
        };
        lists.map(|(manager, prefix)| Listed { prefix, paths: paths(manager) }).collect()
    }
}

/// The path as CMake reads it between quotes, where a list of several is one text with semicolons.
fn quoted(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if matches!(c, '\\' | '"' | '$' | ';') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Writes the lists: `PATH` itself for ATen's, and beside it files whose names start with a prefix.
/// A list sets the variable named like its file without the last suffix.
///
/// Returns the outcome of each list, in order.
///
/// # Errors
/// The path has no file name, a file's name is not UTF-8, or a list cannot be written.
pub fn write_file_lists(
    renderer: &Renderer,
    lists: &[Listed],
    path: &Path,
) -> Result<Vec<(PathBuf, Outcome)>, ListError> {
    let no_name = || ListError::NoName(path.to_owned());
    let path = paths::resolve(path).map_err(|error| WriteError { path: path.to_owned(), error })?;
    let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(no_name)?;
    let stem = path.file_stem().and_then(|stem| stem.to_str()).ok_or_else(no_name)?;
    let mut outcomes = Vec::new();
    for Listed { prefix, paths } in lists {
        if let Some(path) = paths.iter().find(|path| path.to_str().is_none()) {
            return Err(ListError::Unspeakable(path.clone()));
        }
        let mut paths: Vec<String> = paths.iter().map(|path| paths::posix(path)).collect();
        paths.sort_by(|a, b| paths::compare(a, b));
        let paths = paths.iter().map(|path| quoted(path)).collect();
        let list = FileList { variable: &format!("{prefix}{stem}"), paths };
        let text = renderer.fragment("write/file_list.j2", &list)?;
        let target = path.with_file_name(format!("{prefix}{name}"));
        let outcome = write_with_dir(&target, &Contents::from(text))?;
        outcomes.push((target, outcome));
    }
    Ok(outcomes)
}

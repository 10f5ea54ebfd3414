//! The files of a library: what its source paths name, one after the other.
//!
//! Invariant: one directory has the settings, tags, templates and functions for formulas: the first
//! directory that is given, or that of the first file. Operators may be in any number of files and
//! directories, each of which is read once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::yaml::LibraryYaml;
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;

/// The file with the operators of a directory.
const OPERATORS: &str = "native_functions.yaml";
/// The file with the derivatives of a directory.
const DERIVATIVES: &str = "derivatives.yaml";
/// What only the library's own directory may have.
const OWN: [&str; 2] = ["library.yaml", "tags.yaml"];

/// The source paths of a library.
#[derive(Debug, Clone)]
pub struct LibraryPaths {
    given: Vec<PathBuf>,
    /// The library's own directory.
    pub root: PathBuf,
}

impl LibraryPaths {
    /// The given paths, and the library's own directory among them.
    pub fn new(given: &[PathBuf], session: &mut Session) -> LibraryPaths {
        let directory = given.iter().find(|path| session.seen.is_dir(path));
        let root = match (directory, given.first()) {
            (Some(directory), _) => directory.clone(),
            (None, Some(file)) if session.seen.is_file(file) => directory_of(file).to_owned(),
            // It does not exist; whoever reads it says so.
            (None, first) => first.cloned().unwrap_or_default(),
        };
        LibraryPaths { given: given.to_vec(), root }
    }

    /// The files with operators, in order. Names in library.yaml that do not exist are reported.
    ///
    /// # Errors
    /// A file cannot be read, or a directory has what only the first one may have.
    pub fn operators(&self, yaml: &LibraryYaml, session: &mut Session) -> Result<Vec<PathBuf>, JobError> {
        let root = &self.root;
        let (mut files, mut known) = (Vec::new(), BTreeSet::new());
        let mut add = |file: PathBuf, session: &Session| {
            if known.insert(session.seen.identity(&file)) {
                files.push(file);
            }
        };
        for path in &self.given {
            if session.seen.is_file(path) {
                add(path.clone(), session);
                continue;
            }
            if session.seen.identity(path) != session.seen.identity(root) {
                refuse_own(path, root, session)?;
            }
            add(path.join(OPERATORS), session);
        }
        for file in yaml.include() {
            let path = root.join(file.as_str());
            if !session.is_given(&path)? {
                let message = format!("there is no file `{file}` in `{}`", root.display());
                let error = Diagnostic::new(&codes::READ_FAILED, message).at(file.span());
                session.diagnostics.push(error.help("paths in `include:` start at the folder of library.yaml"));
                continue;
            }
            add(path, session);
        }
        Ok(files)
    }

    /// The files with derivatives: those of all directories, and of the library's own.
    ///
    /// # Errors
    /// A path cannot be examined.
    pub(crate) fn derivatives(&self, session: &mut Session) -> Result<Vec<PathBuf>, JobError> {
        let (mut files, mut known) = (Vec::new(), BTreeSet::new());
        for directory in std::iter::once(&self.root).chain(&self.given) {
            let file = directory.join(DERIVATIVES);
            if session.seen.is_file(directory) || !session.is_given(&file)? {
                continue;
            }
            if known.insert(session.seen.identity(&file)) {
                files.push(file);
            }
        }
        Ok(files)
    }
}

/// The directory of a file.
pub(super) fn directory_of(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Refuses settings that would have no effect.
fn refuse_own(directory: &Path, root: &Path, session: &mut Session) -> Result<(), JobError> {
    for name in OWN {
        let path = directory.join(name);
        if session.is_given(&path)? {
            let message = format!("`{}` has no effect: the library is in `{}`", path.display(), root.display());
            let error = Diagnostic::new(&codes::USAGE, message);
            return Err(error.help(format!("move what it has to `{}`", root.join(name).display())).into());
        }
    }
    Ok(())
}

//! Where sources come from: a run's files, or texts.
//!
//! Invariant: a path leads to one file, however it is spelled.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use torchgen_base::diag::{Diagnostic, FileId, Sources};
use torchgen_kit::driver::{JobError, Session};

/// The files that can be read.
pub trait Files {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&mut self, path: &Path) -> Result<FileId, JobError>;

    /// The text of a file that was read.
    fn text(&self, file: FileId) -> &str;

    /// Whether a path is a file.
    fn is_file(&mut self, path: &Path) -> bool;

    /// What all paths of a file have in common.
    fn identity(&self, path: &Path) -> PathBuf;
}

impl Files for Session {
    fn read(&mut self, path: &Path) -> Result<FileId, JobError> {
        self.read_source(path)
    }

    fn text(&self, file: FileId) -> &str {
        self.sources.text(file)
    }

    fn is_file(&mut self, path: &Path) -> bool {
        self.seen.is_file(path)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        self.seen.identity(path)
    }
}

/// Texts as files.
#[derive(Debug, Default)]
pub struct Texts {
    /// The texts, with their paths.
    pub sources: Sources,
    known: HashMap<PathBuf, FileId>,
}

impl Texts {
    /// Adds a text.
    pub fn add(&mut self, path: &str, text: &str) -> PathBuf {
        let file = self.sources.add(path, text.to_owned());
        self.known.insert(PathBuf::from(path), file);
        PathBuf::from(path)
    }
}

impl Files for Texts {
    fn read(&mut self, path: &Path) -> Result<FileId, JobError> {
        let missing = || JobError::from(Diagnostic::new(&torchgen_base::diag::codes::READ_FAILED, "no such text"));
        self.known.get(path).copied().ok_or_else(missing)
    }

    fn text(&self, file: FileId) -> &str {
        self.sources.text(file)
    }

    fn is_file(&mut self, path: &Path) -> bool {
        self.known.contains_key(path)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
}

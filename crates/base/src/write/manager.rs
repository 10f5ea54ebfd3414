//! The output managers: each determines a file's directory and the list of outputs that names it.
//!
//! The run sets the directories, see [`Plan::install`](super::Plan::install).

use super::stamp::Entry;
use crate::render::{Contents, RenderedFile};

/// A set of output files that share an install directory and a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Manager {
    name: &'static str,
    list_prefix: Option<&'static str>,
}

impl Manager {
    /// A manager: its name in messages, and the prefix of its list's name. Without a prefix its
    /// files are in no list.
    pub const fn new(name: &'static str, list_prefix: Option<&'static str>) -> Manager {
        Manager { name, list_prefix }
    }

    /// The prefix of the list's name; `None` if there is no list.
    pub fn list_prefix(self) -> Option<&'static str> {
        self.list_prefix
    }

    /// The manager's name in messages.
    pub fn name(self) -> &'static str {
        self.name
    }
}

/// A file to be written.
#[derive(Debug, Clone)]
pub struct OutputFile {
    /// The manager that installs it.
    pub manager: Manager,
    /// Its path, relative to the manager's directory, with slashes.
    pub path: String,
    /// Its text.
    pub contents: Contents,
    /// Whether the manager's list names it.
    pub listed: bool,
    /// The operator or generator that the file belongs to, to distinguish two files that clash; may
    /// be empty.
    pub origin: String,
    /// The state of the file on disk, if an earlier run wrote it as this one would: it has no
    /// contents here, and stays.
    pub kept: Option<Entry>,
}

impl OutputFile {
    /// A listed file.
    pub fn new(manager: Manager, path: impl Into<String>, contents: impl Into<Contents>) -> Self {
        Self { manager, path: path.into(), contents: contents.into(), listed: true, origin: String::new(), kept: None }
    }

    /// A rendered file, listed if it says so.
    pub fn rendered(manager: Manager, file: RenderedFile) -> Self {
        Self { listed: file.listed, ..Self::new(manager, file.file, file.contents) }
    }

    /// The number of its bytes.
    pub(super) fn len(&self) -> u64 {
        self.kept.map_or(self.contents.len() as u64, |kept| kept.size)
    }

    /// The same file in a folder; `folder` is empty or ends in a slash.
    pub fn below(self, folder: &str) -> Self {
        Self { path: format!("{folder}{}", self.path), ..self }
    }

    /// The same file with its origin.
    pub fn made_for(self, origin: impl Into<String>) -> Self {
        Self { origin: origin.into(), ..self }
    }
}

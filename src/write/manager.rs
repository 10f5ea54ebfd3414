//! The output managers: which directory a file goes to, and which list of outputs names it.
//!
//! The directories themselves are the run's, see [`Plan::install`](super::Plan::install).

use crate::render::{Contents, RenderedFile};

/// A set of output files that share an install directory and a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Manager {
    name: &'static str,
    list_prefix: Option<&'static str>,
}

impl Manager {
    /// A manager: what it is called in messages, and what the name of its list begins with. Without that its files are in no list.
    pub(crate) const fn new(name: &'static str, list_prefix: Option<&'static str>) -> Manager {
        Manager { name, list_prefix }
    }

    /// What the name of the list of the manager's outputs begins with; `None` if they are listed nowhere.
    pub(crate) fn list_prefix(self) -> Option<&'static str> {
        self.list_prefix
    }

    /// What the manager is called in messages.
    pub(crate) fn name(self) -> &'static str {
        self.name
    }
}

/// A file to be written.
#[derive(Debug, Clone)]
pub(crate) struct OutputFile {
    /// The manager that installs it.
    pub manager: Manager,
    /// Where it goes, relative to the manager's directory, with slashes.
    pub path: String,
    /// Its text.
    pub contents: Contents,
    /// Whether the manager's list names it.
    pub listed: bool,
    /// What the file was made for, to tell two that clash apart: an operator's or a generator's name, or nothing.
    pub origin: String,
}

impl OutputFile {
    /// A listed file.
    pub(crate) fn new(manager: Manager, path: impl Into<String>, contents: impl Into<Contents>) -> Self {
        Self { manager, path: path.into(), contents: contents.into(), listed: true, origin: String::new() }
    }

    /// A file from the renderer, listed as it says.
    pub(crate) fn rendered(manager: Manager, file: RenderedFile) -> Self {
        Self { listed: file.listed, ..Self::new(manager, file.file, file.contents) }
    }

    /// The same file in a folder, which ends in a slash or is nothing.
    pub(crate) fn below(self, folder: &str) -> Self {
        Self { path: format!("{folder}{}", self.path), ..self }
    }

    /// The same file with the name of what it was made for.
    pub(crate) fn made_for(self, origin: impl Into<String>) -> Self {
        Self { origin: origin.into(), ..self }
    }
}

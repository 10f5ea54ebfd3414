//! What exists at a path.
//!
//! Invariant: links are followed, and what cannot be seen does not exist.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// What exists at a path, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PathKind {
    /// Nothing visible.
    Nothing,
    /// A file.
    File,
    /// A directory.
    Directory,
    /// Something else, such as a pipe.
    Other,
}

impl PathKind {
    pub(super) fn at(path: &Path) -> PathKind {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => PathKind::File,
            Ok(metadata) if metadata.is_dir() => PathKind::Directory,
            Ok(_) => PathKind::Other,
            Err(_) => PathKind::Nothing,
        }
    }
}

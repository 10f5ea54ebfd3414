//! The files below a directory.
//!
//! Invariant: names have slashes, also on Windows. What cannot be read is left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::FileKind;

/// The files of a kind below a directory: their paths from there, sorted, and their full paths.
pub(crate) fn sorted(dir: &Path, kind: FileKind) -> impl Iterator<Item = (String, PathBuf)> {
    let mut files = BTreeMap::new();
    add(dir, "", kind, &mut files);
    files.into_iter()
}

fn add(dir: &Path, prefix: &str, kind: FileKind, files: &mut BTreeMap<String, PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let (Ok(file_type), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        let name = format!("{prefix}{name}");
        if file_type.is_dir() {
            add(&entry.path(), &format!("{name}/"), kind, files);
        } else if file_type.is_file() && kind.has(&name) {
            files.insert(name, entry.path());
        }
    }
}

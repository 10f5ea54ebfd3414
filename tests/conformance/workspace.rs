//! Working directories: inputs are laid out, a generator runs, and only files that it wrote or
//! changed are kept.
//!
//! Invariant: both generators get equal directories and only relative paths, so that paths in the
//! output agree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory with inputs, before a run writes to it.
pub(crate) struct Prepared {
    directory: PathBuf,
    /// The digest of each input, by relative path: an input that a run changes is an output.
    inputs: BTreeMap<PathBuf, u128>,
}

impl Prepared {
    /// Records the inputs in `directory`.
    pub(crate) fn new(directory: &Path) -> Result<Prepared, String> {
        let mut inputs = BTreeMap::new();
        for path in files(directory)? {
            let digest = digest(&read(&directory.join(&path))?);
            inputs.insert(path, digest);
        }
        Ok(Prepared { directory: directory.to_owned(), inputs })
    }

    /// Where the inputs are.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Removes unchanged inputs, and directories that are then empty.
    pub(crate) fn keep_outputs(self) -> Result<(), String> {
        for (path, before) in &self.inputs {
            let path = self.directory.join(path);
            if digest(&read(&path)?) == *before {
                std::fs::remove_file(&path).map_err(|error| at(&path, error))?;
            }
        }
        let entries = walkdir::WalkDir::new(&self.directory).min_depth(1).contents_first(true);
        for entry in entries.into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_dir()) {
            // Fails for a directory that is not empty, as intended.
            let _ = std::fs::remove_dir(entry.path());
        }
        Ok(())
    }
}

/// All files below a directory, relative to it, in order.
pub(crate) fn files(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(directory) {
        let entry = entry.map_err(|error| error.to_string())?;
        if !entry.file_type().is_dir() {
            found.push(entry.path().strip_prefix(directory).map_err(|error| error.to_string())?.to_owned());
        }
    }
    found.sort();
    Ok(found)
}

/// Makes an empty directory at this path, and removes what was there.
pub(crate) fn fresh(directory: &Path) -> Result<(), String> {
    if directory.exists() {
        std::fs::remove_dir_all(directory).map_err(|error| at(directory, error))?;
    }
    std::fs::create_dir_all(directory).map_err(|error| at(directory, error))
}

/// Removes a directory that was compared and found right. One that was not remains, to be looked
/// at: all of them would take 3 GB.
pub(crate) fn remove(directory: &Path) -> Result<(), String> {
    std::fs::remove_dir_all(directory).map_err(|error| at(directory, error))
}

/// Copies a file or a directory.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let pairs = if from.is_dir() {
        files(from)?.iter().map(|path| (from.join(path), to.join(path))).collect()
    } else {
        vec![(from.to_owned(), to.to_owned())]
    };
    for (from, to) in pairs {
        write(&to, &read(&from)?)?;
    }
    Ok(())
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| at(path, error))
}

pub(crate) fn text(path: &Path) -> Result<String, String> {
    String::from_utf8(read(path)?).map_err(|error| format!("{}: {error}", path.display()))
}

pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|error| at(parent, error))?;
    }
    std::fs::write(path, bytes).map_err(|error| at(path, error))
}

/// Runs a command to its end.
///
/// Fails if it does not start, or ends with another status than 0; the message has the command and
/// the end of its output.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = said.lines().collect();
    let tail = lines[lines.len().saturating_sub(60)..].join("\n");
    Err(format!("{command:?}\nin {:?}\nended with {}:\n{tail}", command.get_current_dir(), output.status))
}

/// A configuration's name as one path component.
pub(crate) fn flat(name: &str) -> String {
    name.replace('/', "-")
}

pub(crate) fn digest(bytes: &[u8]) -> u128 {
    twox_hash::XxHash3_128::oneshot(bytes)
}

fn at(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

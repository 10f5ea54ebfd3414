//! Reads input files into the session.
//!
//! Invariant: every file that is read is in `Session::inputs` and seen through `Session::seen`.

use std::path::Path;

use super::{Session, Stop};
use crate::diag::{Diagnostic, codes};
use crate::yaml;

impl Session {
    /// Reads a file's bytes.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read_bytes(&mut self, path: &Path) -> Result<Vec<u8>, Stop> {
        let bytes = self.seen.read(path).map_err(|error| read_failed(path, &error))?;
        self.timings.count_read(bytes.len());
        self.inputs.push(path.to_owned());
        Ok(bytes)
    }

    /// Reads a YAML file into a tree. Syntax errors are diagnostics.
    ///
    /// # Errors
    /// The file cannot be read, is no text, or has no tree.
    pub fn read_yaml(&mut self, path: &Path, options: yaml::Options) -> Result<yaml::Node, Stop> {
        let bytes = self.read_bytes(path)?;
        let name = path.to_string_lossy();
        let text = yaml::decode(&name, bytes).map_err(|diagnostic| {
            self.diagnostics.push(diagnostic);
            Stop::Faults
        })?;
        let file = self.sources.add(name, text);
        let root = yaml::parse(&self.sources, file, options, &mut self.diagnostics).ok_or(Stop::Faults);
        self.timings.lap("yaml");
        root
    }
}

/// A file that cannot be read.
pub(crate) fn read_failed(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(&codes::READ_FAILED, format!("cannot read `{}`: {error}", path.display()))
}

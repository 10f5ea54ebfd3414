//! Reads input files into the session.
//!
//! Invariant: every file read is in `Session::inputs`, and was read through `Session::seen`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{JobError, Session};
use torchgen_base::diag::{Diagnostic, Diagnostics, FileId, Span, codes, plural};
use torchgen_base::write::manifest::PathKind;
use torchgen_base::yaml;

impl Session {
    /// Reads a file's bytes.
    pub fn read_bytes(&mut self, path: &Path) -> Result<Vec<u8>, JobError> {
        let bytes = self.seen.read_file(path).map_err(|error| read_failed(path, &error))?;
        self.timings.count_read(bytes.len());
        self.inputs.push(path.to_owned());
        Ok(bytes)
    }

    /// Reads a YAML file into a tree. Syntax errors are diagnostics.
    ///
    /// # Errors
    /// The file cannot be read, is not text, or has no tree.
    pub fn read_yaml(&mut self, path: &Path, options: yaml::Options) -> Result<yaml::Node, JobError> {
        let file = self.read_text(path)?;
        let root = yaml::parse(&self.sources, file, options, &mut self.diagnostics).ok_or(JobError::Input);
        self.timings.lap("yaml");
        root
    }

    /// Reads all documents of a YAML file. Syntax errors are diagnostics.
    ///
    /// # Errors
    /// The file cannot be read, is not text, or has a syntax error.
    pub fn read_documents(&mut self, path: &Path, options: yaml::Options) -> Result<Vec<yaml::Node>, JobError> {
        let file = self.read_text(path)?;
        let mut found = Diagnostics::new();
        let documents = yaml::parse_documents(&self.sources, file, options, &mut found);
        let failed = found.has_errors();
        self.diagnostics.extend(found);
        self.timings.lap("yaml");
        if failed { Err(JobError::Input) } else { Ok(documents) }
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// The file cannot be read, or is not text, which is a diagnostic.
    pub fn read_text(&mut self, path: &Path) -> Result<FileId, JobError> {
        let bytes = self.read_bytes(path)?;
        let name = path.to_string_lossy();
        match yaml::decode(&name, bytes) {
            Ok(text) => Ok(self.sources.add(name, text)),
            Err(wrong) => {
                wrong.report(&name, &mut self.sources, &mut self.diagnostics);
                Err(JobError::Input)
            }
        }
    }

    /// Reads the text of a C++ source, whose comments may be in any encoding. It may be UTF-16 or
    /// begin with a byte order mark.
    pub fn read_source(&mut self, path: &Path) -> Result<FileId, JobError> {
        let bytes = self.read_bytes(path)?;
        let text = String::from_utf8_lossy(&bytes);
        let text = match (bytes.as_slice(), text.strip_prefix('\u{feff}')) {
            ([0xff, 0xfe, ..] | [0xfe, 0xff, ..], _) => match yaml::decode("", bytes.clone()) {
                Ok(decoded) => decoded,
                Err(_) => text.into_owned(),
            },
            (_, Some(rest)) => rest.to_owned(),
            (_, None) => text.into_owned(),
        };
        Ok(self.sources.add(path.to_string_lossy(), text))
    }

    /// Whether an optional input exists: a file, or a pipe.
    ///
    /// # Errors
    /// The path is not a readable file: it is a directory or a dangling link.
    pub fn is_given(&mut self, path: &Path) -> Result<bool, Diagnostic> {
        let wrong = match self.seen.kind(path) {
            PathKind::File | PathKind::Other => return Ok(true),
            PathKind::Directory => "it is a directory",
            PathKind::Nothing if path.is_symlink() => "it is a dangling link",
            PathKind::Nothing => return Ok(false),
        };
        Err(read_failed(path, &std::io::Error::other(wrong)))
    }

    /// The paths without those of a file or directory that another one names already.
    pub fn distinct<'p>(&self, paths: &'p [PathBuf]) -> Vec<&'p PathBuf> {
        let mut known = BTreeSet::new();
        paths.iter().filter(|path| known.insert(self.seen.identity(path))).collect()
    }

    /// The number of YAML files read as input, in words.
    pub fn yaml_files(&self) -> String {
        let is_yaml = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
        let files: BTreeSet<PathBuf> =
            self.inputs.iter().filter(is_yaml).map(|path| self.seen.identity(path)).collect();
        plural(files.len(), "YAML file")
    }

    /// Takes the file that was read last off the inputs: it has nothing for the command. Hidden
    /// files are settings of other programs.
    pub(crate) fn pass_over(&mut self, path: &Path, without_family: Option<Span>) {
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let without_family = without_family.filter(|_| !is_hidden);
        if self.inputs.last().is_some_and(|last| last == path) {
            self.inputs.pop();
        }
        self.passed_over.push((path.to_owned(), without_family));
    }

    /// Reports the files beside those of a family that no command reads, and that do not name a
    /// family.
    pub fn report_unread(&mut self) {
        let mut known: BTreeSet<PathBuf> = self.inputs.iter().map(|path| self.seen.identity(path)).collect();
        for (path, start) in std::mem::take(&mut self.passed_over) {
            let Some(start) = start.filter(|_| known.insert(self.seen.identity(&path))) else { continue };
            // After an error, a command may not have come to a file that another one names.
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if self.diagnostics.has_errors() && self.sources.mention(&name) {
                continue;
            }
            let message = format!("nothing reads `{}`, because it does not name a family", path.display());
            let found = Diagnostic::new(&codes::NO_FAMILY, message).at(start);
            let help = "begin it with `family: NAME`, or move it to another directory";
            self.diagnostics.push(found.help(help));
        }
    }
}

/// The diagnostic for a file that cannot be read.
pub fn read_failed(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(&codes::READ_FAILED, format!("cannot read `{}`: {error}", path.display()))
}

//! All outputs of a run, collected before the first is written.
//!
//! Invariant: files stay in the order in which they were added, paths are unique, and all are below
//! their manager's directory.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rustc_hash::FxHashMap;

use super::file::{Outcome, WriteError, WrittenFile, has_contents, make_dir, write_if_changed};
use super::leftover::remove_leftovers;
use super::manager::{Manager, OutputFile};
use super::paths;
use super::stamp::Entry;
use crate::render::Contents;

/// The outputs of a run.
#[derive(Debug, Default)]
pub struct Plan {
    installs: Vec<(Manager, PathBuf)>,
    files: Vec<Planned>,
    /// The index of the file at each path.
    places: FxHashMap<PathBuf, usize>,
}

#[derive(Debug)]
struct Planned {
    path: PathBuf,
    file: OutputFile,
}

/// A file that cannot be in a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanError {
    /// The manager of the file.
    pub(crate) manager: Manager,
    /// Its path, as the generator gave it.
    pub(crate) path: String,
    /// Its origin; may be empty.
    pub(crate) origin: String,
    /// The error.
    pub(crate) kind: PlanErrorKind,
}

/// The error in a file of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlanErrorKind {
    /// Another file has the same path.
    Duplicate {
        /// The manager of the other file.
        manager: Manager,
        /// The origin of the other file; may be empty.
        origin: String,
    },
    /// The path is empty, absolute or leads out of the install directory.
    Outside,
    /// The run has no directory for the manager.
    NotInstalled,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { manager, path, origin, kind } = self;
        match kind {
            PlanErrorKind::Duplicate { manager: other, origin: first } => {
                write!(f, "`{path}` would be written twice")?;
                if !first.is_empty() && !origin.is_empty() {
                    write!(f, ", for `{first}` and for `{origin}`")?;
                }
                if manager != other {
                    write!(f, ", by the managers {} and {}", other.name(), manager.name())?;
                }
                Ok(())
            }
            PlanErrorKind::Outside => write!(f, "`{path}` is not below the install directory of {}", manager.name()),
            PlanErrorKind::NotInstalled => {
                write!(f, "`{path}` belongs to {}, which has no install directory in this run", manager.name())
            }
        }
    }
}

impl std::error::Error for PlanError {}

/// What a run wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The files that were written, in the plan's order; none in a dry run.
    pub changed: Vec<PathBuf>,
    /// The number of files that were unchanged.
    pub unchanged: usize,
    /// The total size of all files in bytes.
    pub bytes: u64,
    /// The total size of the files that were written.
    pub written_bytes: u64,
    /// The state to record for each file, in the plan's order; empty in a dry run.
    pub entries: Vec<Option<Entry>>,
}

impl Plan {
    /// A plan without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the directory of a manager. Lists show it as it is given here.
    pub fn install(&mut self, manager: Manager, dir: impl Into<PathBuf>) -> &mut Self {
        let dir = dir.into();
        match self.installs.iter_mut().find(|(known, _)| *known == manager) {
            Some(install) => install.1 = dir,
            None => self.installs.push((manager, dir)),
        }
        self
    }

    /// The managers that have a directory, in the order in which they were added, and their
    /// directories.
    pub fn installs(&self) -> impl Iterator<Item = (Manager, &Path)> {
        self.installs.iter().map(|(manager, dir)| (*manager, dir.as_path()))
    }

    /// Adds files, in order. Files with errors are left out.
    ///
    /// # Errors
    /// All files whose path is taken or outside the install directory, or whose manager has none.
    pub fn add(&mut self, files: impl IntoIterator<Item = OutputFile>) -> Result<(), Vec<PlanError>> {
        let errors: Vec<PlanError> = files.into_iter().filter_map(|file| self.add_one(file).err()).collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn add_one(&mut self, file: OutputFile) -> Result<(), PlanError> {
        let error =
            |kind| PlanError { manager: file.manager, path: file.path.clone(), origin: file.origin.clone(), kind };
        let Some((_, dir)) = self.installs.iter().find(|(manager, _)| *manager == file.manager) else {
            return Err(error(PlanErrorKind::NotInstalled));
        };
        let path = dir.join(paths::below(&file.path).ok_or_else(|| error(PlanErrorKind::Outside))?);
        if let Some(&other) = self.places.get(&path) {
            let Planned { file: other, .. } = &self.files[other];
            return Err(error(PlanErrorKind::Duplicate { manager: other.manager, origin: other.origin.clone() }));
        }
        self.places.insert(path.clone(), self.files.len());
        self.files.push(Planned { path, file });
        Ok(())
    }

    /// All files in order, with their paths.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &OutputFile)> {
        self.files.iter().map(|planned| (planned.path.as_path(), &planned.file))
    }

    /// The files that differ from those on disk or do not exist there, in order.
    pub fn changes(&self) -> Vec<PathBuf> {
        let differs =
            |planned: &&Planned| planned.file.kept.is_none() && !has_contents(&planned.path, &planned.file.contents);
        self.files.par_iter().filter(differs).map(|planned| planned.path.clone()).collect()
    }

    /// Writes the files that differ, in parallel, and creates their directories. A dry run only
    /// counts.
    ///
    /// # Errors
    /// All files that could not be written; the others are written.
    pub fn write(&self, dry_run: bool) -> Result<Report, Vec<WriteError>> {
        let bytes = self.files.iter().map(|planned| planned.file.len()).sum();
        if dry_run {
            return Ok(Report { bytes, ..Report::default() });
        }
        let dirs: BTreeSet<&Path> = self.files.iter().filter_map(|planned| planned.path.parent()).collect();
        let mut failed: Vec<WriteError> = dirs.iter().filter_map(|dir| make_dir(dir).err()).collect();
        failed.dedup_by(|next, first| next.path == first.path);
        if !failed.is_empty() {
            return Err(failed);
        }
        for dir in dirs {
            remove_leftovers(dir);
        }
        let write = |planned: &Planned| match planned.file.kept {
            Some(kept) => Ok(WrittenFile { outcome: Outcome::Unchanged, link_to: None, entry: Some(kept) }),
            None => write_if_changed(&planned.path, &planned.file.contents),
        };
        let outcomes: Vec<Result<WrittenFile, WriteError>> = self.files.par_iter().map(write).collect();

        let mut report = Report { bytes, ..Report::default() };
        let mut errors = self.shared(&outcomes);
        for (outcome, planned) in outcomes.into_iter().zip(&self.files) {
            match outcome {
                Ok(WrittenFile { outcome, entry, .. }) => {
                    match outcome {
                        Outcome::Unchanged => report.unchanged += 1,
                        Outcome::Written => {
                            report.changed.push(planned.path.clone());
                            report.written_bytes += planned.file.len();
                        }
                    }
                    report.entries.push(entry);
                }
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(report) } else { Err(errors) }
    }

    /// The links that lead to another file of the plan: one of the two now has the other's text.
    fn shared(&self, outcomes: &[Result<WrittenFile, WriteError>]) -> Vec<WriteError> {
        let linked = outcomes.iter().zip(&self.files);
        let linked: Vec<(&Planned, PathBuf)> = linked
            .filter_map(|(outcome, planned)| {
                let target = outcome.as_ref().ok()?.link_to.as_ref()?;
                Some((planned, target.canonicalize().ok()?))
            })
            .collect();
        if linked.is_empty() {
            return Vec::new();
        }
        let mut owners: FxHashMap<PathBuf, &Planned> = FxHashMap::default();
        let mut errors = Vec::new();
        // Files before links, so that the error is reported for the link.
        let files = self.files.iter().filter(|planned| !linked.iter().any(|(link, _)| link.path == planned.path));
        let files = files.filter_map(|planned| Some((planned, planned.path.canonicalize().ok()?)));
        for (planned, real) in files.chain(linked.iter().cloned()) {
            match owners.get(&real) {
                None => {
                    owners.insert(real, planned);
                }
                Some(owner) => {
                    let message = format!("it is the same file as {}, which is written too", owner.path.display());
                    errors.push(WriteError { path: planned.path.clone(), error: io::Error::other(message) });
                }
            }
        }
        errors
    }
}

/// Writes a file outside a plan, such as a list of outputs, and creates its directory.
pub(super) fn write_with_dir(path: &Path, contents: &Contents) -> Result<Outcome, WriteError> {
    if let Some(dir) = path.parent() {
        make_dir(dir)?;
    }
    Ok(write_if_changed(path, contents)?.outcome)
}

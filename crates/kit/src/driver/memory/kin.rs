//! Files that an earlier run wrote, and that this one would write again: those that do not depend
//! on the operators that the two runs select.
//!
//! Invariant: a file is kept only if all that the earlier run read is unchanged, if the two runs
//! differ in nothing but their selections, and if the file is on disk as that run left it.

use std::collections::HashMap;
use std::path::PathBuf;

use super::{Manifest, with_what_it_reads};
use crate::driver::Session;
use crate::driver::args::CommonArgs;
use torchgen_base::write::manifest::{Freshness, Record};
use torchgen_base::write::{Entry, Hash, Manager, OutputFile, Verdict};

/// The latest run that differs from this one in its selection only.
pub struct Kin {
    /// The state of each of its files, by absolute path.
    files: HashMap<PathBuf, Entry>,
    /// The directories of this run as absolute paths.
    places: Vec<(Manager, PathBuf)>,
}

impl Kin {
    /// Looks for the run. `tells_apart` is what the files depend on beside the command line and
    /// the contents of inputs.
    pub fn of(
        session: &mut Session,
        common: &CommonArgs,
        installs: &[(Manager, PathBuf)],
        tells_apart: &str,
    ) -> Option<Kin> {
        let invocation = session.invocation.as_mut()?;
        invocation.kin = Hash::of_bytes(format!("{:032x} {tells_apart}", invocation.kin.0).as_bytes());
        let (kin, dry_run) = (invocation.kin, invocation.dry_run);
        if common.force || common.verify || dry_run || session.trace.is_some() || session.host.calls_unknown_code() {
            return None;
        }
        let tool = session.host.tool()?;
        let mut record = Manifest::read_file(&invocation.manifest).latest_first().find(|record| record.kin == kin)?;
        let fresh = record.verify_unchanged(&tool.path, with_what_it_reads(tool.identity), false);
        if matches!(fresh, Freshness::Changed(_)) {
            return None;
        }
        // A directory that does not exist has no files to keep.
        let places = installs.iter().filter_map(|(manager, dir)| Some((*manager, dir.canonicalize().ok()?)));
        Some(Kin { places: places.collect(), files: files_of(&record) })
    }

    /// The files as they are on disk, if all of them are kept.
    pub fn keep(&self, mut named: Vec<OutputFile>) -> Option<Vec<OutputFile>> {
        for file in &mut named {
            file.kept = Some(self.entry(file)?);
        }
        Some(named)
    }

    fn entry(&self, file: &OutputFile) -> Option<Entry> {
        let (_, place) = self.places.iter().find(|(manager, _)| *manager == file.manager)?;
        let path = place.join(&file.path);
        let entry = *self.files.get(&path)?;
        // What a link leads to may be another file of this run.
        if path.symlink_metadata().ok()?.is_symlink() {
            return None;
        }
        match entry.verify_unchanged(&path) {
            Verdict::Same => Some(entry),
            Verdict::Compared(now) => Some(now),
            Verdict::Changed => None,
        }
    }
}

fn files_of(record: &Record) -> HashMap<PathBuf, Entry> {
    record.outputs.iter().map(|output| (record.place(output), output.entry)).collect()
}

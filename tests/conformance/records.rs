//! What the reference wrote for each configuration: paths and hashes of files, in
//! `records/<version of torch>/<kind>.txt`.
//!
//! Invariant: a file is exactly the text that [`text`] makes of its records, so that the same
//! records give the same file everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::workspace;

/// Paths with `/` between their parts, and the low half of each file's XXH3-128.
pub(crate) type Files = BTreeMap<String, u64>;

/// The record of one configuration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// The hash of the inputs, as [`super::reference::Reference::inputs`] returns it.
    pub(crate) inputs: String,
    pub(crate) files: Files,
}

/// The records of one kind, by the rest of the configuration's name.
pub(crate) type Kind = BTreeMap<String, Record>;

const HEAD: &str = "\
# What the reference writes, from `cargo test --test integration -- --record`. Not edited by hand.

# A configuration, and the hash of its inputs.
";
const GROUPS_HEAD: &str = "
# Configurations, and the files that all of them have, with their hashes.
";

/// All records of one version of the reference.
pub(crate) struct Records {
    directory: PathBuf,
    kinds: Mutex<BTreeMap<String, Kind>>,
}

impl Records {
    /// Reads a directory, which may be missing.
    pub(crate) fn load(directory: PathBuf) -> Result<Records, String> {
        let mut kinds = BTreeMap::new();
        let files = if directory.is_dir() { workspace::files(&directory)? } else { Vec::new() };
        for file in files {
            let path = directory.join(&file);
            let name = file.to_str().and_then(|name| name.strip_suffix(".txt"));
            let name = name.ok_or_else(|| format!("{} does not end in .txt", path.display()))?;
            let written = workspace::text(&path)?;
            let kind = parse(&written).map_err(|error| format!("{}: {error}", path.display()))?;
            if text(&kind) != written {
                return Err(format!("{} is not as `--record` writes it; restore it", path.display()));
            }
            kinds.insert(name.to_owned(), kind);
        }
        Ok(Records { directory, kinds: Mutex::new(kinds) })
    }

    /// The record of a configuration.
    pub(crate) fn get(&self, configuration: &str) -> Option<Record> {
        let (kind, name) = split(configuration);
        self.kinds().get(kind)?.get(name).cloned()
    }

    /// Replaces the record of a configuration, and writes the file of its kind. Drops the records
    /// of this kind that belong to none of these configurations.
    pub(crate) fn put(&self, configuration: &str, record: Record, known: &BTreeSet<&str>) -> Result<(), String> {
        let (kind, name) = split(configuration);
        let mut kinds = self.kinds();
        let records = kinds.entry(kind.to_owned()).or_default();
        records.insert(name.to_owned(), record);
        records.retain(|name, _| known.contains(format!("{kind}/{name}").as_str()));
        workspace::write(&self.directory.join(format!("{kind}.txt")), text(records).as_bytes())
    }

    /// The recorded configurations that are not among these.
    pub(crate) fn unknown(&self, known: &BTreeSet<&str>) -> Vec<String> {
        let kinds = self.kinds();
        let names = kinds.iter().flat_map(|(kind, records)| records.keys().map(move |name| format!("{kind}/{name}")));
        names.filter(|name| !known.contains(name.as_str())).collect()
    }

    fn kinds(&self) -> MutexGuard<'_, BTreeMap<String, Kind>> {
        // A test that panics does not leave a record half written.
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The kind of a configuration, which is its name up to the first `/`, and the rest.
pub(crate) fn split(configuration: &str) -> (&str, &str) {
    configuration.split_once('/').unwrap_or((configuration, ""))
}

/// The files below a directory, except those of this name.
pub(crate) fn files(directory: &Path, except: &str) -> Result<Files, String> {
    let mut files = Files::new();
    for path in workspace::files(directory)? {
        if path.file_name().is_some_and(|name| name == except) {
            continue;
        }
        let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
        let name = parts.map(|parts| parts.join("/")).filter(|name| !name.contains('\n'));
        let name = name.ok_or_else(|| format!("{} has no place in a record", path.display()))?;
        #[allow(clippy::cast_possible_truncation)]
        files.insert(name, workspace::digest(&workspace::read(&directory.join(&path))?) as u64);
    }
    Ok(files)
}

/// The file that holds these records. A file that several configurations share is listed once.
pub(crate) fn text(kind: &Kind) -> String {
    let mut text = HEAD.to_owned();
    let mut sharing: BTreeMap<(&str, u64), Vec<&str>> = BTreeMap::new();
    for (name, Record { inputs, files }) in kind {
        let _ = writeln!(text, "{name} {inputs}");
        for (path, hash) in files {
            sharing.entry((path, *hash)).or_default().push(name);
        }
    }
    let mut groups: BTreeMap<Vec<&str>, Vec<(&str, u64)>> = BTreeMap::new();
    for (file, names) in sharing {
        groups.entry(names).or_default().push(file);
    }
    text.push_str(GROUPS_HEAD);
    for (names, files) in groups {
        let _ = writeln!(text, "\n{}:", names.join(" "));
        let mut last = None;
        for (path, hash) in files {
            let (directory, name) = path.rsplit_once('/').unwrap_or((".", path));
            if last.replace(directory) != Some(directory) {
                let _ = writeln!(text, " {directory}/");
            }
            let _ = writeln!(text, "  {hash:016x} {name}");
        }
    }
    text
}

/// Reads what [`text`] writes.
pub(crate) fn parse(text: &str) -> Result<Kind, String> {
    let mut kind = Kind::new();
    let (mut group, mut directory) = (Vec::new(), "");
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = || format!("line {number} is not as `--record` writes it: {line}");
        if line.is_empty() || line.starts_with('#') {
        } else if let Some(file) = line.strip_prefix("  ") {
            let (hash, name) = file.split_once(' ').ok_or_else(wrong)?;
            let hash = u64::from_str_radix(hash, 16).map_err(|_| wrong())?;
            let path = if directory == "." { name.to_owned() } else { format!("{directory}/{name}") };
            for name in &group {
                let record = kind.get_mut(*name).ok_or_else(wrong)?;
                if record.files.insert(path.clone(), hash).is_some() {
                    return Err(wrong());
                }
            }
        } else if let Some(line) = line.strip_prefix(' ') {
            directory = line.strip_suffix('/').ok_or_else(wrong)?;
        } else if let Some(names) = line.strip_suffix(':') {
            group = names.split(' ').collect();
        } else {
            let (name, inputs) = line.split_once(' ').ok_or_else(wrong)?;
            kind.insert(name.to_owned(), Record { inputs: inputs.to_owned(), files: Files::new() });
        }
    }
    Ok(kind)
}

/// The paths whose hashes differ, or that only one of the two has.
pub(crate) fn different(recorded: &Files, written: &Files) -> Vec<String> {
    let paths: BTreeSet<&String> = recorded.keys().chain(written.keys()).collect();
    paths.into_iter().filter(|path| recorded.get(*path) != written.get(*path)).cloned().collect()
}

//! Finds the families of YAML files from their heads, before a command reads them.
//!
//! Invariant: an unreadable file belongs to no family; the command that reads it reports the error.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};

/// How much of a file is searched. A file may have documents of several families.
const LARGEST: u64 = 16 * 1024 * 1024;

/// How the sources are recognized whose files name no family.
#[derive(Debug, Clone, Copy)]
pub struct Unnamed {
    /// Their main file.
    pub file: &'static str,
    /// The folders of a source that may have it.
    pub folders: &'static [&'static str],
    /// Files beside it, which are large and name no family either.
    pub beside: &'static [&'static str],
}

impl Unnamed {
    /// Whether a directory is such a source.
    pub fn is_in(&self, directory: &Path) -> bool {
        self.folders.iter().any(|folder| directory.join(folder).join(self.file).is_file())
    }

    /// Whether a file in a directory belongs to such a source.
    fn owns(&self, path: &Path, directory: &Path) -> bool {
        let has_name = |name: &&str| path.file_name().is_some_and(|other| other == *name);
        (has_name(&self.file) || self.beside.iter().any(has_name)) && self.is_in(directory)
    }
}

/// Sources by what their files are for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ByFamily {
    /// The sources whose files name none, and those with nothing at all.
    pub unnamed: Vec<PathBuf>,
    /// The families that files name, each with its files.
    pub families: IndexMap<String, Vec<FamilyFile>>,
}

/// A file that names its family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyFile {
    /// The source that it was found in, or the file itself.
    pub source: PathBuf,
    /// The file.
    pub file: PathBuf,
}

impl ByFamily {
    /// Sorts sources. One that is given twice counts once.
    pub fn of(sources: &[PathBuf], unnamed: Unnamed) -> ByFamily {
        let mut sorted = ByFamily::default();
        let mut known = BTreeSet::new();
        for source in sources {
            if !known.insert(identity(source)) {
                continue;
            }
            let mut found = false;
            for file in if source.is_dir() { yaml_files(source, unnamed) } else { vec![source.clone()] } {
                for family in families_of_file(&file) {
                    found = true;
                    let file = FamilyFile { source: source.clone(), file: file.clone() };
                    sorted.families.entry(family).or_default().push(file);
                }
            }
            if !found || unnamed.is_in(source) {
                sorted.unnamed.push(source.clone());
            }
        }
        sorted
    }

    /// The sources of a family, each once.
    pub fn sources(files: &[FamilyFile]) -> Vec<PathBuf> {
        let sources: IndexSet<&PathBuf> = files.iter().map(|file| &file.source).collect();
        sources.into_iter().cloned().collect()
    }
}

/// What two paths of one file have in common: `Seen::identity`, before a run begins.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The YAML files of a directory that may name a family, sorted by name; none if it cannot be read.
fn yaml_files(directory: &Path, unnamed: Unnamed) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| {
        path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") && !unnamed.owns(path, directory)
    });
    paths.sort();
    paths
}

/// The value of `family:` at the start of a file, or of the first YAML file in a directory that has
/// one.
pub fn family_of(path: &Path, unnamed: Unnamed) -> Option<String> {
    let sorted = ByFamily::of(&[path.to_owned()], unnamed);
    sorted.families.into_keys().next().filter(|_| sorted.unnamed.is_empty())
}

/// The families that the documents of a file name, each once.
fn families_of_file(path: &Path) -> IndexSet<String> {
    // Opening a named pipe would block.
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return IndexSet::new();
    }
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes));
    if read.is_err() {
        return IndexSet::new();
    }
    let text = String::from_utf8_lossy(&bytes);
    let values = text.trim_start_matches('\u{feff}').lines().filter_map(|line| line.strip_prefix("family:"));
    let plain = |value: &str| {
        let value = value.split(" #").next().unwrap_or_default();
        value.trim().trim_matches(['"', '\'']).to_owned()
    };
    values.map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNNAMED: Unnamed = Unnamed { file: "main.yaml", folders: &["", "below"], beside: &["c.yaml"] };

    #[test]
    fn heads() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.yaml");
        for (text, family) in [
            ("family: graph-ir\n", Some("graph-ir")),
            ("# words\n\nfamily:  'graph-ir' # more\nops: []\n", Some("graph-ir")),
            ("\u{feff}family: \"x\"\r\n", Some("x")),
            ("- func: f() -> ()\n", None),
            ("a:\n  family: x\n", None),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(family_of(&path, UNNAMED).as_deref(), family, "{text}");
            assert_eq!(family_of(dir.path(), UNNAMED).as_deref(), family, "{text}");
        }
        fs::write(&path, "family: x\n").unwrap();
        fs::write(dir.path().join("main.yaml"), "[]\n").unwrap();
        assert_eq!(family_of(dir.path(), UNNAMED), None);
        assert_eq!(family_of(&dir.path().join("gone"), UNNAMED), None);
    }

    #[test]
    fn several_families() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            fs::write(dir.path().join(name), text).unwrap();
            dir.path().join(name)
        };
        let (a, b) = (file("a.yaml", "family: x\n---\nfamily: y\n---\nfamily: x\n"), file("b.yml", "family: x\n"));
        file("c.yaml", "kind: x\n");
        let source = dir.path().to_owned();
        let again = source.join(".").join("b.yml");
        let sorted = ByFamily::of(&[source.clone(), b.clone(), again], UNNAMED);
        let found: Vec<_> = sorted.families.iter().map(|(name, files)| (name.as_str(), files.len())).collect();
        assert_eq!((found, sorted.unnamed), (vec![("x", 3), ("y", 1)], Vec::new()));
        assert_eq!(ByFamily::sources(&sorted.families["x"]), [source.clone(), b]);
        let main = file("main.yaml", "[]\n");
        assert_eq!(ByFamily::of(&[source.clone(), a], UNNAMED).unnamed, [source]);
        assert_eq!(ByFamily::of(std::slice::from_ref(&main), UNNAMED).unnamed, [main]);
    }
}

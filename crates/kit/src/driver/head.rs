//! Finds the families of YAML files from their heads, before a command reads them.
//!
//! Invariant: an unreadable file belongs to no family; the command that reads it reports the error.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};
use torchgen_base::diag::nearest;
use torchgen_base::write::manifest::Seen;

/// How much of a file is searched. A file may have documents of several families.
const LARGEST: u64 = 16 * 1024 * 1024;

/// The same where directories are only looked at on the way to sources.
const BEGINNING: u64 = 64 * 1024;

/// How the sources are recognized whose files name no family.
#[derive(Debug, Clone, Copy)]
pub struct Unnamed {
    /// Their main file.
    pub file: &'static str,
    /// The folders of a source that may have it.
    pub folders: &'static [&'static str],
    /// How an entry of that file begins.
    pub entry: &'static str,
    /// Files beside it, which are large and name no family either.
    pub beside: &'static [&'static str],
}

impl Unnamed {
    /// Whether a directory is such a source.
    pub fn is_in(&self, directory: &Path) -> bool {
        self.folders.iter().any(|folder| directory.join(folder).join(self.file).is_file())
    }

    /// A file of a directory without such a source that may have been meant, and what to do with
    /// it.
    pub fn meant(&self, directory: &Path) -> Option<(PathBuf, String)> {
        let mut found = yaml_files(directory, *self);
        let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
        found.retain(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            !name.is_empty() && !name.starts_with('.') && !self.beside.iter().any(|known| stem(known) == stem(name))
        });
        let is_similar = |path: &&PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            stem(name) == stem(self.file) || nearest(&stem(name), [stem(self.file).as_str()]).is_some()
        };
        let has_entries = |path: &&PathBuf| {
            let text = beginning(path, BEGINNING);
            text.lines().any(|line| line.trim_start().strip_prefix("- ").is_some_and(|key| key.starts_with(self.entry)))
        };
        let rename = format!("rename it to `{}`, or name it with `-s`", self.file);
        if let Some(path) = found.iter().find(is_similar).or_else(|| found.iter().find(has_entries)) {
            return Some((path.clone(), rename));
        }
        match found.as_slice() {
            [one] => Some((one.clone(), "begin it with `family: NAME`, if it belongs to a family".to_owned())),
            _ => None,
        }
    }

    /// The same of a directory that a run sees.
    pub fn is_seen_in(&self, directory: &Path, seen: &mut Seen) -> bool {
        self.folders.iter().any(|folder| seen.is_file(&directory.join(folder).join(self.file)))
    }

    /// Whether a file in a directory belongs to such a source.
    fn owns(&self, path: &Path, directory: &Path, seen: &mut Seen) -> bool {
        let has_name = |name: &&str| path.file_name().is_some_and(|other| other == *name);
        (has_name(&self.file) || self.beside.iter().any(has_name)) && self.is_seen_in(directory, seen)
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
    /// Sorts sources before a run begins. One that is given twice counts once.
    pub fn sort_sources(sources: &[PathBuf], unnamed: Unnamed) -> ByFamily {
        ByFamily::seen(sources, unnamed, &mut Seen::default())
    }

    /// Sorts sources as a run sees them, which may be in a revision.
    pub fn seen(sources: &[PathBuf], unnamed: Unnamed, seen: &mut Seen) -> ByFamily {
        let mut sorted = ByFamily::default();
        let mut known = BTreeSet::new();
        for source in sources {
            if !known.insert(seen.identity(source)) {
                continue;
            }
            let mut found = false;
            for file in if seen.is_dir(source) { yaml_files_seen(source, unnamed, seen) } else { vec![source.clone()] }
            {
                for family in families_of_file(&file, seen) {
                    found = true;
                    let file = FamilyFile { source: source.clone(), file: file.clone() };
                    sorted.families.entry(family).or_default().push(file);
                }
            }
            if !found || unnamed.is_seen_in(source, seen) {
                sorted.unnamed.push(source.clone());
            }
        }
        sorted
    }

    /// Whether a source names no family.
    pub fn has_unnamed(&self) -> bool {
        !self.unnamed.is_empty()
    }

    /// The sources of a family, each once.
    pub fn sources(files: &[FamilyFile]) -> Vec<PathBuf> {
        let sources: IndexSet<&PathBuf> = files.iter().map(|file| &file.source).collect();
        sources.into_iter().cloned().collect()
    }
}

/// The YAML files of a directory that may name a family, sorted by name; none if it cannot be read.
fn yaml_files(directory: &Path, unnamed: Unnamed) -> Vec<PathBuf> {
    yaml_files_seen(directory, unnamed, &mut Seen::default())
}

/// The same in a directory that a run sees.
fn yaml_files_seen(directory: &Path, unnamed: Unnamed, seen: &mut Seen) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        seen.entries(directory).unwrap_or_default().into_iter().map(|(path, _)| path).collect();
    paths.retain(|path| {
        path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml")
            && !unnamed.owns(path, directory, seen)
    });
    paths
}

/// The value of `family:` at the start of a file, or of the first YAML file in a directory that has
/// one.
pub fn family_of(path: &Path, unnamed: Unnamed) -> Option<String> {
    let sorted = ByFamily::sort_sources(&[path.to_owned()], unnamed);
    sorted.families.into_keys().next().filter(|_| sorted.unnamed.is_empty())
}

/// Whether a YAML file of a directory names such a family near its start.
pub fn has_family(directory: &Path, unnamed: Unnamed, is_meant: impl Fn(&str) -> bool) -> bool {
    let names = |file: &PathBuf| families_in(&beginning(file, BEGINNING));
    yaml_files(directory, unnamed).iter().any(|file| names(file).iter().any(|name| is_meant(name)))
}

/// The families that the documents of a file name, each once.
fn families_of_file(path: &Path, seen: &mut Seen) -> IndexSet<String> {
    // Opening a named pipe would block.
    let bytes = if seen.is_file(path) { seen.read_file(path).unwrap_or_default() } else { Vec::new() };
    families_in(&String::from_utf8_lossy(&bytes))
}

/// The text of a file; empty if it cannot be read.
pub(crate) fn text_of(path: &Path) -> String {
    beginning(path, LARGEST)
}

/// The first bytes of a file as text; empty if it cannot be read.
fn beginning(path: &Path, most: u64) -> String {
    // Opening a named pipe would block.
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return String::new();
    }
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    if read.is_err() {
        return String::new();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The families that a text names.
pub fn families_in(text: &str) -> IndexSet<String> {
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

    const UNNAMED: Unnamed = Unnamed { file: "main.yaml", folders: &["", "below"], entry: "f:", beside: &["c.yaml"] };

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
    fn files_that_may_have_been_meant() {
        let dir = tempfile::tempdir().unwrap();
        let meant = || UNNAMED.meant(dir.path()).map(|(path, _)| path.file_name().unwrap().to_owned());
        let file = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        file("c.yml", "a: b\n");
        file(".hidden.yaml", "- f: x\n");
        assert_eq!(meant(), None);
        file("a.yaml", "a: b\n");
        assert_eq!(meant().unwrap(), "a.yaml");
        file("b.yaml", "a: b\n");
        assert_eq!(meant(), None);
        file("z.yaml", "# words\n- f: x\n");
        assert_eq!(meant().unwrap(), "z.yaml");
        file("main.yml", "");
        assert_eq!(meant().unwrap(), "main.yml");
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
        let sorted = ByFamily::sort_sources(&[source.clone(), b.clone(), again], UNNAMED);
        let found: Vec<_> = sorted.families.iter().map(|(name, files)| (name.as_str(), files.len())).collect();
        assert_eq!((found, sorted.unnamed), (vec![("x", 3), ("y", 1)], Vec::new()));
        assert_eq!(ByFamily::sources(&sorted.families["x"]), [source.clone(), b]);
        let main = file("main.yaml", "[]\n");
        assert_eq!(ByFamily::sort_sources(&[source.clone(), a], UNNAMED).unnamed, [source]);
        assert_eq!(ByFamily::sort_sources(std::slice::from_ref(&main), UNNAMED).unnamed, [main]);
    }
}

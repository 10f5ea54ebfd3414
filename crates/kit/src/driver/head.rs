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

/// PyTorch's sources in a checkout.
pub const PYTORCH: &str = "aten/src/ATen";
/// The sources in the directory of a library.
pub const LIBRARY: &str = ".";

/// The source path if none is given: PyTorch's if this directory is a checkout, or this directory
/// if it has a library.
pub fn sources_here() -> Option<&'static str> {
    if Path::new(PYTORCH).is_dir() {
        return Some(PYTORCH);
    }
    Path::new("native_functions.yaml").is_file().then_some(LIBRARY)
}

/// Sources by what their files are for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ByFamily {
    /// The sources with operators of PyTorch or of a library, or with nothing at all.
    pub operators: Vec<PathBuf>,
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
    pub fn of(sources: &[PathBuf]) -> ByFamily {
        let mut sorted = ByFamily::default();
        let mut known = BTreeSet::new();
        for source in sources {
            if !known.insert(identity(source)) {
                continue;
            }
            let mut found = false;
            for file in if source.is_dir() { yaml_files(source) } else { vec![source.clone()] } {
                for family in families_of_file(&file) {
                    found = true;
                    let file = FamilyFile { source: source.clone(), file: file.clone() };
                    sorted.families.entry(family).or_default().push(file);
                }
            }
            if !found || has_operators(source) {
                sorted.operators.push(source.clone());
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

/// Whether a directory has operators of PyTorch or of a library.
pub fn has_operators(path: &Path) -> bool {
    ["native_functions.yaml", "native/native_functions.yaml"].iter().any(|name| path.join(name).is_file())
}

/// Files of operators and what belongs to them, which are large and name no family.
const OPERATOR_FILES: [&str; 5] =
    ["deprecated.yaml", "derivatives.yaml", "library.yaml", "native_functions.yaml", "tags.yaml"];

/// The YAML files of a directory that may name a family, sorted by name; none if it cannot be read.
fn yaml_files(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let is_operators =
        |path: &Path| path.file_name().is_some_and(|name| OPERATOR_FILES.iter().any(|other| name == *other));
    paths.retain(|path| {
        path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml")
            && !(is_operators(path) && has_operators(directory))
    });
    paths.sort();
    paths
}

/// The value of `family:` at the start of a file, or of the first YAML file in a directory that has
/// one.
pub fn family_of(path: &Path) -> Option<String> {
    let sorted = ByFamily::of(&[path.to_owned()]);
    sorted.families.into_keys().next().filter(|_| sorted.operators.is_empty())
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
            assert_eq!(family_of(&path).as_deref(), family, "{text}");
            assert_eq!(family_of(dir.path()).as_deref(), family, "{text}");
        }
        fs::write(&path, "family: x\n").unwrap();
        fs::write(dir.path().join("native_functions.yaml"), "[]\n").unwrap();
        assert_eq!(family_of(dir.path()), None);
        assert_eq!(family_of(&dir.path().join("gone")), None);
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
        let sorted = ByFamily::of(&[source.clone(), b.clone(), again]);
        let found: Vec<_> = sorted.families.iter().map(|(name, files)| (name.as_str(), files.len())).collect();
        assert_eq!((found, sorted.operators), (vec![("x", 3), ("y", 1)], Vec::new()));
        assert_eq!(ByFamily::sources(&sorted.families["x"]), [source.clone(), b]);
        let native = file("native_functions.yaml", "[]\n");
        assert_eq!(ByFamily::of(&[source.clone(), a]).operators, [source]);
        assert_eq!(ByFamily::of(std::slice::from_ref(&native)).operators, [native]);
    }
}

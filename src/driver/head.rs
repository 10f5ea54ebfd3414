//! Finds the family of a YAML file from its head, before a command reads it.
//!
//! Invariant: an unreadable file belongs to no family; the command that reads it reports the error.

use std::fs;
use std::io::Read;
use std::path::Path;

/// How much of a file is searched.
const HEAD: u64 = 64 * 1024;

/// PyTorch's sources in a checkout.
pub(crate) const PYTORCH: &str = "aten/src/ATen";
/// The sources in the directory of a library.
pub(crate) const LIBRARY: &str = ".";

/// The source path if none is given: PyTorch's if this directory is a checkout, or this directory
/// if it has a library.
pub(crate) fn sources_here() -> Option<&'static str> {
    if Path::new(PYTORCH).is_dir() {
        return Some(PYTORCH);
    }
    Path::new("native_functions.yaml").is_file().then_some(LIBRARY)
}

/// The value of `family:` at the start of a file, or of the first YAML file in a directory that has
/// one.
pub(crate) fn family_of(path: &Path) -> Option<String> {
    if !path.is_dir() {
        return family_of_file(path);
    }
    // A directory with operators belongs to PyTorch or a library, whatever else it contains.
    if ["native_functions.yaml", "native/native_functions.yaml"].iter().any(|name| path.join(name).is_file()) {
        return None;
    }
    let mut paths: Vec<_> = fs::read_dir(path).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml"));
    paths.sort();
    paths.iter().find_map(|path| family_of_file(path))
}

fn family_of_file(path: &Path) -> Option<String> {
    // Opening a named pipe would block.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(HEAD).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let value = text.trim_start_matches('\u{feff}').lines().find_map(|line| line.strip_prefix("family:"))?;
    let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    Some(value.to_owned())
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
}

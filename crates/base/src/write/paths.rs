//! Paths as the reference prints, compares and resolves them, that is, as Python's `pathlib` does.

use std::cmp::Ordering;
use std::path::{Component, Path, PathBuf};

/// The path with slashes, without `.` components and doubled slashes; `..` stays.
pub(super) fn posix(path: &Path) -> String {
    let mut out = String::new();
    for component in path.components() {
        match component {
            Component::RootDir => {
                // Exactly two leading slashes have a special meaning in POSIX.
                let text = path.as_os_str().as_encoded_bytes();
                let two = text.starts_with(b"//") && !text.starts_with(b"///");
                out.push_str(if two { "//" } else { "/" });
            }
            Component::CurDir => {}
            Component::Prefix(prefix) => out.push_str(&prefix.as_os_str().to_string_lossy().replace('\\', "/")),
            Component::ParentDir | Component::Normal(_) => {
                if !out.is_empty() && !out.ends_with('/') {
                    out.push('/');
                }
                out.push_str(&component.as_os_str().to_string_lossy());
            }
        }
    }
    if out.is_empty() { ".".to_owned() } else { out }
}

/// Compares paths component by component: `a/z` comes before `a.b/c`.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    a.split('/').cmp(b.split('/'))
}

/// Whether the path leads to one of the files, also by links or another spelling.
pub fn is_among(path: &Path, files: &[PathBuf]) -> bool {
    let Ok(real) = path.canonicalize() else { return false };
    // Look up only the candidates.
    let may_be = |file: &&PathBuf| file.file_name() == real.file_name() || file.is_symlink();
    files.iter().filter(may_be).any(|file| file.canonicalize().is_ok_and(|file| file == real))
}

/// The absolute path, with links followed as far as it exists, so that a linked list is written
/// beside the real one.
pub(super) fn resolve(path: &Path) -> std::io::Result<PathBuf> {
    if let Ok(real) = path.canonicalize() {
        return Ok(real);
    }
    let path = std::path::absolute(path)?;
    match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(parent)), Some(name)) => Ok(parent.join(name)),
        _ => Ok(path),
    }
}

/// The path without `.`, and with each `..` applied as far as a part precedes it; links are not
/// followed.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => drop(plain.pop()),
            // Nothing is above the root.
            Component::ParentDir if plain.has_root() => {}
            part => plain.push(part),
        }
    }
    plain
}

/// The path below an install directory, without `.` and doubled slashes; `None` if it is empty,
/// absolute or leads out.
pub(super) fn below(path: &str) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => clean.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!clean.as_os_str().is_empty()).then_some(clean)
}

/// The path to one absolute path from another, with slashes.
pub fn relative(path: &Path, start: &Path) -> String {
    let shared = path.components().zip(start.components()).take_while(|(a, b)| a == b).count();
    let up = start.components().skip(shared).map(|_| "..".into());
    let down = path.components().skip(shared).map(|component| component.as_os_str().to_string_lossy());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posix_spelling() {
        for (path, expected) in [
            ("", "."),
            (".", "."),
            ("./a//b/./c", "a/b/c"),
            ("a/../b", "a/../b"),
            ("../a", "../a"),
            ("/a/b/", "/a/b"),
            ("//a", "//a"),
            ("///a", "/a"),
            ("/", "/"),
        ] {
            assert_eq!(posix(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn order_is_by_component() {
        let mut paths = ["a.b/c", "a/z", "a", "a/B", "a/b.h", "a/b/c", "a-b"];
        paths.sort_by(|a, b| compare(a, b));
        assert_eq!(paths, ["a", "a/B", "a/b/c", "a/b.h", "a/z", "a-b", "a.b/c"]);
    }

    #[test]
    fn dots_are_applied() {
        for (path, expected) in
            [("/a/./b/../c", "/a/c"), ("/../a", "/a"), ("a/../../b", "../b"), ("../../a", "../../a"), ("./a", "a")]
        {
            assert_eq!(without_dots(Path::new(path)), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn only_paths_below() {
        for (path, expected) in [
            ("a.h", Some("a.h")),
            ("a/./b//c", Some("a/b/c")),
            ("", None),
            (".", None),
            ("/a", None),
            ("a/../b", None),
            ("..", None),
        ] {
            assert_eq!(below(path), expected.map(PathBuf::from), "{path}");
        }
    }
}

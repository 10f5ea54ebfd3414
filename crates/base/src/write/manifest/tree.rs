//! Files that are not in the file system, such as those of a revision in a repository.
//!
//! Invariant: a path belongs to a tree if its text begins with the tree's prefix. Within the tree,
//! paths are relative, with `/`, and have no `.` and `..`.

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

use super::kind::PathKind;

/// Files in directories.
pub trait Tree: Debug + Send {
    /// What is at a path, links followed. The path of the root is empty.
    fn kind(&self, path: &str) -> PathKind;

    /// The bytes of a file.
    fn read_file(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The names in a directory, sorted.
    fn names(&self, path: &str) -> Vec<String>;
}

/// Trees, each with its prefix.
#[derive(Debug, Default)]
pub(super) struct Trees(Vec<(String, Box<dyn Tree>)>);

impl Trees {
    pub(super) fn add(&mut self, prefix: String, tree: Box<dyn Tree>) {
        self.0.push((prefix, tree));
    }

    /// The tree that a path belongs to, and its path there; `None` if that is above the root.
    fn find(&self, path: &Path) -> Option<(&str, &dyn Tree, Option<String>)> {
        if self.0.is_empty() {
            return None;
        }
        let text = path.to_str()?;
        self.0.iter().find_map(|(prefix, tree)| {
            let rest = text.strip_prefix(prefix.as_str())?;
            Some((prefix.as_str(), tree.as_ref(), normal(rest)))
        })
    }

    pub(super) fn kind(&self, path: &Path) -> Option<PathKind> {
        let (_, tree, path) = self.find(path)?;
        Some(path.map_or(PathKind::Nothing, |path| tree.kind(&path)))
    }

    pub(super) fn read_file(&self, path: &Path) -> Option<io::Result<Vec<u8>>> {
        let (_, tree, path) = self.find(path)?;
        Some(match path {
            Some(path) => tree.read_file(&path),
            None => Err(io::Error::new(io::ErrorKind::NotFound, "it is outside of the repository")),
        })
    }

    pub(super) fn identity(&self, path: &Path) -> Option<PathBuf> {
        let (prefix, _, inner) = self.find(path)?;
        Some(inner.map_or_else(|| path.to_owned(), |inner| format!("{prefix}{inner}").into()))
    }

    pub(super) fn entries(&self, dir: &Path) -> Option<io::Result<Vec<(PathBuf, bool)>>> {
        let (_, tree, path) = self.find(dir)?;
        Some(match path.filter(|path| tree.kind(path) == PathKind::Directory) {
            None => Err(io::ErrorKind::NotFound.into()),
            Some(path) => {
                let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
                let entry = |name: String| (dir.join(&name), tree.kind(&below(&name)) == PathKind::Directory);
                Ok(tree.names(&path).into_iter().map(entry).collect())
            }
        })
    }
}

/// A path without `.` and `..`; `None` if it is above the root.
fn normal(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::manifest::Seen;

    #[derive(Debug)]
    struct Two;

    impl Tree for Two {
        fn kind(&self, path: &str) -> PathKind {
            match path {
                "" | "a" => PathKind::Directory,
                "a/b" | "c" => PathKind::File,
                _ => PathKind::Nothing,
            }
        }

        fn read_file(&self, path: &str) -> io::Result<Vec<u8>> {
            if self.kind(path) == PathKind::File { Ok(path.into()) } else { Err(io::ErrorKind::NotFound.into()) }
        }

        fn names(&self, path: &str) -> Vec<String> {
            if path.is_empty() { vec!["a".into(), "c".into()] } else { vec!["b".into()] }
        }
    }

    #[test]
    fn files_of_a_tree() {
        let mut seen = Seen::default();
        seen.mount("v1:".to_owned(), Box::new(Two));
        assert_eq!(seen.read_file(Path::new("v1:a/./b")).unwrap(), b"a/b");
        assert_eq!(seen.read_file(Path::new("v1:a/../c")).unwrap(), b"c");
        assert!(seen.read_file(Path::new("v1:a/../../c")).unwrap_err().to_string().contains("outside"));
        assert!(seen.is_dir(Path::new("v1:.")) && seen.is_file(Path::new("v1:./c")) && !seen.exists(Path::new("v1:x")));
        let root = seen.entries(Path::new("v1:.")).unwrap();
        assert_eq!(root, [("v1:./a".into(), true), ("v1:./c".into(), false)]);
        assert_eq!(seen.identity(Path::new("v1:./a/../c")), Path::new("v1:c"));
        assert!(seen.observations().is_none() && !seen.exists(Path::new("v2:c")));
    }
}

//! The projects that changed files belong to, for hooks that get the names of files.
//!
//! Invariant: only places of files decide, and whether a file names its family. A project that a
//! file may belong to is checked, even if it does not read the file.

use std::path::{Path, PathBuf};

use indexmap::IndexSet;
use torchgen_kit::driver::head::{Unnamed, family_of};

/// The directories to check, each once: for a file that names its family the file's own directory,
/// for another one the nearest directory above it that is a library.
pub(super) fn projects(files: &[PathBuf], unnamed: Unnamed) -> Vec<PathBuf> {
    let found: IndexSet<PathBuf> = files.iter().filter_map(|file| project(file, unnamed)).collect();
    found.into_iter().collect()
}

fn project(file: &Path, unnamed: Unnamed) -> Option<PathBuf> {
    let directory = |path: &Path| match path.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => path.to_owned(),
    };
    if file.is_dir() {
        return Some(file.to_owned());
    }
    if file.is_file() && family_of(file, unnamed).is_some() {
        return file.parent().map(directory);
    }
    let above = file.ancestors().skip(1).find(|above| above.join(unnamed.file).is_file())?;
    // The inner directory of PyTorch's own sources.
    let outer = above.parent().filter(|outer| above.ends_with("native") && outer.join("templates").is_dir());
    Some(directory(outer.unwrap_or(above)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::Fallback;
    use std::fs;
    use torchgen_kit::driver::family::DefaultFamily;

    #[test]
    fn files_belong_to_projects() {
        let dir = tempfile::tempdir().unwrap();
        let file = |path: &str, text: &str| {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let files = [
            file("one/native_functions.yaml", "[]"),
            file("one/derivatives.yaml", "[]"),
            file("two/ops/attention.yaml", "[]"),
            file("ir/nodes.yaml", "family: graph-ir"),
            file(".github/ci.yaml", "on: push"),
            file("aten/src/ATen/native/native_functions.yaml", "[]"),
        ];
        file("two/native_functions.yaml", "[]");
        file("aten/src/ATen/templates/Functions.h", "");
        let found = projects(&files, Fallback::SOURCES);
        let names: Vec<_> = found.iter().map(|path| path.strip_prefix(dir.path()).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["one", "two", "ir", "aten/src/ATen"]);
    }

    #[test]
    fn a_file_here_belongs_to_here() {
        // The repository itself has a library in its root.
        assert_eq!(projects(&["derivatives.yaml".into()], Fallback::SOURCES), [PathBuf::from(".")]);
        assert_eq!(projects(&["missing/of/nothing.yaml".into()], Fallback::SOURCES), [PathBuf::from(".")]);
    }
}

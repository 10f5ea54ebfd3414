//! Finds the sources that a command line does not name: those of the project around the current
//! directory.
//!
//! Invariant: PyTorch's sources are taken only from the current directory, as the reference does.
//! The search goes upwards to the first directory with sources, and not past one with `.git`.

use std::path::{Path, PathBuf};

use crate::families::{self, Fallback};
use torchgen_base::diag::{Diagnostic, codes, nearest};
use torchgen_kit::driver::family::DefaultFamily;
use torchgen_kit::driver::head::{self, ByFamily};

/// Where sources were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Their directory, from the current one.
    pub(super) source: PathBuf,
    /// Whether they are PyTorch's own.
    pub(super) is_checkout: bool,
}

impl Place {
    /// The place for the current directory.
    pub(super) fn find() -> Option<Place> {
        Place::around(&std::env::current_dir().ok()?)
    }

    /// The place for a directory.
    fn around(here: &Path) -> Option<Place> {
        if here.join(Fallback::CHECKOUT).is_dir() {
            return Some(Place { source: Fallback::CHECKOUT.into(), is_checkout: true });
        }
        let known: Vec<&str> = families::names().collect();
        let is_known = |name: &str| known.contains(&name) || nearest(name, known.iter().copied()).is_some();
        for (above, directory) in here.ancestors().enumerate() {
            if Fallback::is_project(directory) || head::has_family(directory, Fallback::SOURCES, is_known) {
                let up: PathBuf = std::iter::repeat_n("..", above).collect();
                let source = if above == 0 { PathBuf::from(".") } else { up };
                return Some(Place { source, is_checkout: false });
            }
            if directory.join(".git").exists() {
                break;
            }
        }
        // A family that does not exist. In a directory above, the file may be another program's.
        let is_wrong = head::has_family(here, Fallback::SOURCES, |_| true);
        is_wrong.then(|| Place { source: ".".into(), is_checkout: false })
    }

    /// A path below it, as users write it.
    pub(super) fn join(&self, name: &str) -> PathBuf {
        if self.source == Path::new(".") { name.into() } else { self.source.join(name) }
    }

    /// What summaries say about sources in a directory above; nothing about those that are here.
    pub(super) fn described(&self) -> Option<String> {
        if self.is_checkout || self.source == Path::new(".") {
            return None;
        }
        let ByFamily { unnamed, families } =
            ByFamily::sort_sources(std::slice::from_ref(&self.source), Fallback::SOURCES);
        let own = (!unnamed.is_empty()).then_some(Fallback::PROJECT);
        let names: Vec<&str> = own.into_iter().chain(families.keys().map(String::as_str)).collect();
        Some(format!("{} in `{}`", names.join(", "), self.source.display()))
    }
}

/// How far below a directory projects are looked for.
const DEPTH: usize = 3;
/// How many directories are looked at, and how many projects are named.
const LOOKED_AT: usize = 2000;
const NAMED: usize = 8;

/// The error for a directory that has no sources, but projects below it.
pub(super) fn projects_below(directory: &Path) -> Option<Diagnostic> {
    if !directory.is_dir() || is_project(directory) {
        return None;
    }
    let found = below(directory);
    let named: Vec<String> = found.iter().take(NAMED).map(|path| format!("`{}`", path.display())).collect();
    if named.is_empty() {
        return None;
    }
    let more = found.len().saturating_sub(NAMED);
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    let message = format!("`{}` is not a project, but there are projects below it", directory.display());
    let error = Diagnostic::new(&codes::READ_FAILED, message).note(format!("{}{rest}", named.join(", ")));
    Some(error.help(format!("name those to check: `torchgen-rs check {}`", found[0].display())))
}

/// Whether a directory has sources.
fn is_project(directory: &Path) -> bool {
    let is_known = |name: &str| families::names().any(|known| known == name);
    Fallback::SOURCES.is_in(directory) || head::has_family(directory, Fallback::SOURCES, is_known)
}

/// The projects below a directory, the nearest first.
fn below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let (mut level, mut looked_at) = (vec![directory.to_owned()], 0);
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for path in level.iter().flat_map(|above| folders(above)) {
            looked_at += 1;
            if looked_at > LOOKED_AT {
                return found;
            }
            if is_project(&path) { found.push(path) } else { next.push(path) }
        }
        level = next;
    }
    found
}

/// The directories in a directory that may have projects, sorted: not hidden, and no links.
fn folders(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let is_folder = |entry: &std::fs::DirEntry| {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).filter(is_folder).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The error if there is no place.
pub(super) fn nothing() -> Diagnostic {
    let message = "found neither an operator library, nor a family, nor PyTorch";
    let file = Fallback::SOURCES.file;
    let looked = format!(
        "looked for `{}` in this directory, and for `{file}`, `library.yaml` or a YAML file with `family:` in this one and those above",
        Fallback::CHECKOUT
    );
    let error = Diagnostic::new(&codes::READ_FAILED, message).note(looked);
    let error = match Fallback::SOURCES.meant(Path::new(".")) {
        Some((path, help)) => {
            let name = path.strip_prefix(".").unwrap_or(&path).display().to_string();
            match std::fs::File::open(&path) {
                Ok(_) => error.help(format!("there is `{name}`: {help}")),
                Err(reason) => error.help(format!("there is `{name}`, but it cannot be read: {reason}")),
            }
        }
        None => error,
    };
    error.help("name the sources with `-s`, or start a project: `torchgen-rs new DIR`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_directory_with_sources() {
        let root = tempfile::tempdir().unwrap();
        let directory = |path: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(&path).unwrap();
            path
        };
        let file = |path: &str, text: &str| std::fs::write(root.path().join(path), text).unwrap();
        let found = |path: &str| Place::around(&directory(path)).map(|place| place.source.display().to_string());
        directory("r/.git");
        file("a.yaml", "family: graph-ir\n");
        assert_eq!(found("r"), None);
        assert_eq!(found("r/a/b"), None);
        assert_eq!(found("c/d").as_deref(), Some("../.."));
        directory("r/lib/native");
        file("r/lib/native_functions.yaml", "[]\n");
        assert_eq!(found("r/lib").as_deref(), Some("."));
        assert_eq!(found("r/lib/kernels/cpu").as_deref(), Some("../.."));
        // A misspelt family, which is reported then.
        file("r/a/a.yaml", "family: graph-ri\n");
        assert_eq!(found("r/a/b").as_deref(), Some(".."));
        file("r/a/a.yaml", "family: smith\n");
        assert_eq!(found("r/a/b"), None);
        assert_eq!(found("r/a").as_deref(), Some("."));
        // PyTorch's own files.
        directory("r/aten/src/ATen/native/cpu");
        file("r/aten/src/ATen/native/native_functions.yaml", "[]\n");
        assert_eq!(found("r/aten/src/ATen/native/cpu"), None);
        assert_eq!(found("r/aten/src/ATen/native"), None);
        assert_eq!(found("r/torch"), None);
        assert_eq!(found("r").as_deref(), Some("aten/src/ATen"));
    }

    #[test]
    fn projects_below_a_directory() {
        let root = tempfile::tempdir().unwrap();
        let file = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let found = || -> Vec<String> {
            let strip = |path: &PathBuf| path.strip_prefix(root.path()).unwrap().display().to_string();
            below(root.path()).iter().map(strip).collect()
        };
        file("z/nodes.yaml", "family: graph-ir\n");
        file("a/b/native_functions.yaml", "[]\n");
        // What is below a project belongs to it.
        file("z/inner/native_functions.yaml", "[]\n");
        file("fonts/font.yaml", "family: serif\n");
        file(".cache/native_functions.yaml", "[]\n");
        file("1/2/3/4/native_functions.yaml", "[]\n");
        assert_eq!(found(), ["z", "a/b"]);
        assert!(projects_below(&root.path().join("z")).is_none());
        assert!(projects_below(&root.path().join("fonts")).is_none());
        assert!(projects_below(root.path()).is_some());
    }
}

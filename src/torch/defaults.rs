//! Values for flags that follow from the files of a library.
//!
//! Invariant: only the names of files decide.

use std::path::{Path, PathBuf};

/// Where the projects of `new` have their kernels.
const KERNELS: &str = "kernels";

/// Values for flags that a command line lacks.
pub(super) fn of(command: &str, sources: &[PathBuf]) -> Vec<(&'static str, Vec<PathBuf>)> {
    let Some(root) = root(sources) else { return Vec::new() };
    match command {
        "kernels" => {
            let kernels = below(&root, KERNELS);
            kernels.is_dir().then(|| ("sources", vec![kernels])).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// A library's own directory: the first one that is given, or that of the first file.
fn root(sources: &[PathBuf]) -> Option<PathBuf> {
    let directory = sources.iter().find(|path| path.is_dir());
    directory.cloned().or_else(|| sources.first()?.parent().map(Path::to_owned))
}

/// A path below a directory, as users write it.
fn below(directory: &Path, name: &str) -> PathBuf {
    if directory == Path::new(".") { name.into() } else { directory.join(name) }
}

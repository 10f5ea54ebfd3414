//! Values for flags that follow from the files of a library.
//!
//! Invariant: they are found again in each run, before anything decides whether it can be skipped.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use torchgen_generators::layout::UNNAMED;
use torchgen_stable_tools::audit::is_library;

/// Where the projects of `new` have their kernels.
const KERNELS: &str = "kernels";
/// Where all other commands write what they generate.
const OUT: &str = "generated";
/// Where they are built.
const BUILD: &str = "build";

/// Values for flags that a command line lacks.
pub(super) fn defaults_of(command: &str, root: &Path) -> Vec<(&'static str, Vec<OsString>)> {
    match command {
        "kernels" | "check" => {
            let kernels = below(root, KERNELS);
            let flag = if command == "kernels" { "sources" } else { "kernels" };
            kernels.is_dir().then(|| (flag, vec![kernels.into()])).into_iter().collect()
        }
        "audit" => {
            let built = packaged(&below(root, BUILD)).into_iter().map(OsString::from).collect();
            let torch_min = torch_min(&root.join("library.yaml")).map(|version| ("torch-min", vec![version.into()]));
            std::iter::once(("", built)).chain(torch_min).collect()
        }
        // The command's own default is where PyTorch's build wants its files.
        "generate" if has_library(root) => vec![("install-dir", vec![OUT.into()])],
        _ => Vec::new(),
    }
}

/// Whether a directory has a library's sources, and not PyTorch's.
fn has_library(root: &Path) -> bool {
    let has = |folder: &str| root.join(folder).join(UNNAMED.file).is_file();
    has("") && !has("native")
}

/// A path below a directory, as users write it.
fn below(directory: &Path, name: &str) -> PathBuf {
    if directory == Path::new(".") { name.into() } else { directory.join(name) }
}

/// The libraries in the Python packages below a directory, sorted.
fn packaged(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_package = directory.join("__init__.py").is_file();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            found.extend(packaged(&path));
        } else if is_package && is_library(&path) {
            found.push(path);
        }
    }
    found
}

/// The oldest torch that a library.yaml names.
fn torch_min(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix("torch_min:"))?;
    let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    Some(value.to_owned()).filter(|value| !value.is_empty())
}

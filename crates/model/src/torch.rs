//! Finds an installed PyTorch or a checkout: its operators, templates and headers.
//!
//! Invariant: places are searched in a fixed order, and the first with
//! `native/native_functions.yaml` is used; if there is none, the error lists all places searched.

use std::path::{Path, PathBuf};

use torchgen_base::diag::{Diagnostic, codes};
use torchgen_base::write::manifest::Seen;
use torchgen_kit::driver::{JobError, Session};

/// A PyTorch installation or checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torch {
    /// The directory with `native/` and `templates/`.
    pub aten: PathBuf,
    /// The directory with `derivatives.yaml` and its templates.
    pub autograd: PathBuf,
    /// The directory of headers, `torch/include`; only an installed PyTorch has one.
    pub include: Option<PathBuf>,
}

impl Torch {
    /// Its `native_functions.yaml`.
    pub fn native_functions(&self) -> PathBuf {
        self.aten.join("native/native_functions.yaml")
    }

    /// Its `tags.yaml`.
    pub fn tags(&self) -> PathBuf {
        self.aten.join("native/tags.yaml")
    }

    /// Its file templates.
    pub fn templates(&self) -> PathBuf {
        self.aten.join("templates")
    }

    /// The PyTorch whose ATen is in that directory, if it exists.
    fn from_aten_directory(
        aten: PathBuf,
        autograd: PathBuf,
        package: Option<PathBuf>,
        seen: &mut Seen,
    ) -> Option<Torch> {
        if !seen.is_file(&aten.join("native/native_functions.yaml")) {
            return None;
        }
        let include = package.map(|package| package.join("include")).filter(|include| seen.is_dir(include));
        Some(Torch { aten, autograd, include })
    }

    /// A checkout of PyTorch.
    fn checkout(root: &Path, seen: &mut Seen) -> Option<Torch> {
        Torch::from_aten_directory(
            root.join("aten/src/ATen"),
            root.join("tools/autograd"),
            Some(root.join("torch")),
            seen,
        )
    }

    /// A directory that holds the packages `torchgen` and `torch`.
    fn packages(root: &Path, seen: &mut Seen) -> Option<Torch> {
        let packaged = root.join("torchgen/packaged");
        Torch::from_aten_directory(packaged.join("ATen"), packaged.join("autograd"), Some(root.join("torch")), seen)
    }

    /// The PyTorch at a `--torch-path`: a checkout, a directory of packages, one of the packages,
    /// or ATen's directory.
    fn given(path: &Path, seen: &mut Seen) -> Option<Torch> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Torch::checkout(path, seen)
            .or_else(|| Torch::packages(path, seen))
            .or_else(|| {
                let packaged = path.join("packaged");
                Torch::from_aten_directory(
                    packaged.join("ATen"),
                    packaged.join("autograd"),
                    Some(path.join("../torch")),
                    seen,
                )
            })
            .or_else(|| Torch::from_aten_directory(path.to_owned(), path.join("../autograd"), None, seen))
            .or_else(|| Torch::packages(parent, seen))
    }
}

/// Finds PyTorch: only at `given`, if it is given; else in the working directory, as
/// `python -m torchgen` does, in the environment of the Python that runs this, in the active one,
/// and beside each `python3` in `PATH`.
///
/// # Errors
/// There is none; the error lists the places searched.
pub fn find(given: Option<&Path>, session: &mut Session) -> Result<Torch, JobError> {
    if let Some(path) = given {
        return Torch::given(path, &mut session.seen).ok_or_else(|| {
            let message = format!("no PyTorch found in `{}`: there is no file native_functions.yaml", path.display());
            let help =
                "give a checkout of PyTorch, a `site-packages` directory, or the package `torch` or `torchgen` in it";
            let note = "searched aten/src/ATen, torchgen/packaged/ATen, packaged/ATen, native/native_functions.yaml";
            JobError::from(Diagnostic::new(&codes::READ_FAILED, message).note(note).help(help))
        });
    }
    let around = session.host.environment().map(Path::to_owned);
    let seen = &mut session.seen;
    let here = Path::new("");
    if let Some(torch) = Torch::checkout(here, seen).or_else(|| Torch::packages(here, seen)) {
        return Ok(torch);
    }
    let mut tried = vec!["the working directory".to_owned()];
    for root in prefixes(around, seen) {
        for packages in packages_below(&root, seen) {
            if let Some(torch) = Torch::packages(&packages, seen) {
                return Ok(torch);
            }
            tried.push(packages.display().to_string());
        }
    }
    let help =
        "set `--torch-path` to a checkout of PyTorch, or to the `site-packages` directory that it is installed in";
    let message = "no PyTorch found; its operators and templates are needed";
    let found = Diagnostic::new(&codes::READ_FAILED, message).note(format!("tried {}", tried.join("\ntried ")));
    Err(found.help(help).into())
}

/// Candidates for Python environments: that of the Python that runs this, the active ones, then
/// those whose `python3` is in `PATH`.
fn prefixes(around: Option<PathBuf>, seen: &mut Seen) -> Vec<PathBuf> {
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].map(|name| PathBuf::from(seen.variable(name)));
    let active = active.into_iter().filter(|prefix| !prefix.as_os_str().is_empty());
    let mut prefixes: Vec<PathBuf> = around.into_iter().chain(active).collect();
    let path = seen.variable("PATH");
    let names = if cfg!(windows) { ["python3.exe", "python.exe"] } else { ["python3", "python"] };
    for python in std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name))) {
        // The link may lead to the installation, or lie in an environment.
        for python in [Some(python.clone()), python.canonicalize().ok()].into_iter().flatten() {
            let Some(dir) = python.parent().filter(|_| seen.is_file(&python)) else { continue };
            let prefix = if cfg!(windows) { Some(dir) } else { dir.parent() };
            prefixes.extend(prefix.map(Path::to_owned));
        }
    }
    let mut unique: Vec<PathBuf> = Vec::new();
    for prefix in prefixes {
        if !unique.contains(&prefix) {
            unique.push(prefix);
        }
    }
    unique
}

/// The package directories below an environment, in order.
fn packages_below(prefix: &Path, seen: &mut Seen) -> Vec<PathBuf> {
    let mut found = vec![prefix.join("Lib/site-packages")];
    for lib in ["lib", "lib64", "local/lib"].map(|name| prefix.join(name)) {
        if !seen.is_dir(&lib) {
            continue;
        }
        let entries = seen.entries(&lib).unwrap_or_default();
        let is_python = |path: &Path| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("python3"))
        };
        let mut pythons: Vec<PathBuf> =
            entries.into_iter().filter(|(path, is_dir)| *is_dir && is_python(path)).map(|(path, _)| path).collect();
        pythons.sort();
        found.extend(pythons.iter().flat_map(|dir| ["site-packages", "dist-packages"].map(|name| dir.join(name))));
    }
    found.retain(|dir| seen.is_dir(dir));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        dir
    }

    #[test]
    fn what_may_be_given() {
        let packages = tree(&["torchgen/packaged/ATen/native/native_functions.yaml", "torch/include/ATen/ATen.h"]);
        let aten = packages.path().join("torchgen/packaged/ATen");
        for below in ["", "torchgen", "torch", "torchgen/packaged/ATen"] {
            let torch = find(Some(&packages.path().join(below)), &mut Session::default()).unwrap();
            assert_eq!(torch.aten.canonicalize().unwrap(), aten.canonicalize().unwrap(), "{below}");
        }
        let torch = find(Some(packages.path()), &mut Session::default()).unwrap();
        assert_eq!(torch.include, Some(packages.path().join("torch/include")));
        let checkout = tree(&["aten/src/ATen/native/native_functions.yaml"]);
        let torch = find(Some(checkout.path()), &mut Session::default()).unwrap();
        assert_eq!((torch.autograd, torch.include), (checkout.path().join("tools/autograd"), None));
        let Err(JobError::Failed(said)) = find(Some(&checkout.path().join("aten")), &mut Session::default()) else {
            panic!("there is none")
        };
        assert!(said[0].message.contains("no PyTorch found in"));
    }

    #[test]
    fn environments() {
        let env = tree(&["lib/python3.9/site-packages/x", "lib/python3.11/dist-packages/x", "lib/perl5/x"]);
        let found = packages_below(env.path(), &mut Seen::default());
        let expected =
            ["lib/python3.11/dist-packages", "lib/python3.9/site-packages"].map(|name| env.path().join(name));
        assert_eq!(found, expected);
    }
}

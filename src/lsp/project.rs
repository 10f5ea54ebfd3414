//! The sources that a file belongs to: a library, the files of a family, PyTorch's.
//!
//! Invariant: a file is checked with all that `torchgen-rs check` would read with it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use torchgen_kit::driver::family::DefaultFamily;
use torchgen_kit::driver::head::families_in;

use crate::cli::format::is_read;
use crate::families::{self, Fallback};

/// Sources that are checked together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Project {
    /// The directory, as `-s` names it.
    pub(super) source: PathBuf,
    /// The directory with derivatives.yaml, if it is not where it is searched.
    autograd: Option<PathBuf>,
}

impl Project {
    /// That of a file with this text, which the file system may not have.
    pub(super) fn containing(path: &Path, text: &str) -> Option<Project> {
        let directory = path.parent()?;
        let named = families_in(text);
        if named.iter().any(|family| families::names().any(|known| known == family)) {
            return Some(Project { source: directory.to_owned(), autograd: None });
        }
        let is = |name: &str| path.file_name().is_some_and(|own| own == name);
        let sources = Fallback::SOURCES;
        if is(sources.file) || sources.beside.iter().any(|name| is(name)) {
            return Project::with(directory);
        }
        // Other YAML below a library belongs to other programs.
        let is_yaml = path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
        if is_yaml && !is_read(path, text) {
            return None;
        }
        // An included file, or a kernel.
        directory.ancestors().find_map(|above| {
            let stops = above.join(".git").exists() && !Fallback::is_project(above);
            let found = Fallback::is_project(above).then(|| Project { source: above.to_owned(), autograd: None });
            if stops { Some(None) } else { found.map(Some) }
        })?
    }

    /// That of a directory with one of the files that name no family.
    fn with(directory: &Path) -> Option<Project> {
        let sources = Fallback::SOURCES;
        let is_named = |folder: &&&str| !folder.is_empty() && directory.ends_with(folder);
        let above = sources.folders.iter().find(is_named).and_then(|_| directory.parent());
        // PyTorch's derivatives are in another directory than its operators.
        let autograd = directory.parent().and_then(|above| {
            let packaged = above.join("ATen");
            let checkout = above.parent().map(|root| root.join(Fallback::CHECKOUT));
            [Some(packaged), checkout].into_iter().flatten().find(|source| sources.is_in(source))
        });
        let source = match above.filter(|above| sources.is_in(above) || directory.join(sources.file).is_file()) {
            Some(above) => above.to_owned(),
            None if directory.join(sources.file).is_file() => directory.to_owned(),
            None => autograd.clone().unwrap_or_else(|| directory.to_owned()),
        };
        let beside = source.parent().map(|above| above.join("autograd"));
        let packaged = beside.filter(|beside| source.ends_with("ATen") && beside.join("derivatives.yaml").is_file());
        Some(Project { source, autograd: packaged })
    }

    /// The command line of a command on it.
    pub(super) fn command(&self, words: impl IntoIterator<Item = impl Into<OsString>>) -> Vec<OsString> {
        let mut command = vec![OsString::from("torchgen-rs")];
        command.extend(words.into_iter().map(Into::into));
        command.extend(["-s".into(), self.source.clone().into_os_string()]);
        if let Some(autograd) = &self.autograd {
            command.extend(["--autograd-dir".into(), autograd.clone().into_os_string()]);
        }
        command
    }

    /// The directory that has its kernels in C++.
    pub(super) fn kernels(&self) -> PathBuf {
        self.native().unwrap_or_else(|| self.source.clone())
    }

    /// Whether it has PyTorch's layout, whose kernels no command compares: macros define many.
    pub(super) fn is_pytorchs(&self) -> bool {
        self.native().is_some()
    }

    /// The folder with the operators in PyTorch's layout.
    fn native(&self) -> Option<PathBuf> {
        let sources = Fallback::SOURCES;
        let folders = sources.folders.iter().filter(|folder| !folder.is_empty());
        folders.map(|folder| self.source.join(folder)).find(|folder| folder.join(sources.file).is_file())
    }

    /// The YAML files that may belong to it.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let checkout = self.source.ancestors().nth(3).map(|root| root.join("tools").join("autograd"));
        let native = self.source.join("native");
        let directories = [Some(self.source.clone()), Some(native), self.autograd.clone(), checkout];
        let entries = directories.into_iter().flatten().filter_map(|directory| std::fs::read_dir(directory).ok());
        let is_yaml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
        let mut files: Vec<PathBuf> = entries.flatten().flatten().map(|entry| entry.path()).filter(is_yaml).collect();
        files.sort();
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_belongs_to() {
        let root = tempfile::tempdir().expect("a directory");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            std::fs::write(&path, text).expect("a file");
        };
        write("lib/native_functions.yaml", "[]\n");
        write("lib/more/ops.yaml", "[]\n");
        write("lib/k/.git/x", "");
        write("torch/aten/src/ATen/native/native_functions.yaml", "[]\n");
        write("torch/tools/autograd/derivatives.yaml", "[]\n");
        write("wheel/ATen/native/native_functions.yaml", "[]\n");
        write("wheel/autograd/derivatives.yaml", "[]\n");
        let found = |path: &str, text: &str| {
            let project = Project::containing(&root.path().join(path), text)?;
            let relative = |path: &Path| path.strip_prefix(root.path()).expect("below").display().to_string();
            Some((relative(&project.source), project.autograd.as_deref().map(relative).unwrap_or_default()))
        };
        let known = |source: &str, autograd: &str| Some((source.to_owned(), autograd.to_owned()));
        assert_eq!(found("lib/derivatives.yaml", ""), known("lib", ""));
        let entry = "- func: mine::f(Tensor x) -> Tensor\n";
        assert_eq!(found("lib/more/ops.yaml", entry), known("lib", ""));
        assert_eq!(found("lib/more/ops.yaml", "on: push\n"), None);
        assert_eq!(found("lib/kernels/f.cpp", ""), known("lib", ""));
        assert_eq!(found("lib/k/ops.yaml", entry), None);
        assert_eq!(found("new/native_functions.yaml", ""), known("new", ""));
        assert_eq!(found("x/ir.yaml", "family: graph-ir\n"), known("x", ""));
        for file in [
            "aten/src/ATen/native/native_functions.yaml",
            "aten/src/ATen/native/tags.yaml",
            "tools/autograd/derivatives.yaml",
        ] {
            assert_eq!(found(&format!("torch/{file}"), ""), known("torch/aten/src/ATen", ""), "{file}");
        }
        for file in ["ATen/native/native_functions.yaml", "autograd/derivatives.yaml"] {
            assert_eq!(found(&format!("wheel/{file}"), ""), known("wheel/ATen", "wheel/autograd"), "{file}");
        }
    }
}

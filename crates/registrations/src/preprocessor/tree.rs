//! The files of a tree: those that were given, and those that they include.
//!
//! Invariant: each file is read once. An include leads to a file of the tree, or nowhere: beside
//! the file that has it, or else the one whose path ends so and which is nearest.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use torchgen_base::diag::FileId;
use torchgen_base::write::without_dots;
use torchgen_kit::driver::JobError;

use super::lexed::{Command, Item, Lexed};
use super::names::{Name, Names};
use crate::blocks::{is_autograd, is_library, is_module, is_pybind, is_registration};
use crate::files::Files;

/// A file.
#[derive(Debug)]
pub(super) struct File {
    pub(super) id: FileId,
    pub(super) lexed: Lexed,
    /// Its code, or a macro in it, registers something, or has an autograd function.
    pub(super) may_register: bool,
    /// It was given, and is a source rather than a header.
    pub(super) is_unit: bool,
    /// Jinja makes C++ of it.
    pub(super) is_template: bool,
    path: PathBuf,
    includes: FxHashMap<String, usize>,
}

impl File {
    /// Whether it is read once by each unit.
    pub(super) fn is_guarded(&self) -> bool {
        let is_once = |item: &Item| matches!(item, Item::Line(line) if matches!(line.command, Command::Once));
        self.lexed.guard.is_some() || self.lexed.lines.iter().take(8).any(|at| is_once(&self.lexed.items[*at]))
    }
}

/// All files.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
    /// How many were given.
    pub(super) given: usize,
    /// Those by the last part of their paths.
    by_name: FxHashMap<String, Vec<usize>>,
}

/// The endings of headers, which are read where sources include them.
const HEADERS: &[&str] = &["h", "hh", "hpp", "hxx", "cuh", "inl", "ipp", "inc"];

impl Tree {
    /// Reads the files, and those that they include.
    pub(super) fn read(given: &[PathBuf], names: &mut Names, files: &mut dyn Files) -> Result<Tree, JobError> {
        let mut tree = Tree::default();
        let mut known: FxHashMap<PathBuf, usize> = FxHashMap::default();
        for path in given {
            tree.add(path, names, &mut known, files)?;
        }
        tree.given = tree.files.len();
        for (at, file) in tree.files.iter().enumerate() {
            tree.by_name.entry(file_name(&file.path)).or_default().push(at);
        }
        let mut at = 0;
        while at < tree.files.len() {
            let written: Vec<String> = tree.files[at].lexed.includes().map(str::to_owned).collect();
            for one in written {
                if let Some(target) = tree.find(at, &one, names, &mut known, files)? {
                    tree.files[at].includes.insert(one, target);
                }
            }
            at += 1;
        }
        tree.find_registrations(names);
        Ok(tree)
    }

    /// The file that an include leads to.
    pub(super) fn included(&self, from: usize, written: &str) -> Option<usize> {
        let known = self.files[from].includes.get(written).copied();
        known.or_else(|| self.nearest(from, written.trim_matches(['"', '<', '>'])))
    }

    fn add(
        &mut self,
        path: &Path,
        names: &mut Names,
        known: &mut FxHashMap<PathBuf, usize>,
        files: &mut dyn Files,
    ) -> Result<usize, JobError> {
        let identity = files.identity(path);
        if let Some(at) = known.get(&identity) {
            return Ok(*at);
        }
        let id = files.read(path)?;
        let text = files.text(id);
        let is_template = text.contains("{%") && text.contains("%}");
        let lexed = Lexed::read(text, id, names);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_unit = !HEADERS.contains(&ending);
        let (path, includes) = (path.to_owned(), FxHashMap::default());
        known.insert(identity, self.files.len());
        self.files.push(File { id, lexed, may_register: false, is_unit, is_template, path, includes });
        Ok(self.files.len() - 1)
    }

    fn find(
        &mut self,
        from: usize,
        written: &str,
        names: &mut Names,
        known: &mut FxHashMap<PathBuf, usize>,
        files: &mut dyn Files,
    ) -> Result<Option<usize>, JobError> {
        let wanted = written.trim_matches(['"', '<', '>']);
        if written.starts_with('"') {
            let beside = without_dots(&self.files[from].path.parent().unwrap_or(Path::new("")).join(wanted));
            if files.is_file(&beside) {
                return self.add(&beside, names, known, files).map(Some);
            }
        }
        Ok(self.nearest(from, wanted))
    }

    /// The given file whose path ends so and which is nearest; the first of those that are as near.
    fn nearest(&self, from: usize, wanted: &str) -> Option<usize> {
        let wanted = Path::new(wanted);
        let own = &self.files[from].path;
        let common =
            |at: &usize| self.files[*at].path.components().zip(own.components()).take_while(|(a, b)| a == b).count();
        let fits = self.by_name.get(&file_name(wanted)).into_iter().flatten();
        let fits = fits.filter(|at| self.files[**at].path.ends_with(wanted)).copied();
        fits.rev().max_by_key(common)
    }

    /// Finds the files whose code registers something, also by macros of the tree.
    fn find_registrations(&mut self, names: &Names) {
        let mut users: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
        let mut open: Vec<Name> = Vec::new();
        for (name, own) in self.files.iter().flat_map(|file| file.lexed.macros()) {
            for piece in &own.body {
                users.entry(piece.name).or_default().push(name);
                if is_registration(names.text(piece.name)) {
                    open.push(name);
                }
            }
        }
        let mut register: FxHashSet<Name> = FxHashSet::default();
        while let Some(name) = open.pop() {
            if register.insert(name) {
                open.extend(users.get(&name).into_iter().flatten());
            }
        }
        for file in &mut self.files {
            let registers = |word: &Name| {
                let text = names.text(*word);
                register.contains(word) || is_registration(text) || is_library(text) || is_autograd(text)
            };
            let has = |is: fn(&str) -> bool| file.lexed.words.iter().any(|word| is(names.text(*word)));
            file.may_register = file.lexed.words.iter().any(registers) || has(is_module) && has(is_pybind);
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

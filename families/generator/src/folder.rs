//! The folder of a generator: its templates, and its data.
//!
//! Invariant: only files of the folder are read, and what replaces them; a link that leads out of
//! it is refused.

use std::path::{Path, PathBuf};

use minijinja::{Environment, Value};
use rustc_hash::FxHashMap;
use torchgen_base::diag::{Diagnostic, FileId, Span, codes as shared, nearest};
use torchgen_base::render::{marked_template, unmarked, user_environment, user_template};
use torchgen_base::yaml::{self, Options};
use torchgen_kit::driver::templates::{files_below, unknown_overlay};
use torchgen_kit::driver::{JobError, Session};

use super::codes;
use super::manifest::Manifest;
use super::report::line;
use super::values::{self, wrong};

/// The folder.
pub(crate) struct Folder {
    dir: PathBuf,
    /// The templates by name, in the order of names.
    pub(crate) files: FxHashMap<String, FileId>,
}

/// How the names of templates end.
const TEMPLATE: &str = ".j2";
/// The folder of a generator's own tests.
pub(crate) const TESTS: &str = "tests/";

impl Folder {
    /// Reads the templates of a folder, and those of directories that replace them.
    pub(crate) fn read(dir: &Path, overlays: &[PathBuf], session: &mut Session) -> Result<Folder, JobError> {
        let mut folder = Folder { dir: dir.to_owned(), files: FxHashMap::default() };
        for (name, path) in files_below(dir, &mut session.seen)? {
            if name.ends_with(TEMPLATE) && !name.starts_with(TESTS) {
                folder.add(name, &path, dir, session)?;
            }
        }
        for overlay in overlays {
            for (name, path) in files_below(overlay, &mut session.seen)? {
                if name.starts_with("generator/") {
                    continue;
                }
                if !folder.files.contains_key(&name) {
                    let near = nearest(&name, folder.files.keys().map(String::as_str));
                    let near = near.map(|name| format!("did you mean `{name}`?"));
                    return Err(unknown_overlay(&name, &path).maybe_help(near).into());
                }
                folder.add(name, &path, overlay, session)?;
            }
        }
        Ok(folder)
    }

    fn add(&mut self, name: String, path: &Path, dir: &Path, session: &mut Session) -> Result<(), JobError> {
        let refused = |why: &str| {
            JobError::from(Diagnostic::new(&shared::TEMPLATE, format!("template `{}` {why}", path.display())))
        };
        if session.seen.is_other(path) {
            return Err(refused("is not a file"));
        }
        if is_outside(path, dir) {
            return Err(refused("is a link that leads out of the folder"));
        }
        let bytes = session.read_bytes(path)?;
        let text = String::from_utf8(bytes).map_err(|_| refused("is not UTF-8"))?;
        let shown = path.strip_prefix("./").unwrap_or(path).to_string_lossy();
        let file = match user_template(&text) {
            Ok(text) => session.sources.add(shown, text.into_owned()),
            Err((number, why)) => {
                let file = session.sources.add(shown, text);
                let range = line(session.sources.text(file), number);
                let span = Span::new(file, range.start, range.end);
                session.diagnostics.push(Diagnostic::new(&codes::RENDER, why).at(span));
                file
            }
        };
        self.files.insert(name, file);
        Ok(())
    }

    /// The engine with the templates. Errors in their syntax are diagnostics.
    pub(crate) fn environment(&self, session: &mut Session) -> Option<Environment<'static>> {
        let mut environment = user_environment().ok()?;
        let mut correct = true;
        let mut names: Vec<(&String, &FileId)> = self.files.iter().collect();
        names.sort();
        for (name, file) in names {
            let text = session.sources.text(*file);
            let marked = marked_template(text);
            if let Err(error) = environment.add_template_owned(name.clone(), marked.clone().into_owned()) {
                let range = error.range().map(|range| unmarked(&marked, range));
                let range = range.unwrap_or_else(|| line(text, error.line().unwrap_or(1)));
                let what = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
                let found = Diagnostic::new(&codes::RENDER, format!("syntax error: {what}"));
                session.diagnostics.push(found.at(Span::new(*file, range.start, range.end.min(text.len()))));
                correct = false;
            }
        }
        correct.then_some(environment)
    }

    /// The files that the manifest names as data.
    pub(crate) fn data(&self, manifest: &Manifest, session: &mut Session) -> Result<Value, JobError> {
        let mut all = Vec::new();
        for (name, file) in &manifest.data {
            let path = self.dir.join(file.as_str());
            if !session.seen.is_file(&path) || is_outside(&path, &self.dir) {
                let message = format!("there is no file `{}` in the folder of the generator", file.as_str());
                session.diagnostics.push(wrong(file.span(), message));
                continue;
            }
            let file = session.read_text(&path)?;
            let root = yaml::parse(&session.sources, file, Options::SAFE_LOAD, &mut session.diagnostics);
            let value = root.map(|root| values::of(&root)).unwrap_or_else(|| Value::from(()));
            all.push((name.as_str().to_owned(), value));
        }
        Ok(Value::from_pairs(all))
    }
}

/// Whether a path leads out of a directory.
fn is_outside(path: &Path, dir: &Path) -> bool {
    match (path.canonicalize(), dir.canonicalize()) {
        (Ok(path), Ok(dir)) => !path.starts_with(dir),
        _ => path.components().any(|part| part == std::path::Component::ParentDir),
    }
}

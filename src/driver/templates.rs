//! Loads a source path's templates and the overlays of `--template-dir` into the renderer.
//!
//! Invariant: an overlay replaces an existing template; any other name is an error.

use std::path::{Path, PathBuf};

use super::files::read_failed;
use super::{JobError, Session};
use crate::diag::{Diagnostic, codes};
use crate::render::Renderer;
use crate::write::manifest::Seen;

impl Session {
    /// The embedded templates, with those of overlay directories applied.
    ///
    /// # Errors
    /// As [`Session::overlay_templates`].
    pub(crate) fn renderer(&mut self, overlays: &[PathBuf]) -> Result<Renderer, JobError> {
        let mut renderer = Renderer::new()?;
        self.overlay_templates(&mut renderer, overlays)?;
        Ok(renderer)
    }

    /// The same with the templates of a source path, which overlays may replace too.
    ///
    /// # Errors
    /// As [`Session::load_templates`] and [`Session::overlay_templates`].
    pub(crate) fn renderer_with(&mut self, dir: &Path, overlays: &[PathBuf]) -> Result<Renderer, JobError> {
        let mut renderer = Renderer::new()?;
        self.load_templates(&mut renderer, dir)?;
        self.overlay_templates(&mut renderer, overlays)?;
        Ok(renderer)
    }

    /// Adds every file of a source path's `templates/` under its file name.
    ///
    /// # Errors
    /// The directory or a file in it cannot be read, or a template does not compile.
    pub(crate) fn load_templates(&mut self, renderer: &mut Renderer, dir: &Path) -> Result<(), JobError> {
        for (name, path) in files_below(dir, &mut self.seen)? {
            self.add_template(renderer, &name, &path)?;
        }
        Ok(())
    }

    /// Replaces templates by those of the overlay directories; the last one wins.
    ///
    /// # Errors
    /// As for [`Session::load_templates`], or an overlay matches no template.
    pub(crate) fn overlay_templates(&mut self, renderer: &mut Renderer, dirs: &[PathBuf]) -> Result<(), JobError> {
        let mut unknown = Vec::new();
        self.overlays.extend_from_slice(dirs);
        for dir in dirs {
            for (name, path) in files_below(dir, &mut self.seen)? {
                if !renderer.has_template(&name) {
                    unknown.push(unknown_template(renderer, &name, &path));
                    continue;
                }
                self.add_template(renderer, &name, &path)?;
            }
        }
        if unknown.is_empty() { Ok(()) } else { Err(JobError::Failed(unknown)) }
    }

    /// Adds one template.
    ///
    /// # Errors
    /// The file cannot be read, or the template does not compile.
    pub(crate) fn add_template(&mut self, renderer: &mut Renderer, name: &str, path: &Path) -> Result<(), JobError> {
        let bytes = self.read_bytes(path)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Diagnostic::new(&codes::TEMPLATE, format!("template `{}` is not UTF-8", path.display())))?;
        let file = self.sources.add(path.to_string_lossy(), text.clone());
        renderer.add_template_of(name, &text, file).map_err(|error| {
            self.diagnostics.push(error.diagnostic());
            JobError::Input
        })
    }
}

/// All files below a directory: names relative to it, with slashes, sorted. Skips links to a directory that
/// they lie in, and the files that editors and file managers leave behind.
pub(crate) fn files_below(dir: &Path, seen: &mut Seen) -> Result<Vec<(String, PathBuf)>, JobError> {
    let mut files = Vec::new();
    // For each directory its prefix, its path, and the real paths that lead to it.
    let mut pending: Vec<(String, PathBuf, Vec<PathBuf>)> = vec![(String::new(), dir.to_owned(), Vec::new())];
    while let Some((prefix, dir, mut above)) = pending.pop() {
        let real = dir.canonicalize().map_err(|error| read_failed(&dir, &error))?;
        if above.contains(&real) {
            continue;
        }
        above.push(real);
        for (path, is_dir) in seen.entries(&dir).map_err(|error| read_failed(&dir, &error))? {
            let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| !is_by_product(name)) else {
                continue;
            };
            let name = format!("{prefix}{name}");
            if is_dir {
                pending.push((format!("{name}/"), path, above.clone()));
            } else {
                files.push((name, path));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Swap files, locks, backups, folder settings: `.a.swp`, `.#a`, `a~`, `#a#`, `.DS_Store`. Hidden files are
/// neither templates nor sources.
fn is_by_product(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'))
}

fn unknown_template(renderer: &Renderer, name: &str, path: &Path) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &codes::UNKNOWN_TEMPLATE,
        format!("`{}` replaces no template: there is none named `{name}`", path.display()),
    );
    match renderer.nearest_template(name) {
        Some(nearest) => diagnostic.help(format!("did you mean `{nearest}`?")),
        None => diagnostic.help("a file is an overlay of the template with the same path below templates/"),
    }
}

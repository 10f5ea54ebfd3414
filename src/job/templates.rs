//! Loads a source path's templates and the overlays of `--template-dir` into the renderer.
//!
//! Invariant: an overlay replaces a template that exists; a name that matches none is an error. Deliberately absent: template syntax.

use std::path::{Path, PathBuf};

use super::inputs::read_failed;
use super::{Session, Stop};
use crate::diag::{Diagnostic, codes};
use crate::render::Renderer;

impl Session {
    /// Adds every file of a source path's `templates/` under its file name.
    ///
    /// # Errors
    /// The directory or a file in it cannot be read, or a template does not compile.
    pub fn load_templates(&mut self, renderer: &mut Renderer, dir: &Path) -> Result<(), Stop> {
        for (name, path) in files_below(dir)? {
            self.add_template(renderer, &name, &path)?;
        }
        Ok(())
    }

    /// Replaces templates by those of the overlay directories, the last one winning.
    ///
    /// # Errors
    /// As [`Session::load_templates`], or a name that no template has.
    pub fn overlay_templates(&mut self, renderer: &mut Renderer, dirs: &[PathBuf]) -> Result<(), Stop> {
        let mut unknown = Vec::new();
        for dir in dirs {
            for (name, path) in files_below(dir)? {
                if !renderer.has_template(&name) {
                    unknown.push(unknown_template(renderer, &name, &path));
                    continue;
                }
                self.add_template(renderer, &name, &path)?;
            }
        }
        if unknown.is_empty() { Ok(()) } else { Err(Stop::Failed(unknown)) }
    }

    /// Adds one template.
    ///
    /// # Errors
    /// The file cannot be read, or the template does not compile.
    pub(super) fn add_template(&mut self, renderer: &mut Renderer, name: &str, path: &Path) -> Result<(), Stop> {
        let bytes = self.read_bytes(path)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Diagnostic::new(&codes::TEMPLATE, format!("template `{}` is not UTF-8", path.display())))?;
        let file = self.sources.add(path.to_string_lossy(), text.clone());
        renderer.add_template_of(name, &text, file).map_err(|error| {
            self.diagnostics.push(error.diagnostic());
            Stop::Faults
        })
    }
}

/// All files below a directory: names relative to it, with slashes, in order.
fn files_below(dir: &Path) -> Result<Vec<(String, PathBuf)>, Stop> {
    let mut files = Vec::new();
    let mut pending = vec![(String::new(), dir.to_owned())];
    while let Some((prefix, dir)) = pending.pop() {
        let entries = std::fs::read_dir(&dir).map_err(|error| read_failed(&dir, &error))?;
        for entry in entries {
            let path = entry.map_err(|error| read_failed(&dir, &error))?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let name = format!("{prefix}{name}");
            if path.is_dir() {
                pending.push((format!("{name}/"), path));
            } else {
                files.push((name, path));
            }
        }
    }
    files.sort();
    Ok(files)
}

fn unknown_template(renderer: &Renderer, name: &str, path: &Path) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &codes::UNKNOWN_TEMPLATE,
        format!("`{}` replaces no template: none is called `{name}`", path.display()),
    );
    match renderer.nearest_template(name) {
        Some(nearest) => diagnostic.help(format!("did you mean `{nearest}`?")),
        None => diagnostic.help("a file is an overlay of the template with the same path below templates/"),
    }
}

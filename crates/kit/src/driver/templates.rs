//! Loads a source path's templates and the overlays of `--template-dir` into the renderer.
//!
//! Invariant: an overlay replaces an existing template or C++ source; any other name is an error.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::files::read_failed;
use super::{JobError, Session};
use torchgen_base::diag::{Diagnostic, codes};
use torchgen_base::render::Renderer;
use torchgen_base::write::manifest::Seen;

/// One of several jobs of a run that share overlay directories.
pub struct OverlayJob {
    /// The folder of its own overlays.
    pub folder: &'static str,
    /// The folder of the other job's overlays.
    pub other: &'static str,
    /// The names of the templates that another job of the run has in its own directory.
    pub elsewhere: BTreeSet<String>,
}

/// The jobs that a file of an overlay directory is for.
enum Place<'n> {
    /// Every job with a template of that name.
    Shared,
    /// The job, under this name.
    Own(&'n str),
    /// Another job.
    Elsewhere,
}

impl OverlayJob {
    fn place<'n>(&self, name: &'n str) -> Place<'n> {
        match name.split_once('/') {
            Some((folder, name)) if folder == self.folder => Place::Own(name),
            Some((folder, _)) if folder == self.other => Place::Elsewhere,
            _ => Place::Shared,
        }
    }
}

impl Session {
    /// The embedded templates of a family's folder, with those of overlay directories applied.
    pub fn renderer(&mut self, folder: &str, overlays: &[PathBuf]) -> Result<Renderer, JobError> {
        let mut renderer = Renderer::new(folder)?;
        renderer.set_trace(self.trace.clone());
        self.overlay_templates(&mut renderer, overlays)?;
        Ok(renderer)
    }

    /// The same with the templates of a source path, which overlays may replace too, all compiled:
    /// such a run renders those of a family many times.
    ///
    /// # Errors
    /// As for [`Session::load_templates`] and [`Session::overlay_templates`].
    pub fn renderer_with(&mut self, folder: &str, dir: &Path, overlays: &[PathBuf]) -> Result<Renderer, JobError> {
        let mut renderer = Renderer::compiled(folder)?;
        renderer.set_trace(self.trace.clone());
        self.load_templates(&mut renderer, dir)?;
        self.overlay_templates(&mut renderer, overlays)?;
        Ok(renderer)
    }

    /// Adds every file of a source path's `templates/` under its file name.
    ///
    /// # Errors
    /// The directory or a file in it cannot be read, or a template does not compile.
    pub fn load_templates(&mut self, renderer: &mut Renderer, dir: &Path) -> Result<(), JobError> {
        renderer.add_directory(dir);
        for (name, path) in files_below(dir, &mut self.seen)? {
            self.add_template(renderer, &name, &path)?;
        }
        Ok(())
    }

    /// Replaces templates with those of the overlay directories; the last one wins.
    ///
    /// # Errors
    /// As for [`Session::load_templates`], or an overlay matches no template.
    pub fn overlay_templates(&mut self, renderer: &mut Renderer, dirs: &[PathBuf]) -> Result<(), JobError> {
        self.overlay_templates_of(renderer, dirs, None)
    }

    /// The same for one of the jobs that share the overlay directories.
    ///
    /// # Errors
    /// As for [`Session::overlay_templates`], or an overlay outside the jobs' folders matches
    /// templates of both jobs.
    pub fn overlay_templates_of(
        &mut self,
        renderer: &mut Renderer,
        dirs: &[PathBuf],
        job: Option<&OverlayJob>,
    ) -> Result<(), JobError> {
        let mut wrong = Vec::new();
        self.overlays.extend_from_slice(dirs);
        for dir in dirs {
            renderer.add_directory(dir);
            let mut own = Vec::new();
            for (name, path) in files_below(dir, &mut self.seen)? {
                match job.map_or(Place::Shared, |job| job.place(&name)) {
                    Place::Own(name) => own.push((name.to_owned(), path)),
                    Place::Elsewhere => {}
                    Place::Shared => {
                        let elsewhere = job.filter(|job| job.elsewhere.contains(&name));
                        match (renderer.has_template(&name), elsewhere) {
                            (true, None) => self.add_template(renderer, &name, &path)?,
                            (true, Some(job)) => wrong.push(ambiguous_template(job, &name, &path)),
                            (false, Some(_)) => {}
                            (false, None) => wrong.push(unknown_template(renderer, &name, &path)),
                        }
                    }
                }
            }
            // Overlays for this job replace those for all jobs.
            for (name, path) in own {
                match renderer.has_template(&name) {
                    true => self.add_template(renderer, &name, &path)?,
                    false => wrong.push(unknown_template(renderer, &name, &path)),
                }
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(JobError::Failed(wrong)) }
    }

    /// Replaces templates with those of some folders of the directories, which hold other files
    /// too; the last one wins.
    pub fn overlay_folders(
        &mut self,
        renderer: &mut Renderer,
        dirs: &[PathBuf],
        folders: &[&str],
    ) -> Result<(), JobError> {
        let mut wrong = Vec::new();
        for (dir, folder) in dirs.iter().flat_map(|dir| folders.iter().map(move |folder| (dir.join(folder), folder))) {
            if !self.seen.is_dir(&dir) {
                continue;
            }
            for (name, path) in files_below(&dir, &mut self.seen)? {
                let name = format!("{folder}/{name}");
                match renderer.has_template(&name) {
                    true => self.add_template(renderer, &name, &path)?,
                    false => wrong.push(unknown_template(renderer, &name, &path)),
                }
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(JobError::Failed(wrong)) }
    }

    /// The names of the templates in a directory, as far as it can be read.
    pub fn template_names(&mut self, dir: &Path) -> BTreeSet<String> {
        let files = files_below(dir, &mut self.seen).unwrap_or_default();
        files.into_iter().map(|(name, _)| name).collect()
    }

    /// Adds one template.
    ///
    /// # Errors
    /// The file cannot be read, or the template does not compile.
    pub fn add_template(&mut self, renderer: &mut Renderer, name: &str, path: &Path) -> Result<(), JobError> {
        // Reading from a pipe would block.
        if self.seen.is_other(path) {
            return Err(
                Diagnostic::new(&codes::TEMPLATE, format!("template `{}` is not a file", path.display())).into()
            );
        }
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

/// All files below a directory: names relative to it, with slashes, sorted. Skips links to a
/// directory that they lie in, the files that editors and file managers leave behind, and in the
/// directory of a Rust crate its manifest and its sources.
pub fn files_below(dir: &Path, seen: &mut Seen) -> Result<Vec<(String, PathBuf)>, JobError> {
    let mut files = Vec::new();
    // For each directory its prefix, its path, and the real paths that lead to it.
    let mut pending: Vec<(String, PathBuf, Vec<PathBuf>)> = vec![(String::new(), dir.to_owned(), Vec::new())];
    while let Some((prefix, dir, mut above)) = pending.pop() {
        let real = dir.canonicalize().map_err(|error| read_failed(&dir, &error))?;
        if above.contains(&real) {
            continue;
        }
        above.push(real);
        let entries = seen.entries(&dir).map_err(|error| read_failed(&dir, &error))?;
        let is_crate = entries.iter().any(|(path, _)| path.ends_with("Cargo.toml"));
        for (path, is_dir) in entries {
            let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| !is_by_product(name)) else {
                continue;
            };
            if is_crate && CRATE.contains(&name) {
                continue;
            }
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

/// What a directory with the manifest of a crate has beside templates or tables.
const CRATE: [&str; 3] = ["Cargo.toml", "build.rs", "src"];

/// Swap files, locks, backups, folder settings: `.a.swp`, `.#a`, `a~`, `#a#`, `.DS_Store`, and the
/// flags of C++ tools. Hidden files are neither templates nor sources.
fn is_by_product(name: &str) -> bool {
    name == "compile_flags.txt"
        || name.starts_with('.')
        || name.ends_with('~')
        || (name.starts_with('#') && name.ends_with('#'))
}

fn ambiguous_template(job: &OverlayJob, name: &str, path: &Path) -> Diagnostic {
    let message = format!("`{}` replaces two templates: both jobs of the run have `{name}`", path.display());
    let (folder, other) = (job.folder, job.other);
    Diagnostic::new(&codes::UNKNOWN_TEMPLATE, message)
        .help(format!("move it to `{folder}/{name}` or `{other}/{name}` in the overlay directory"))
}

/// An overlay that replaces no template.
pub fn unknown_overlay(name: &str, path: &Path) -> Diagnostic {
    let message = format!("`{}` replaces no template: there is none named `{name}`", path.display());
    Diagnostic::new(&codes::UNKNOWN_TEMPLATE, message)
}

fn unknown_template(renderer: &Renderer, name: &str, path: &Path) -> Diagnostic {
    let diagnostic = unknown_overlay(name, path);
    if let Some(now) = torchgen_templates::renamed(name) {
        return diagnostic.help(format!("it is now `{now}`, a C++ source; ARCHITECTURE describes its names"));
    }
    match renderer.nearest_template(name) {
        Some(nearest) => diagnostic.help(format!("did you mean `{nearest}`?")),
        None => diagnostic.help("a file is an overlay of the template with the same path below templates/"),
    }
}

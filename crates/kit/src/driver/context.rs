//! What the generators of every family need to make files: templates, comments, a destination.
//!
//! Invariant: borrowed and read-only, so that generators can run in parallel in any order.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use torchgen_base::diag::{Diagnostic, gather};
use torchgen_base::render::{Contents, Env, RenderError, Renderer, Sharded, View};
use torchgen_base::write::{Manager, OutputFile};

/// The basis of every generator's context.
#[derive(Clone, Copy)]
pub struct FileContext<'r> {
    /// The templates.
    pub renderer: &'r Renderer,
    /// The program that "@generated" comments name if a file has no comment of its own.
    pub program: &'r str,
    /// The directory of the templates in "@generated" comments.
    pub template_dir: &'r str,
    /// The destination of the files.
    pub manager: Manager,
}

/// A file that a view fills.
pub struct ViewFile<'v> {
    /// Its path in the destination.
    pub path: &'static str,
    /// Its template.
    pub template: String,
    /// The view.
    pub view: &'v View,
}

#[derive(Serialize)]
struct Comment<'a> {
    template_dir: &'a str,
    template: &'a str,
}

impl<'r> FileContext<'r> {
    /// A context whose comments name neither a program nor a directory of templates.
    pub fn new(renderer: &'r Renderer, manager: Manager) -> FileContext<'r> {
        FileContext { renderer, program: "", template_dir: "", manager }
    }

    /// The same with another destination.
    pub fn to(self, manager: Manager) -> FileContext<'r> {
        FileContext { manager, ..self }
    }

    /// An environment with the comment that names a template.
    ///
    /// # Errors
    /// As [`Renderer::fragment`].
    pub fn env(&self, template: &str) -> Result<Env, RenderError> {
        let view = Comment { template_dir: self.template_dir, template };
        let comment = self.renderer.fragment("write/generated_from.j2", &view)?;
        Ok(Env::from_iter([("generated_comment", comment)]))
    }

    /// The text of a file, with a comment if the environment has none.
    ///
    /// # Errors
    /// As [`Renderer::render_file`].
    pub fn contents(&self, template: &str, env: &Env) -> Result<Contents, RenderError> {
        self.renderer.render_file(template, env, Some(self.program))
    }

    /// A file, likewise.
    ///
    /// # Errors
    /// As [`Renderer::render_file`].
    pub fn file(&self, path: &str, template: &str, env: &Env) -> Result<OutputFile, RenderError> {
        Ok(OutputFile::new(self.manager, path, self.contents(template, env)?))
    }

    /// The files of a split output, likewise.
    ///
    /// # Errors
    /// As [`Renderer::render_sharded`].
    pub fn sharded(&self, file: &Sharded) -> Result<Vec<OutputFile>, RenderError> {
        let rendered = self.renderer.render_sharded(file, Some(self.program))?;
        Ok(rendered.into_iter().map(|file| OutputFile::rendered(self.manager, file)).collect())
    }

    /// A file that a view fills.
    ///
    /// # Errors
    /// As [`Renderer::fragment`].
    pub fn view_file<V: Serialize + ?Sized>(
        &self,
        path: &str,
        template: &str,
        view: &V,
    ) -> Result<OutputFile, RenderError> {
        Ok(OutputFile::new(self.manager, path, self.renderer.fragment(template, view)?))
    }

    /// Files that views fill, rendered in parallel, in order.
    ///
    /// # Errors
    /// All templates that fail.
    pub fn view_files(&self, files: &[ViewFile]) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
        let render = |file: &ViewFile| match self.renderer.fragment_of(&file.template, file.view) {
            Ok(text) => Ok(OutputFile::new(self.manager, file.path, text)),
            Err(error) => Err(error.diagnostic()),
        };
        gather(files.par_iter().map(render).collect::<Vec<_>>())
    }
}

/// An error that becomes a diagnostic at the item that it is about.
pub trait ErrorAt<I: ?Sized> {
    /// The diagnostic.
    fn diagnostic_at(self, item: &I) -> Diagnostic;
}

/// Makes one value per item, in parallel, in the items' order.
///
/// # Errors
/// The errors of all items, in order.
pub fn per_item<I, T, E>(
    items: &[I],
    make: impl Fn(&I) -> Result<T, E> + Sync + Send,
) -> Result<Vec<T>, Vec<Diagnostic>>
where
    I: Sync,
    T: Send,
    E: ErrorAt<I> + Send,
{
    let made: Vec<Result<T, E>> = items.par_iter().map(make).collect();
    gather(items.iter().zip(made).map(|(item, made)| made.map_err(|error| error.diagnostic_at(item))))
}

//! What the generators of every family need to make files: templates, comments, a destination.
//!
//! Invariant: borrowed and read-only, so that generators can run in parallel in any order.

use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use super::JobError;
use torchgen_base::diag::{Diagnostic, gather};
use torchgen_base::render::{Contents, Env, RenderError, Renderer, Sharded, View, Word};
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

/// A row of a family's table of files: a path in the destination, and what fills the file.
pub struct PlannedFile<'v> {
    path: String,
    source: Source<'v>,
}

/// What fills a file.
enum Source<'v> {
    /// A template, with a view that other files may share.
    Template(String, &'v View),
    /// A C++ source, and what its words become.
    Plain(String, &'v [Word]),
    /// Data for programs, which needs no template.
    Text(String),
}

impl<'v> PlannedFile<'v> {
    /// A file that a template makes of a view.
    pub fn new(path: impl Into<String>, template: impl Into<String>, view: &'v View) -> PlannedFile<'v> {
        PlannedFile { path: path.into(), source: Source::Template(template.into(), view) }
    }

    /// A file that is a C++ source of `templates/` with other words.
    pub fn plain(path: impl Into<String>, source: impl Into<String>, words: &'v [Word]) -> PlannedFile<'v> {
        PlannedFile { path: path.into(), source: Source::Plain(source.into(), words) }
    }

    /// A file with data.
    pub fn data(path: impl Into<String>, text: String) -> PlannedFile<'v> {
        PlannedFile { path: path.into(), source: Source::Text(text) }
    }
}

/// Data as the text of a JSON file, which ends in a line break.
///
/// # Panics
/// The data has a map whose keys are not strings.
pub fn json_text(data: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(data).expect("strings and numbers always serialize");
    text.push('\n');
    text
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
    pub fn env(&self, template: &str) -> Result<Env, RenderError> {
        let view = Comment { template_dir: self.template_dir, template };
        let comment = self.renderer.fragment("write/generated_from.j2", &view)?;
        Ok(Env::from_iter([("generated_comment", comment)]))
    }

    /// The text of a file, with a comment if the environment has none.
    pub fn contents(&self, template: &str, env: &Env) -> Result<Contents, RenderError> {
        self.renderer.render_file(template, env, Some(self.program))
    }

    /// A file, likewise.
    pub fn file(&self, path: &str, template: &str, env: &Env) -> Result<OutputFile, RenderError> {
        Ok(OutputFile::new(self.manager, path, self.contents(template, env)?))
    }

    /// The files of a split output, likewise.
    pub fn sharded(&self, file: &Sharded) -> Result<Vec<OutputFile>, RenderError> {
        let rendered = self.renderer.render_sharded(file, Some(self.program))?;
        Ok(rendered.into_iter().map(|file| OutputFile::rendered(self.manager, file)).collect())
    }

    /// A file that a view fills.
    pub fn view_file<V: Serialize + ?Sized>(
        &self,
        path: &str,
        template: &str,
        view: &V,
    ) -> Result<OutputFile, RenderError> {
        Ok(OutputFile::new(self.manager, path, self.renderer.fragment(template, view)?))
    }

    /// The files of a family's table, rendered in parallel, in the order of the table.
    ///
    /// # Errors
    /// All templates that fail, in the same order.
    pub fn make(&self, table: Vec<PlannedFile>) -> Result<Vec<OutputFile>, JobError> {
        let file = |planned: PlannedFile| {
            let text = match planned.source {
                Source::Template(template, view) => self.renderer.fragment_of(&template, view),
                Source::Plain(source, words) => self.renderer.plain(&source, words),
                Source::Text(text) => Ok(text),
            };
            text.map(|text| OutputFile::new(self.manager, planned.path, text)).map_err(|error| error.diagnostic())
        };
        gather(table.into_par_iter().map(file).collect::<Vec<_>>()).map_err(JobError::Failed)
    }
}

/// An error that becomes a diagnostic at the item that it is about.
pub trait ErrorAt<I: ?Sized> {
    /// The diagnostic.
    fn diagnostic_at(self, item: &I) -> Diagnostic;
}

/// Makes one value per item, in parallel, in the items' order.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_errors_keep_the_order_of_the_table() {
        let renderer = Renderer::new("").expect("the embedded templates compile");
        let context = FileContext::new(&renderer, Manager::new("output", None));
        let comment = View::new(&Comment { template_dir: "templates", template: "x.h" });
        let rendered = |path: &str| PlannedFile::new(path, "write/generated_from.j2", &comment);
        let files = context.make(vec![PlannedFile::data("b", json_text(&[1])), rendered("a"), rendered("c")]);
        let files = files.expect("templates that fit");
        assert_eq!(files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["b", "a", "c"]);
        assert_eq!(files[0].contents.to_string(), "[\n  1\n]\n");

        let lacks = |name: &str| PlannedFile::new(name, format!("own/{name}.j2"), &comment);
        let errors = match context.make(vec![lacks("second"), rendered("a"), lacks("first")]) {
            Err(JobError::Failed(errors)) => errors,
            _ => panic!("two templates that do not exist"),
        };
        let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        assert!(matches!(messages[..], [second, first] if second.contains("second") && first.contains("first")));
    }
}

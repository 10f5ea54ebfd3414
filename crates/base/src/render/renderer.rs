//! The renderer of a run: all templates behind two calls.
//!
//! Invariant: once built it is only read, from any number of threads. It knows templates by name
//! only.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Serde, ValueKind, merge_maps};
use minijinja::{AutoEscape, Environment, ErrorKind, State, UndefinedBehavior, escape_formatter};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::code_template::CodeTemplate;
use super::contents::Contents;
use super::docstring::part_docstrings;
use super::env::{Env, Value};
use super::error::{RenderError, RenderErrorKind};
use super::fragment::Fragment;
use super::imports::nameless_import;
use super::length::too_long;
use super::limits::{Counts, STEPS};
use super::lines::{self, newlines};
use super::operators::Operators;
use super::plain::{Sources, Word, is_fragment};
use super::shard::{RenderedFile, Sharded};
use super::trace::Trace;
#[cfg(debug_assertions)]
use super::used;
use super::view::View;
use crate::diag::{self, FileId};

/// All templates of a run.
///
/// Names ending in `.j2` are minijinja fragments, named by their path below `templates/`. A C++
/// source there is plain text. Every other name is a CodeTemplate. Fragments can include and import
/// each other by name. Beyond its view, a fragment can use:
///
/// * minijinja's filters and tests, but none of its global functions, so that one never replaces a
///   missing field;
/// * `plain_body(name, word=text…)`: what a C++ source has in its namespace, with each word
///   replaced; `plain_part(name, word=text…)`: the same with its system headers and namespace;
/// * `block(indent)`: a text or a list of texts under the block rule of CodeTemplate. All lines,
///   the first included, are indented by `indent` spaces (default 0), blank lines stay empty, texts
///   without lines are dropped, and the ends of lines and of the block are stripped. The call must
///   be at the start of its line;
/// * `comment`: a text on one line, which continues no line, for a comment that ends with its line.
pub struct Renderer {
    pub(super) fragments: Environment<'static>,
    /// CodeTemplates by name.
    code: FxHashMap<String, CodeTemplate>,
    plain: Arc<Sources>,
    /// The files of added templates and their texts, to locate errors.
    files: FxHashMap<String, (FileId, String)>,
    /// The directories whose templates were added, in order.
    directories: Vec<String>,
    /// File comments by generator and template: thousands of files have the same one.
    comments: Mutex<FxHashMap<String, Fragment>>,
    counts: Arc<Counts>,
    /// In a run for `explain`.
    pub(super) trace: Option<Arc<Trace>>,
    /// What templates know of operators.
    operators: Option<Arc<dyn Operators>>,
    /// Whether templates record that they are rendered, as only debug builds can.
    noted: bool,
}

impl Renderer {
    /// The embedded templates of a family's folder and the shared ones, each compiled when it is
    /// first rendered: a small library needs a few of them. Those of other families are known by
    /// name only.
    ///
    /// # Errors
    /// The syntax of the engine cannot be set, which a test rules out.
    pub fn new(folder: &str) -> Result<Self, RenderError> {
        let mut renderer = Self::empty()?;
        let folder = folder.to_owned();
        let noted = renderer.noted;
        renderer.fragments.set_loader(move |name| {
            let template = torchgen_templates::template_named(name).filter(|template| is_own(template.name, &folder));
            Ok(template.map(|template| engine_text(name, template.text(), noted)))
        });
        Ok(renderer)
    }

    /// The same, all compiled: rendering does not look for them under a lock, which thousands of
    /// operators would feel.
    ///
    /// # Errors
    /// A template does not compile, which a test rules out.
    pub fn compiled(folder: &str) -> Result<Self, RenderError> {
        let mut renderer = Self::empty()?;
        for template in torchgen_templates::all().filter(|template| is_own(template.name, folder)) {
            let name = template.name;
            let added = match engine_text(name, template.text(), renderer.noted) {
                Cow::Borrowed(text) => renderer.fragments.add_template(name, text),
                Cow::Owned(text) => renderer.fragments.add_template_owned(name, text),
            };
            added.map_err(|error| RenderError::from_engine(name, &error))?;
        }
        Ok(renderer)
    }

    /// A renderer without templates, with what they may use.
    fn empty() -> Result<Self, RenderError> {
        let mut fragments = strict_environment().map_err(|error| RenderError::from_engine("", &error))?;
        for name in ["range", "dict", "namespace"] {
            fragments.remove_global(name);
        }
        fragments.add_filter("comment", comment_filter);
        #[cfg(debug_assertions)]
        let noted = used::is_noted_in(&mut fragments);
        #[cfg(not(debug_assertions))]
        let noted = false;
        let plain = Arc::new(Sources::default());
        plain.serve(&mut fragments);
        Ok(Self { noted, plain, ..Self::from_fragments(fragments) })
    }

    fn from_fragments(fragments: Environment<'static>) -> Self {
        let (code, plain, files, directories, comments, counts, trace, operators) = Default::default();
        Self { fragments, code, plain, files, directories, comments, counts, trace, operators, noted: false }
    }

    /// Gives every fragment a variable beside its view.
    pub fn set_global<V: Serialize>(&mut self, name: &'static str, value: &V) {
        self.fragments.add_global(name, minijinja::Value::from(Serde(value)));
    }

    /// Adds a template under a name, or replaces the one with that name. The name determines the
    /// syntax, see [`Renderer`].
    ///
    /// Line ends become newlines.
    ///
    /// # Errors
    /// The text does not compile; a CodeTemplate always does.
    pub fn add_template(&mut self, name: &str, text: &str) -> Result<(), RenderError> {
        self.files.remove(name);
        let text = newlines(text);
        let added = if is_fragment(name) {
            if let Some(line) = nameless_import(&text) {
                let kind = RenderErrorKind::Other("syntax error: `import` needs a name after `as`".to_owned());
                return Err(RenderError { template: name.to_owned(), line: Some(line), span: None, kind });
            }
            if let Some((line, message)) = too_long(&text) {
                let kind = RenderErrorKind::Other(format!("syntax error: {message}"));
                return Err(RenderError { template: name.to_owned(), line: Some(line), span: None, kind });
            }
            let text = engine_text(name, &text, self.noted);
            // The embedded templates end, and counting takes 2 % of a run.
            self.fragments.set_fuel(Some(STEPS));
            self.fragments.add_template_owned(name.to_owned(), text.into_owned())
        } else if Sources::has(name) {
            self.plain.replace(name, &text);
            return Ok(());
        } else {
            self.code.insert(name.to_owned(), CodeTemplate::new(&text));
            return Ok(());
        };
        added.map_err(|error| RenderError::from_engine(name, &error))
    }

    /// Marks texts from now on, see [`Renderer::about`].
    pub fn set_trace(&mut self, trace: Option<Arc<Trace>>) {
        self.trace = trace;
    }

    /// Gives the templates that are rendered for an operator what is known of it.
    pub fn set_operators(&mut self, operators: Arc<dyn Operators>) {
        operators.add_to(&mut self.fragments);
        self.operators = Some(operators);
    }

    /// Whether templates know operators.
    pub fn knows_operators(&self) -> bool {
        self.operators.is_some()
    }

    /// Records that templates come from a directory, for the message about a missing template.
    pub fn add_directory(&mut self, dir: &std::path::Path) {
        self.directories.push(format!("`{}`", dir.display()));
    }

    /// Adds a template as [`Renderer::add_template`] does, from a known file, so that errors in the
    /// template have a place.
    pub fn add_template_of(&mut self, name: &str, text: &str, file: FileId) -> Result<(), RenderError> {
        let added = self.add_template(name, text);
        self.files.insert(name.to_owned(), (file, text.to_owned()));
        added.map_err(|error| self.located(error))
    }

    /// The number of rendered texts, fragments and files, and their bytes.
    pub fn rendered(&self) -> (u64, u64) {
        self.counts.all()
    }

    /// Whether there is a template with that name.
    pub fn has_template(&self, name: &str) -> bool {
        let added =
            if is_fragment(name) { self.fragments.get_template(name).is_ok() } else { self.code.contains_key(name) };
        added || torchgen_templates::template_named(name).is_some()
    }

    /// The template with the most similar name, if one is similar.
    pub fn nearest_template(&self, name: &str) -> Option<String> {
        let names = self.fragments.templates().map(|(name, _)| name).chain(self.code.keys().map(String::as_str));
        let names = names.chain(torchgen_templates::all().map(|template| template.name));
        // Sorted, since the engine keeps some names in no order, and the first of equally near
        // names wins.
        let names: std::collections::BTreeSet<&str> = names.collect();
        diag::nearest(name, names).map(str::to_owned)
    }

    /// Renders a fragment template.
    ///
    /// # Errors
    /// There is no such template, the view lacks a name, or a value is misused; with the line of
    /// the template.
    pub fn fragment<V: Serialize + ?Sized>(&self, name: &str, view: &V) -> Result<String, RenderError> {
        self.fragment_of(name, &View::new(view))
    }

    /// The same for an operator, which templates of the author know.
    ///
    /// # Errors
    /// As for [`Renderer::fragment`].
    pub fn fragment_for<V: Serialize + ?Sized>(
        &self,
        name: &str,
        view: &V,
        operator: &str,
    ) -> Result<String, RenderError> {
        let mut view = View::new(view);
        if let Some(operators) = &self.operators {
            view.value = merge_maps([view.value, operators.named(operator)]);
        }
        self.fragment_of(name, &view)
    }

    /// The same with a view that is used for other templates too.
    pub fn fragment_of(&self, name: &str, view: &View) -> Result<String, RenderError> {
        #[cfg(debug_assertions)]
        used::begin(view.of);
        self.render(name, view.value.clone())
    }

    /// The text of a C++ source with each word replaced.
    ///
    /// # Errors
    /// There is no such source.
    pub fn plain(&self, name: &str, words: &[Word]) -> Result<String, RenderError> {
        let words = words.iter().map(|(word, by)| (*word, by.as_str()));
        let text = self.plain.with_words_replaced(name, words).ok_or_else(|| self.no_template(name))?;
        self.counted(name, text.len())?;
        Ok(text)
    }

    /// Renders a template to the text of a file, as the reference's file manager does: applies the
    /// docstring rule and, if `generator` is given and `env` has none, adds a `generated_comment`
    /// that names the generator and the template.
    ///
    /// Rule: torchgen/utils.py, `FileManager.substitute_with_template`.
    pub fn render_file(&self, template: &str, env: &Env, generator: Option<&str>) -> Result<Contents, RenderError> {
        let mut env = Cow::Borrowed(env);
        if let Some(generator) = generator
            && env.get(GENERATED_COMMENT).is_none()
        {
            env.to_mut().set(GENERATED_COMMENT, self.comment(generator, template)?);
        }
        let contents = if is_fragment(template) {
            #[cfg(debug_assertions)]
            used::begin(std::any::type_name::<Env>());
            let values = env.iter().map(|(key, value)| (key, to_engine(value)));
            self.render(template, minijinja::Value::from_pairs(values))?.into()
        } else if let Some(code) = self.code.get(template) {
            let contents = code.render(template, &env, self.counts.room()).map_err(|error| self.located(error))?;
            self.counted(template, contents.len())?;
            contents
        } else {
            return Err(self.no_template(template));
        };
        Ok(part_docstrings(contents))
    }

    fn comment(&self, generator: &str, template: &str) -> Result<Fragment, RenderError> {
        let comments = || self.comments.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{generator} {template}");
        if let Some(known) = comments().get(&key) {
            return Ok(known.clone());
        }
        let comment = self.fragment("write/generated_comment.j2", &GeneratedComment { generator, template })?;
        Ok(comments().entry(key).or_insert(comment.into()).clone())
    }

    /// Renders all parts of a sharded file in parallel, `Everything` first.
    ///
    /// # Errors
    /// As for [`Renderer::render_file`], or an item does not fit.
    pub fn render_sharded(&self, file: &Sharded, generator: Option<&str>) -> Result<Vec<RenderedFile>, RenderError> {
        let shards = file.split().map_err(|error| RenderError {
            template: file.template.clone(),
            line: None,
            span: None,
            kind: RenderErrorKind::Shard(error),
        })?;
        let render = |shard: &super::Shard| {
            let contents = self.render_file(&file.template, &shard.env, generator)?;
            Ok(RenderedFile { file: shard.file.clone(), contents, listed: shard.listed })
        };
        shards.par_iter().map(render).collect()
    }

    /// The same with the text of a template that was generated, and without a comment.
    pub fn render_sharded_text(&self, file: &Sharded, text: &str) -> Result<Vec<RenderedFile>, RenderError> {
        let mut made = Renderer { counts: Arc::clone(&self.counts), ..Renderer::from_fragments(Environment::empty()) };
        made.add_template(&file.template, text)?;
        made.render_sharded(file, None)
    }

    fn render(&self, name: &str, context: minijinja::Value) -> Result<String, RenderError> {
        let Ok(template) = self.fragments.get_template(name) else { return Err(self.no_template(name)) };
        let text = template.render(context).map_err(|error| self.located(RenderError::from_engine(name, &error)));
        // The engine guesses the length from the template's: three times too high if most of it is
        // conditions.
        let mut text = text?;
        text.shrink_to_fit();
        self.counted(name, text.len())?;
        Ok(text)
    }

    /// Counts a text.
    fn counted(&self, name: &str, bytes: usize) -> Result<(), RenderError> {
        match self.counts.add(bytes) {
            true => Ok(()),
            false => Err(RenderError::too_much(name)),
        }
    }

    fn located(&self, error: RenderError) -> RenderError {
        match self.files.get(&error.template) {
            Some((file, text)) => error.located(*file, text),
            None => error,
        }
    }

    fn no_template(&self, name: &str) -> RenderError {
        let kind =
            RenderErrorKind::NoTemplate { nearest: self.nearest_template(name), looked_in: self.directories.clone() };
        RenderError { template: name.to_owned(), line: None, span: None, kind }
    }
}

/// The text of a template as the engine gets it.
#[cfg_attr(not(debug_assertions), allow(unused_variables))]
fn engine_text<'t>(name: &str, text: &'t str, noted: bool) -> Cow<'t, str> {
    let text = newlines(text);
    #[cfg(debug_assertions)]
    if noted {
        return Cow::Owned(used::noting(name, &text));
    }
    text
}

/// Whether a file is a template of a family's folder, or a shared one.
fn is_own(name: &str, folder: &str) -> bool {
    is_fragment(name) && name.split_once('/').is_some_and(|(of, _)| of == folder || SHARED.contains(&of))
}

/// The folders of templates that all families use.
pub(super) const SHARED: [&str; 2] = ["kit", "write"];

/// How the names of templates of HTML end, whose values are escaped.
const PAGE: &str = ".html.j2";

const GENERATED_COMMENT: &str = "generated_comment";

#[derive(Serialize)]
struct GeneratedComment<'a> {
    generator: &'a str,
    template: &'a str,
}

fn to_engine(value: &Value) -> minijinja::Value {
    match value {
        Value::Text(text) => minijinja::Value::from(text.as_str()),
        Value::List(list) => list.iter().map(|text| minijinja::Value::from(text.as_str())).collect(),
    }
}

/// A text of an author in a comment that ends with its line.
fn comment_filter(text: Cow<'_, str>) -> String {
    lines::in_comment(&text)
}

/// The engine as all templates have it: strict, and with the filter that writes lists.
///
/// # Errors
/// The syntax cannot be set, which a test rules out.
pub(super) fn strict_environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.remove_global("debug");
    let mut syntax = SyntaxConfig::builder();
    syntax.keep_trailing_newline(true).trim_blocks(true).lstrip_blocks(true);
    environment.set_syntax(syntax.build()?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // Pages show what authors wrote.
    environment.set_auto_escape_callback(|name| match name.ends_with(PAGE) {
        true => AutoEscape::Html,
        false => AutoEscape::None,
    });
    // Most values are strings, which the engine's own formatter would send through `write!`.
    environment.set_formatter(|out, state, value| match (state.auto_escape(), value.as_str()) {
        (AutoEscape::None, Some(text)) => out.write_str(text).map_err(minijinja::Error::from),
        _ => escape_formatter(out, state, value),
    });
    environment.set_auto_reload(false);
    // Lets errors name the undefined expression; costs nothing without errors.
    environment.set_debug(true);
    environment.add_filter("block", block_filter);
    Ok(environment)
}

fn block_filter(
    state: &State,
    value: &minijinja::Value,
    indent: Option<usize>,
    options: Kwargs,
) -> Result<String, minijinja::Error> {
    let indent = match indent {
        Some(indent) => indent,
        None => options.get::<Option<usize>>("indent")?.unwrap_or(0),
    };
    options.assert_all_used()?;
    let indent = " ".repeat(indent.min(1024));
    // The engine counts the text itself.
    let lines = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let pay = |text: &str| state.consume_fuel((lines(text) * indent.len()) as u64 / 64);
    if let Some(text) = value.as_str() {
        pay(text)?;
        return Ok(lines::block(std::iter::once(text), &indent));
    }
    if !matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable) {
        let detail = format!("block takes a text or a list of texts, not {}", value.kind());
        return Err(minijinja::Error::new(ErrorKind::InvalidOperation, detail));
    }
    let elements: Vec<minijinja::Value> = value.try_iter()?.collect();
    let texts: Result<Vec<&str>, _> = elements
        .iter()
        .map(|element| {
            element.as_str().ok_or_else(|| {
                let detail = format!("block takes a list of texts, not one of {}", element.kind());
                minijinja::Error::new(ErrorKind::InvalidOperation, detail)
            })
        })
        .collect();
    let texts = texts?;
    texts.iter().try_for_each(|text| pay(text))?;
    Ok(lines::block(texts.into_iter(), &indent))
}

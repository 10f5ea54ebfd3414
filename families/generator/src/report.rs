//! Errors of the engine as diagnostics: the place in the template or the manifest, and the entry.
//!
//! Invariant: one place with one message is reported once, with the number of items that have it.

use std::error::Error as _;
use std::ops::Range;

use indexmap::IndexMap;
use minijinja::{Error, ErrorKind};
use rustc_hash::FxHashMap;
use torchgen_base::diag::{Diagnostic, Diagnostics, FileId, Span, did_you_mean, plural};
use torchgen_base::render::{USER_STEPS, unmarked, without_marks};
use torchgen_base::yaml::Text;

use super::codes;
use super::entries::EntryObject;
use super::functions::{Refusal, Warning};
use super::things::{Model, ThingObject};

/// What was rendered when an error was found.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// A template, by name.
    Template(&'a str),
    /// An expression of the manifest.
    Expression(&'a Text),
}

/// The item that was rendered.
#[derive(Clone, Default)]
pub(crate) struct Subject {
    /// The place of its entry.
    pub(crate) entry: Option<(usize, usize)>,
    /// Its name.
    pub(crate) name: Option<String>,
}

/// The errors so far.
pub(crate) struct Report<'a> {
    pub(crate) model: &'a Model,
    pub(crate) files: &'a FxHashMap<String, FileId>,
    found: IndexMap<(Option<Span>, String), Found>,
}

struct Found {
    diagnostic: Diagnostic,
    subject: Subject,
    count: usize,
}

impl<'a> Report<'a> {
    /// No errors.
    pub(crate) fn new(model: &'a Model, files: &'a FxHashMap<String, FileId>) -> Report<'a> {
        Report { model, files, found: IndexMap::new() }
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, error: &Error, source: Source<'_>, subject: &Subject) {
        let mut inner = error;
        let mut refusal = None;
        let mut name = error.name();
        while let Some(source) = inner.source() {
            refusal = source.downcast_ref::<Refusal>();
            let Some(next) = source.downcast_ref::<Error>() else { break };
            inner = next;
            name = inner.name().or(name);
        }
        let range = inner.range().map(|range| match inner.template_source() {
            Some(source) => unmarked(source, range),
            None => range,
        });
        let span = match source {
            Source::Expression(text) => Some(range.map_or(text.span(), |range| text.sub_span(range))),
            Source::Template(template) => self.files.get(name.unwrap_or(template)).map(|file| {
                let range = range.unwrap_or(0..0);
                Span::new(*file, range.start, range.end)
            }),
        };
        let diagnostic = match refusal {
            Some(refusal) => {
                let at = match (&refusal.at, subject.entry) {
                    (Some(key), Some(entry)) => Some(self.entry(entry).place(key)),
                    (None, Some(entry)) => Some(self.entry(entry).span),
                    _ => None,
                };
                let refused = Diagnostic::new(&codes::FAILED, refusal.text.clone());
                match (at, span) {
                    (Some(at), Some(span)) => refused.at(at).also(span, "refused here"),
                    (None, Some(span)) => refused.at(span),
                    _ => refused,
                }
            }
            None => {
                let (message, help) = self.said(inner);
                let diagnostic = Diagnostic::new(&codes::RENDER, message).maybe_help(help);
                match span {
                    Some(span) => diagnostic.at(span),
                    None => diagnostic,
                }
            }
        };
        // Refused entries are different errors.
        let key = (diagnostic.primary.as_ref().map(|label| label.span), diagnostic.message.clone());
        match self.found.get_mut(&key) {
            Some(found) => found.count += 1,
            None => drop(self.found.insert(key, Found { diagnostic, subject: subject.clone(), count: 1 })),
        }
    }

    fn entry(&self, (section, place): (usize, usize)) -> &super::entries::Entry {
        &self.model.sections[section].entries[place]
    }

    /// The message of an error, and a help.
    fn said(&self, error: &Error) -> (String, Option<torchgen_base::diag::Help>) {
        let expression = error.template_source().zip(error.range()).and_then(|(source, range)| source.get(range));
        let expression = expression.map(without_marks);
        match (error.kind(), expression.as_deref()) {
            (ErrorKind::UndefinedError, Some(expression)) => {
                let expression = expression.trim();
                let last = expression.rsplit('.').next().unwrap_or(expression);
                let is_name = torchgen_base::lang::is_identifier(last);
                let known = if is_name { self.model.keys() } else { Vec::new() };
                let known: Vec<&str> = known.iter().map(String::as_str).chain(NAMES).collect();
                let near = if is_name { did_you_mean(last, known) } else { None };
                (format!("`{expression}` is undefined"), near)
            }
            (ErrorKind::OutOfFuel, _) => {
                let message = "this takes too many steps, or makes too much text; nested loops multiply";
                let limit = USER_STEPS / 1_000_000;
                let help = format!("one text can take {limit} million steps, of which each pays for 64 bytes");
                (message.to_owned(), Some(help.into()))
            }
            (ErrorKind::UnknownFunction, Some(name)) => {
                let name = name.split('(').next().unwrap_or(name).trim();
                (format!("there is no function `{name}`"), did_you_mean(name, FUNCTIONS))
            }
            (ErrorKind::UnknownFilter, Some(name)) => (error.detail().unwrap_or(name).to_owned(), None),
            (ErrorKind::InvalidOperation, _) => (error.detail().unwrap_or("this is not possible").to_owned(), None),
            (kind, _) => match error.detail() {
                Some(detail) => (format!("{kind}: {detail}"), None),
                None => (kind.to_string(), None),
            },
        }
    }

    /// Adds what `warn` said.
    pub(crate) fn warned(&self, warnings: Vec<Warning>, diagnostics: &mut Diagnostics) {
        for Warning { text, at, template, entry, op } in warnings {
            let diagnostic = Diagnostic::new(&codes::WARNED, text);
            let own = entry.as_ref().and_then(|entry| entry.downcast_object_ref::<EntryObject>());
            let thing = op.as_ref().and_then(|op| op.downcast_object_ref::<ThingObject>());
            let diagnostic = match (own, self.files.get(&template)) {
                (Some(own), _) => diagnostic.at(at.map_or(own.entry().span, |key| own.entry().place(&key))),
                (None, Some(file)) => diagnostic.at(Span::new(*file, 0, 0)),
                (None, None) => diagnostic,
            };
            diagnostics.push(match thing.filter(|_| own.is_none()) {
                Some(thing) => diagnostic.note(format!("for `{}`", thing.thing().name)),
                None => diagnostic,
            });
        }
    }

    /// Reports everything.
    pub(crate) fn finish(self, diagnostics: &mut Diagnostics) {
        let Report { model, found, .. } = self;
        for Found { diagnostic, subject, count } in found.into_values() {
            let more = if count > 1 { format!(", and {} more", count - 1) } else { String::new() };
            let is_refused = diagnostic.code.id == codes::FAILED.id;
            diagnostics.push(match (subject.entry, subject.name) {
                _ if is_refused && subject.entry.is_some() && count == 1 => diagnostic,
                (Some((section, place)), _) => {
                    diagnostic.also(model.sections[section].entries[place].span, format!("for this entry{more}"))
                }
                (None, Some(name)) => diagnostic.note(format!("for `{name}`{more}")),
                (None, None) if count > 1 => diagnostic.note(format!("in {}", plural(count, "text"))),
                (None, None) => diagnostic,
            });
        }
    }

    /// How many errors there are.
    pub(crate) fn errors(&self) -> usize {
        self.found.values().map(|found| found.count).sum()
    }
}

/// The names that templates know without an item.
const NAMES: [&str; 18] = [
    "op",
    "entry",
    "item",
    "options",
    "data",
    "torch",
    "generator",
    "texts",
    "items",
    "by",
    "shard",
    "shards",
    "parameters",
    "names",
    "returns",
    "arguments",
    "types",
    "scope",
];

/// The functions of templates.
const FUNCTIONS: [&str; 17] = [
    "signature",
    "signatures",
    "translate",
    "device_of",
    "device_checks",
    "spelled",
    "find",
    "things",
    "torch_at_least",
    "hash",
    "fail",
    "warn",
    "assert",
    "range",
    "dict",
    "namespace",
    "related",
];

/// The range of a line of a text.
pub(crate) fn line(text: &str, number: usize) -> Range<usize> {
    let start = text.split_inclusive('\n').take(number.saturating_sub(1)).map(str::len).sum::<usize>();
    start..start + text[start..].find('\n').unwrap_or(text.len() - start)
}

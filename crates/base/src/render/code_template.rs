//! CodeTemplate, the syntax of a source path's own templates.
//!
//! `$x` and `${x}` insert a value. If only blanks precede them on their line, the value is a block:
//! the elements of a list follow each other line by line at that indentation. Elsewhere a list is
//! joined by commas, and `${,x}` and `${x,}` add one before or after a list that is not empty.
//!
//! Nothing is evaluated, so a template is a list of texts and places. Invariant: fragments that are
//! inserted unchanged are shared, not copied. Rule: torchgen/code_template.py.

use std::sync::LazyLock;

use regex::Regex;

use super::contents::{Contents, ContentsBuilder};
use super::docstring::part_docstrings;
use super::env::{Env, Value};
use super::error::{RenderError, RenderErrorKind};
use super::fragment::Fragment;
use super::limits::Counts;
use super::lines::newlines;

// Python's `\w` is letters, numbers and the underscore; `\s` is white space and the four ASCII
// separators.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xm)
        (^[\s\x1c-\x1f--\n]*)?
        \$(?:
            ([\p{L}\p{N}_--\p{Nd}][\p{L}\p{N}_]*)
            | \{ (,?) ([\p{L}\p{N}_--\p{Nd}][\p{L}\p{N}_]*) (,?) \}
        )",
    )
    .expect("a constant pattern")
});

/// A template that was read.
pub(super) struct CodeTemplate(Vec<Part>);

enum Part {
    Text(Fragment),
    Place(Place),
}

/// Where a value is inserted.
struct Place {
    name: String,
    /// Its line, from 1.
    line: usize,
    /// The indentation of a block; `None` inside a line.
    indent: Option<String>,
    comma_before: bool,
    comma_after: bool,
}

impl CodeTemplate {
    /// Reads a template. Every text is one.
    pub(super) fn new(source: &str) -> CodeTemplate {
        let mut parts = Vec::new();
        let (mut done, mut line) = (0, 1);
        for found in PLACE.captures_iter(source) {
            let place = found.get_match();
            let text = &source[done..place.start()];
            done = place.end();
            line += text.matches('\n').count();
            parts.push(Part::Text(text.into()));
            let comma = |group: usize| found.get(group).is_some_and(|comma| !comma.is_empty());
            parts.push(Part::Place(Place {
                name: found.get(2).or_else(|| found.get(4)).map_or("", |name| name.as_str()).to_owned(),
                line,
                indent: found.get(1).map(|indent| indent.as_str().to_owned()),
                comma_before: comma(3),
                comma_after: comma(5),
            }));
        }
        parts.push(Part::Text(source[done..].into()));
        CodeTemplate(parts)
    }

    /// The text with values; `name` is the template's in errors.
    ///
    /// # Errors
    /// A value is missing, or the text has more bytes than there is room for.
    pub(super) fn render(&self, name: &str, env: &Env, room: usize) -> Result<Contents, RenderError> {
        let mut out = ContentsBuilder::new();
        for part in &self.0 {
            let place = match part {
                Part::Text(text) => {
                    out.push(text);
                    continue;
                }
                Part::Place(place) => place,
            };
            let fail = |kind| RenderError { template: name.to_owned(), line: Some(place.line), span: None, kind };
            let value = env.get(&place.name).ok_or_else(|| fail(RenderErrorKind::Undefined(place.name.clone())))?;
            if !fits(value, place.indent.as_deref(), room.saturating_sub(out.len())) {
                return Err(fail(RenderErrorKind::TooMuch));
            }
            place.substitute(&mut out, value);
        }
        Ok(out.finish())
    }
}

/// Whether there is room for a value.
fn fits(value: &Value, indent: Option<&str>, room: usize) -> bool {
    let texts = match value {
        Value::Text(text) => std::slice::from_ref(text),
        Value::List(list) => list.as_slice(),
    };
    let bytes: usize = texts.iter().map(|text| text.len() + 2).sum();
    // Nearly always, counting the lines is not necessary.
    let indent = indent.map_or(0, str::len);
    let lines = || texts.iter().map(|text| text.matches('\n').count() + 1).sum::<usize>();
    bytes.saturating_mul(1 + indent) <= room || bytes.saturating_add(lines().saturating_mul(indent)) <= room
}

impl Place {
    fn substitute(&self, out: &mut ContentsBuilder, value: &Value) {
        match (value, &self.indent) {
            (Value::Text(text), Some(indent)) => out.push_block(std::slice::from_ref(text), indent),
            (Value::List(list), Some(indent)) => out.push_block(list, indent),
            (Value::Text(text), None) => out.push_range(text, 0..text.whole_in_line().unwrap_or(text.len())),
            (Value::List(list), None) if list.is_empty() => {}
            (Value::List(list), None) => {
                if self.comma_before {
                    out.push_str(SEPARATOR);
                }
                push_joined(out, list);
                if self.comma_after {
                    out.push_str(SEPARATOR);
                }
            }
        }
    }
}

/// Appends the elements of a list inside a line.
fn push_joined(out: &mut ContentsBuilder, list: &[Fragment]) {
    let mut first = true;
    let mut separate = |out: &mut ContentsBuilder| {
        if !std::mem::take(&mut first) {
            out.push_str(SEPARATOR);
        }
    };
    for element in list {
        match element.whole_in_line() {
            Some(end) => {
                separate(out);
                out.push_range(element, 0..end);
            }
            None => element.in_line().into_iter().for_each(|line| {
                separate(out);
                out.push_str(line);
            }),
        }
    }
}

/// What separates the elements of a list inside a line.
const SEPARATOR: &str = ", ";

/// A CodeTemplate by itself.
pub struct TextTemplate(CodeTemplate);

impl TextTemplate {
    /// Reads a text.
    pub fn new(text: &str) -> TextTemplate {
        TextTemplate(CodeTemplate::new(&newlines(text)))
    }

    /// The text with values. That of a file gets the docstring rule.
    ///
    /// # Errors
    /// The environment lacks a name.
    pub fn render(&self, env: &Env, is_file: bool) -> Result<Contents, RenderError> {
        let contents = self.0.render("template", env, Counts::default().room())?;
        Ok(if is_file { part_docstrings(contents) } else { contents })
    }
}

#[cfg(test)]
mod tests;

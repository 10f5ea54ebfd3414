//! CodeTemplate, the syntax of a source path's own templates, compiled to minijinja source so that
//! there is one engine.
//!
//! `$x` and `${x}` insert a value. If only blanks precede them on their line, the value is a block:
//! the elements of a list follow each other line by line at that indentation. Elsewhere a list is
//! joined by commas, and `${,x}` and `${x,}` add one before or after a list that is not empty.
//!
//! Each placeholder becomes a call `ct(name, indentation or none, comma before, comma after)`
//! between delimiters from the private-use area. The call appends its text directly to the file's
//! chunks, in the order in which the engine writes, so that shared fragments are not copied. Rule:
//! torchgen/code_template.py.

use std::fmt::Write as _;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use regex::Regex;

use super::contents::{Contents, ContentsBuilder};
use super::env::{Env, Value};
use super::error::{RenderError, RenderErrorKind};

const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';
/// All characters that the engine does not copy literally.
const DELIMITERS: std::ops::RangeInclusive<char> = '\u{e000}'..='\u{e005}';

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

/// An engine for translated templates.
pub(super) fn environment() -> Environment<'static> {
    // Empty, so that a missing value is never resolved to one of the engine's own names.
    let mut environment = Environment::empty();
    let delimiter = |offset: u32| char::from_u32(OPEN as u32 + offset).map_or_else(String::new, String::from);
    let syntax = SyntaxConfig::builder()
        .variable_delimiters(delimiter(0), delimiter(1))
        .block_delimiters(delimiter(2), delimiter(3))
        .comment_delimiters(delimiter(4), delimiter(5))
        .keep_trailing_newline(true)
        .build()
        .expect("six different delimiters");
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_reload(false);
    environment
}

/// Translates CodeTemplate source into the engine's syntax. Line numbers do not change.
pub(super) fn translate(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + source.len() / 4);
    let mut done = 0;
    for found in PLACE.captures_iter(source) {
        let place = found.get_match();
        push_literal(&mut out, &source[done..place.start()]);
        done = place.end();
        let key = found.get(2).or_else(|| found.get(4)).map_or("", |key| key.as_str());
        let comma = |group: usize| found.get(group).is_some_and(|comma| !comma.is_empty());
        out.push(OPEN);
        out.push_str("ct(");
        push_quoted(&mut out, key);
        out.push_str(", ");
        match found.get(1) {
            Some(indent) => push_quoted(&mut out, indent.as_str()),
            None => out.push_str("none"),
        }
        // Writing to a string cannot fail.
        let _ = write!(out, ", {}, {})", comma(3), comma(5));
        out.push(CLOSE);
    }
    push_literal(&mut out, &source[done..]);
    out
}

fn push_literal(out: &mut String, text: &str) {
    for c in text.chars() {
        if DELIMITERS.contains(&c) {
            out.push(OPEN);
            push_quoted(out, c.encode_utf8(&mut [0; 4]));
            out.push(CLOSE);
        } else {
            out.push(c);
        }
    }
}

/// Appends a string literal of the engine; everything but ASCII letters, digits, underscores and
/// spaces is escaped.
fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '_' | ' ') {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out.push('"');
}

/// Renders a translated template that was added to `environment`.
///
/// # Errors
/// A value is missing, or the text has more bytes than there is room for.
pub(super) fn render(
    environment: &Environment<'_>,
    name: &str,
    env: &Env,
    room: usize,
) -> Result<Contents, RenderError> {
    let template = environment.get_template(name).map_err(|error| RenderError::from_engine(name, &error))?;
    let sink = Sink::default();
    let places = sink.clone();
    let env = env.clone();
    let ct = minijinja::Value::from_function(move |key: &str, indent: Option<&str>, before: bool, after: bool| {
        let mut state = places.lock();
        let Some(value) = env.get(key) else {
            state.missing = Some(key.to_owned());
            return Err(minijinja::Error::from(ErrorKind::UndefinedError));
        };
        if !fits(value, indent, room.saturating_sub(state.text.len())) {
            state.full = true;
            return Err(minijinja::Error::from(ErrorKind::OutOfFuel));
        }
        substitute(&mut state.text, value, indent, before, after);
        Ok("")
    });
    let context = minijinja::Value::from_pairs([("ct", ct)]);
    let result = template.render_captured_to(context, sink.clone()).map(drop);
    let mut state = sink.lock();
    result.map_err(|error| {
        let mut error = RenderError::from_engine(name, &error);
        if let Some(key) = state.missing.take() {
            error.kind = RenderErrorKind::Undefined(key);
        }
        if state.full {
            error.kind = RenderErrorKind::TooMuch;
        }
        error
    })?;
    Ok(std::mem::take(&mut state.text).finish())
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

fn substitute(out: &mut ContentsBuilder, value: &Value, indent: Option<&str>, before: bool, after: bool) {
    match (value, indent) {
        (Value::Text(text), Some(indent)) => out.push_block(std::slice::from_ref(text), indent),
        (Value::List(list), Some(indent)) => out.push_block(list, indent),
        (Value::Text(text), None) => out.push_range(text, 0..text.whole_in_line().unwrap_or(text.len())),
        (Value::List(list), None) if list.is_empty() => {}
        (Value::List(list), None) => {
            if before {
                out.push_str(SEPARATOR);
            }
            let mut first = true;
            let mut separate = |out: &mut ContentsBuilder| {
                if !std::mem::take(&mut first) {
                    out.push_str(SEPARATOR);
                }
            };
            for element in list.iter() {
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
            if after {
                out.push_str(SEPARATOR);
            }
        }
    }
}

/// What separates the elements of a list inside a line.
const SEPARATOR: &str = ", ";

/// The output of a render: the engine writes the literal text, the placeholders append theirs.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<SinkState>>);

#[derive(Default)]
struct SinkState {
    text: ContentsBuilder,
    /// The first name that a placeholder used and the environment lacks.
    missing: Option<String>,
    /// There was no room for a value.
    full: bool,
}

impl Sink {
    fn lock(&self) -> MutexGuard<'_, SinkState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.lock().text.push_str(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;

//! The spacing of schemas and of lists of names, and the quotes of keys.
//!
//! Invariant: only white space changes, and never between two parts of a word or in quotes.

use std::borrow::Cow;

use super::super::resolve::{Resolved, plain};
use super::Style;

/// What a scalar is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role<'a> {
    /// A key.
    Key,
    /// The value of a key.
    Value(&'a str),
    /// Anything else.
    Other,
}

/// A scalar on one line as the style has it; `raw` includes its quotes.
pub(super) fn scalar<'r>(raw: &'r str, role: Role<'_>, style: Style<'_>) -> Cow<'r, str> {
    let (quote, inner) = match raw.as_bytes() {
        [b'\'', .., b'\''] => ("'", &raw[1..raw.len() - 1]),
        [b'"', .., b'"'] => ("\"", &raw[1..raw.len() - 1]),
        _ => ("", raw),
    };
    if !quote.is_empty() && inner.contains(['\\', '"', '\'']) {
        return Cow::Borrowed(raw);
    }
    let spaced = text(inner, role, style);
    match &spaced {
        _ if quote.is_empty() => spaced,
        name if role == Role::Key && is_name(name) && plain(name) == Resolved::Str => spaced,
        Cow::Borrowed(_) => Cow::Borrowed(raw),
        Cow::Owned(spaced) => Cow::Owned(format!("{quote}{spaced}{quote}")),
    }
}

/// Whether a value may become another by these rules.
pub(super) fn may_become(old: &str, new: &str, style: Style<'_>) -> bool {
    let list = style.list_keys.iter().chain(style.schema_keys).map(|key| Role::Value(key));
    list.chain([Role::Key]).any(|role| text(old, role, style) == new)
}

/// A value with the style's spacing.
fn text<'t>(text: &'t str, role: Role<'_>, style: Style<'_>) -> Cow<'t, str> {
    let new = match role {
        Role::Key => names(text),
        Role::Value(key) if style.list_keys.contains(&key) => names(text),
        Role::Value(key) if style.schema_keys.contains(&key) && looks_like_schema(text) => Some(schema(text)),
        _ => None,
    };
    match new {
        Some(new) if new != text => Cow::Owned(new),
        _ => Cow::Borrowed(text),
    }
}

/// Names separated by `, `; `None` if the text is not such a list.
fn names(text: &str) -> Option<String> {
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    (names.len() > 1 && names.iter().all(|name| is_operator(name))).then(|| names.join(", "))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether it is a name, perhaps with a namespace and an overload.
fn is_operator(text: &str) -> bool {
    !text.is_empty() && text.split(['.', ':']).all(|part| part.is_empty() || is_name(part))
}

/// Whether a value begins as `name(` and has an arrow.
fn looks_like_schema(text: &str) -> bool {
    let name = text.split('(').next().unwrap_or_default().trim();
    text.contains('(') && text.contains("->") && is_operator(name)
}

/// A schema with the spaces that PyTorch's own have. What is in brackets stays: a default value is
/// generated as it is written.
fn schema(text: &str) -> String {
    let chars: Vec<char> = text.trim().chars().collect();
    let mut out = String::with_capacity(text.len() + 8);
    let mut quote = None;
    let mut brackets = 0_usize;
    let mut at = 0;
    let mut opened = false;
    let blanks = |at: usize| chars[at..].iter().take_while(|c| c.is_whitespace()).count();
    let is_operator = |c: Option<&char>| c.is_some_and(|c| matches!(c, '=' | '<' | '>' | '!'));
    while let Some(&c) = chars.get(at) {
        at += 1;
        if let Some(end) = quote {
            out.push(c);
            quote = quote.filter(|_| c != end);
            if c == '\\' {
                out.extend(chars.get(at));
                at += 1;
            }
            continue;
        }
        brackets = (brackets + usize::from(c == '[')).saturating_sub(usize::from(c == ']'));
        let before = out.trim_end().len();
        match c {
            '\'' | '"' => quote = Some(c),
            _ if brackets > 0 || c == ']' => {}
            _ if c.is_whitespace() => {
                at += blanks(at);
                out.push(' ');
                continue;
            }
            ',' => {
                out.truncate(before);
                at += blanks(at);
                out.push_str(", ");
                continue;
            }
            '-' if chars.get(at) == Some(&'>') => {
                out.truncate(before);
                at += 1;
                at += blanks(at);
                out.push_str(" -> ");
                continue;
            }
            '(' => {
                if !opened {
                    out.truncate(before);
                    opened = true;
                }
                at += blanks(at);
            }
            ')' => out.truncate(before),
            '=' if !is_operator(out[..before].chars().next_back().as_ref()) && !is_operator(chars.get(at)) => {
                out.truncate(before);
                at += blanks(at);
            }
            _ => {}
        }
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    out
}

/// A value without the white space that separates no words; text in quotes stays.
pub(super) fn squeezed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    let mut blank = false;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for c in text.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c.is_whitespace() => {
                blank = true;
                continue;
            }
            _ => {}
        }
        if blank && is_word(c) && out.chars().next_back().is_some_and(is_word) {
            out.push(' ');
        }
        blank = false;
        out.push(c);
    }
    out
}

//! String literals of Python: prefixes, escapes, and where strings with fields end.
//!
//! Invariant: a literal without fields has its value in Python. Bytes and fields have no
//! values.

use std::ops::Range;

use super::error::error;
use crate::diag::TextError;

/// Fields may contain strings that have fields; deeper nesting is refused.
const MAX_FIELDS: usize = 50;

/// Whether a word before a quote belongs to the string.
pub(crate) fn is_prefix(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    matches!(word.as_str(), "r" | "u" | "b" | "f" | "t" | "br" | "rb" | "fr" | "rf" | "tr" | "rt")
}

/// Reads the literal whose prefix starts at `start` and whose quote is at `quote`: its value, if it
/// is known, and its end.
pub(crate) fn literal(text: &str, start: usize, quote: usize) -> Result<(Option<String>, usize), TextError> {
    literal_at(text, start, quote, 0)
}

fn literal_at(text: &str, start: usize, quote: usize, depth: usize) -> Result<(Option<String>, usize), TextError> {
    let prefix = text[start..quote].to_ascii_lowercase();
    let delimiter = &text[quote..quote + 1];
    let triple = text[quote..].starts_with(&delimiter.repeat(3));
    let string = Literal {
        text,
        opening: start..quote + if triple { 3 } else { 1 },
        delimiter: &text[quote..quote + if triple { 3 } else { 1 }],
        triple,
        fields: prefix.contains(['f', 't']),
        raw: prefix.contains('r'),
        depth,
    };
    let (end, has_fields) = string.end()?;
    let content = &text[string.opening.end..end];
    let value = if prefix.contains('b') || has_fields || (string.fields && content.contains(['{', '}'])) {
        None
    } else if prefix.contains('r') {
        Some(newlines(content))
    } else {
        unescape(&newlines(content))
    };
    Ok((value, end + string.delimiter.len()))
}

/// The parts of a string with fields: texts, and the contents of fields. `None` if it is no such
/// string, or it has escapes, formats or fields inside fields.
pub(crate) fn fields_of(literal: &str) -> Option<Vec<Result<String, String>>> {
    let quote = literal.find(['"', '\''])?;
    let prefix = literal[..quote].to_ascii_lowercase();
    let delimiter = &literal[quote..=quote];
    let long = delimiter.repeat(3);
    let delimiter = if literal[quote..].starts_with(&long) { long.as_str() } else { delimiter };
    let content = literal[quote..].strip_prefix(delimiter)?.strip_suffix(delimiter)?;
    if !prefix.contains('f') || (content.contains('\\') && !prefix.contains('r')) {
        return None;
    }
    let content = newlines(content);
    let mut parts = Vec::new();
    let mut rest = content.as_str();
    while let Some((text, after)) = rest.split_once('{') {
        let (field, after) = after.split_once('}')?;
        if text.contains('}') || field.contains(['{', ':', '!']) {
            return None;
        }
        parts.push(Ok(text.to_owned()));
        parts.push(Err(field.to_owned()));
        rest = after;
    }
    parts.push(Ok(rest.to_owned()));
    (!rest.contains('}')).then_some(parts)
}

struct Literal<'a> {
    text: &'a str,
    opening: Range<usize>,
    delimiter: &'a str,
    triple: bool,
    fields: bool,
    raw: bool,
    depth: usize,
}

impl Literal<'_> {
    /// Where the content ends, and whether it has fields.
    fn end(&self) -> Result<(usize, bool), TextError> {
        let mut at = self.opening.end;
        let mut has_fields = false;
        loop {
            let rest = &self.text[at..];
            if rest.starts_with(self.delimiter) {
                return Ok((at, has_fields));
            }
            match rest.chars().next() {
                None => return Err(self.unterminated()),
                Some('\n' | '\r') if !self.triple => return Err(self.unterminated()),
                // A brace cannot be escaped like this.
                Some('\\') if self.fields && rest[1..].starts_with(['{', '}']) => at += 1,
                Some('\\') if self.fields && !self.raw && rest[1..].starts_with("N{") => {
                    at += rest.find('}').unwrap_or(2);
                }
                Some('\\') => at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                Some('{') if self.fields && !rest.starts_with("{{") => {
                    has_fields = true;
                    at = self.field(at + 1, 0)?;
                }
                Some('{') if self.fields => at += 2,
                Some(c) => at += c.len_utf8(),
            }
        }
    }

    /// The end of the field whose content starts at `at`, after its brace.
    fn field(&self, mut at: usize, nested: usize) -> Result<usize, TextError> {
        if nested > MAX_FIELDS {
            return Err(error(at..at, "fields are nested too deeply"));
        }
        let mut brackets = 0usize;
        let mut in_format = false;
        loop {
            let rest = &self.text[at..];
            let Some(c) = rest.chars().next() else { return Err(self.unterminated()) };
            at += c.len_utf8();
            match c {
                '}' if brackets == 0 => return Ok(at),
                '{' if in_format => at = self.field(at, nested + 1)?,
                _ if in_format => {}
                '(' | '[' | '{' => brackets += 1,
                ')' | ']' | '}' => brackets = brackets.saturating_sub(1),
                ':' if brackets == 0 => in_format = true,
                '"' | '\'' => {
                    if self.depth == MAX_FIELDS {
                        return Err(error(at..at, "strings are nested too deeply"));
                    }
                    let quote = at - 1;
                    let before = &self.text[..quote];
                    let word = before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
                    let start = if is_prefix(&before[quote - word..]) { quote - word } else { quote };
                    at = literal_at(self.text, start, quote, self.depth + 1)?.1;
                }
                _ => {}
            }
        }
    }

    fn unterminated(&self) -> TextError {
        error(self.opening.clone(), "unterminated string")
    }
}

/// Line ends in Python.
fn newlines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The text with its escapes resolved; `None` if one names a character, which would need all of
/// Unicode's names.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let c = after.chars().next()?;
        rest = &after[c.len_utf8()..];
        let hex = |digits: usize| {
            let code = after.get(1..1 + digits)?;
            char::from_u32(u32::from_str_radix(code, 16).ok()?)
        };
        let simple = match c {
            '\n' => continue,
            '\\' | '\'' | '"' => c,
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            'x' | 'u' | 'U' => {
                let digits = match c {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let c = hex(digits)?;
                rest = &after[1 + digits..];
                c
            }
            '0'..='7' => {
                let digits = after.bytes().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
                rest = &after[digits..];
                char::from_u32(u32::from_str_radix(&after[..digits], 8).ok()?)?
            }
            'N' => return None,
            c => {
                out.push('\\');
                c
            }
        };
        out.push(simple);
    }
    out.push_str(rest);
    Some(out)
}

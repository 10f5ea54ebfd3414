//! Scalars as libyaml writes them in block style: plain if that reads back, else in single quotes,
//! else in double quotes.
//!
//! Invariant: a string reads back as that string, never as a number, a boolean or null. Lines are
//! not folded, since the reference does not limit the width.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::Serialize;

use super::number;
use torchgen_base::yaml::resolve;

/// The depth of a scalar, which decides the indentation of its further lines.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Depth {
    /// A value of an operator.
    Operator,
    /// A value of an argument or return.
    Item,
}

/// A scalar, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Scalar<'a>(Cow<'a, str>);

impl<'a> Scalar<'a> {
    /// A string.
    pub(crate) fn text(text: impl Into<Cow<'a, str>>, depth: Depth) -> Self {
        let text = text.into();
        let shape = Shape::from_text(&text);
        Scalar(if shape.plain && resolve::plain(&text) == resolve::Resolved::Str {
            text
        } else if shape.single_quoted {
            Cow::Owned(single_quoted(&text, depth))
        } else {
            Cow::Owned(double_quoted(&text))
        })
    }

    /// A C++ default: booleans and numbers are written as such. Rule: torchgen/gen.py,
    /// `pythonify_default`.
    pub(crate) fn default(default: impl Into<Cow<'a, str>>) -> Self {
        let default = default.into();
        if matches!(&*default, "true" | "false") {
            return Scalar(default);
        }
        match number::normalise(&default) {
            Some(number) => Scalar(Cow::Owned(number)),
            None => Scalar::text(default, Depth::Item),
        }
    }
}

impl std::fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<bool> for Scalar<'_> {
    fn from(value: bool) -> Self {
        Scalar(Cow::Borrowed(if value { "true" } else { "false" }))
    }
}

impl From<u32> for Scalar<'_> {
    fn from(value: u32) -> Self {
        Scalar(Cow::Owned(value.to_string()))
    }
}

/// The styles that can represent a string. Rule: libyaml's emitter.c,
/// `yaml_emitter_analyze_scalar`.
struct Shape {
    plain: bool,
    single_quoted: bool,
}

impl Shape {
    fn from_text(text: &str) -> Shape {
        let mut plain = !(text.starts_with("---") || text.starts_with("...") || text.starts_with([' ', '\n']));
        let mut single_quoted = true;
        let bytes = text.as_bytes();
        for (place, &byte) in bytes.iter().enumerate() {
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                continue;
            }
            let blank = |b: Option<u8>| matches!(b, None | Some(b' ' | b'\n' | b'\t'));
            let previous = place.checked_sub(1).map(|before| bytes[before]);
            let next = bytes.get(place + 1).copied();
            match byte {
                b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%'
                | b'@' | b'`'
                    if previous.is_none() =>
                {
                    plain = false;
                }
                b'?' | b'-' if previous.is_none() && blank(next) => plain = false,
                b':' if blank(next) => plain = false,
                b'#' if blank(previous) => plain = false,
                b' ' if previous == Some(b'\n') => (plain, single_quoted) = (false, false),
                b' ' if next.is_none() => plain = false,
                b'\n' => {
                    plain = false;
                    single_quoted &= previous != Some(b' ');
                }
                b' '..=b'~' => {}
                // Also each byte of other characters than ASCII's.
                _ => (plain, single_quoted) = (false, false),
            }
        }
        Shape { plain, single_quoted }
    }
}

/// The string in single quotes. A line break becomes an empty line, and the next line starts with
/// the indentation.
fn single_quoted(text: &str, depth: Depth) -> String {
    let indent = match depth {
        Depth::Operator => 4,
        Depth::Item => 6,
    };
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    let mut breaks = false;
    for c in text.chars() {
        if c == '\n' {
            if !breaks {
                out.push(c);
            }
            out.push(c);
            breaks = true;
            continue;
        }
        if breaks && c != ' ' {
            out.push_str(&" ".repeat(indent));
        }
        breaks = false;
        if c == '\'' {
            out.push(c);
        }
        out.push(c);
    }
    if breaks {
        out.push_str(&" ".repeat(indent));
    }
    out.push('\'');
    out
}

fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        let short = match c {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\r' => 'r',
            '\u{1b}' => 'e',
            '"' | '\\' => c,
            '\u{85}' => 'N',
            '\u{a0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            ' '..='~' => {
                out.push(c);
                continue;
            }
            _ => {
                let code = u32::from(c);
                // Writing to a string cannot fail.
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02X}"),
                    0x100..=0xffff => write!(out, "\\u{code:04X}"),
                    _ => write!(out, "\\U{code:08X}"),
                };
                continue;
            }
        };
        out.extend(['\\', short]);
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(Scalar::text(text, Depth::Operator).0, expected, "{text:?}");
    }

    // The expected values are what PyYAML's C dumper writes.
    #[test]
    fn strings() {
        check("abs", "abs");
        check("", "''");
        check("yes", "'yes'");
        check("1_0", "'1_0'");
        check("null", "'null'");
        check("{}", "'{}'");
        check("a{b}, [c]", "a{b}, [c]");
        check("const at::Tensor &", "const at::Tensor &");
        check("a: b", "'a: b'");
        check("a:", "'a:'");
        check("a #b", "'a #b'");
        check("a#b", "a#b");
        check("- a", "'- a'");
        check("-a", "-a");
        check("it's", "it's");
        check("'it'", "'''it'''");
        check(" a", "' a'");
        check("a ", "'a '");
        check("---a", "'---a'");
        check("a\tb", "\"a\\tb\"");
        check("é\u{1f600}", "\"\\xE9\\U0001F600\"");
        check("a\nb", "'a\n\n    b'");
        check("a\n", "'a\n\n    '");
        check("a \nb", "\"a \\nb\"");
        check("a\n b", "\"a\\n b\"");
    }

    #[test]
    fn defaults() {
        for (default, expected) in
            [("true", "true"), ("1e-05", "1.0e-05"), ("\"mean\"", "'\"mean\"'"), ("::std::nullopt", "::std::nullopt")]
        {
            assert_eq!(Scalar::default(default).0, expected);
        }
    }
}

//! Literals of strings that generated Python contains.
//!
//! Invariant: whatever the text is, the literal is on one line, Python reads it as that text, and
//! it shows its readers every character.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::diag::visible;

/// A literal of a text.
pub fn string_literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        push_visible(&mut out, c);
    }
    out.push('"');
    out
}

/// A literal of an author, in which characters that end a line or that readers do not see are
/// escapes. All else stays as it was written.
pub fn in_one_line(literal: &str) -> Cow<'_, str> {
    if literal.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return Cow::Borrowed(literal);
    }
    let mut out = String::with_capacity(literal.len());
    literal.chars().for_each(|c| push_visible(&mut out, c));
    Cow::Owned(out)
}

/// Appends a character that is not special in a literal.
fn push_visible(out: &mut String, c: char) {
    match c {
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        ' '..='~' => out.push(c),
        c if visible(c.encode_utf8(&mut [0; 4])) == *c.encode_utf8(&mut [0; 4]) => out.push(c),
        c => match u32::from(c) {
            code @ ..=0xff => drop(write!(out, "\\x{code:02x}")),
            code @ ..=0xffff => drop(write!(out, "\\u{code:04x}")),
            code => drop(write!(out, "\\U{code:08x}")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        for (text, expected) in [
            ("a 'b' \"c\" \\", r#""a 'b' \"c\" \\""#),
            ("a\n\r\t\u{0}1\u{85}\u{e9}", "\"a\\n\\r\\t\\x001\\x85\u{e9}\""),
            ("\u{2028}\u{2029}\u{e0001}", "\"\\u2028\\u2029\\U000e0001\""),
        ] {
            assert_eq!(string_literal(text), expected, "{text:?}");
        }
        assert_eq!(in_one_line("'a\\n\r\u{2028}\"'"), "'a\\n\\r\\u2028\"'");
    }
}

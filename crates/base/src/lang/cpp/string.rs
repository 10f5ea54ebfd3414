//! Literals of strings in C++.
//!
//! Invariant: whatever the text is, the literal is on one line, is read as that text by every
//! compiler in every dialect, and shows its readers every character.

use std::fmt::Write as _;

use crate::diag::visible;

/// A literal of a text.
pub fn string_literal(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text as it is between the quotes of a literal.
pub fn escaped(text: &str) -> String {
    let stays = |b: u8| matches!(b, b' '..=b'~') && b != b'"' && b != b'\\';
    if text.bytes().all(stays) && !text.contains("??") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            // Two of them begin a trigraph in old dialects.
            '?' if before == Some('?') => out.push_str("\\?"),
            ' '..='~' => out.push(c),
            c => {
                let mut buffer = [0; 4];
                let text = &*c.encode_utf8(&mut buffer);
                if visible(text) == text {
                    out.push(c);
                } else {
                    // Three digits always, so that what follows does not become a part of it.
                    text.bytes().for_each(|byte| _ = write!(out, "\\{byte:03o}"));
                }
            }
        }
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        for (text, expected) in [
            ("abs(Tensor self) -> Tensor", r#""abs(Tensor self) -> Tensor""#),
            (r#"f(str a="\"'\\") -> ()"#, r#""f(str a=\"\\\"'\\\\\") -> ()""#),
            ("a\n\t\u{7}\u{8}\u{b}\u{c}\u{e9}\r", "\"a\\n\\t\\a\\b\\v\\f\u{e9}\\r\""),
            ("a? b?? c???/", "\"a? b?\\? c?\\?\\?/\""),
            (
                "a\u{0}1 \u{2028}\u{2029}\u{85}\u{feff}",
                "\"a\\0001 \\342\\200\\250\\342\\200\\251\\302\\205\\357\\273\\277\"",
            ),
        ] {
            assert_eq!(string_literal(text), expected, "{text:?}");
        }
    }
}

//! The grammar's own errors, and their conversion to diagnostics.
//!
//! Invariant: ranges are offsets in the text that was parsed. Not here: the errors themselves
//! (`kit::schema::syntax`).

use std::ops::Range;

use crate::codes;
use torchgen_base::diag::{CodeInfo, Help, TextError};
use torchgen_base::lang::is_ascii_word;
use torchgen_kit::schema::syntax::{self, Expected, Particular, SyntaxError, alternatives, word_len};

/// The outcome of one rule of the grammar.
pub(super) type PResult<'a, T> = syntax::PResult<'a, T, &'static CodeInfo>;

/// The error as a [`TextError`] in a text of `len` bytes.
pub(super) fn into_error(error: nom::Err<SyntaxError<'_, &'static CodeInfo>>, len: usize) -> TextError {
    let (nom::Err::Error(error) | nom::Err::Failure(error)) = error else {
        return TextError::new(&codes::SCHEMA_SYNTAX, len..len, "the text is incomplete");
    };
    if let Some(particular) = error.particular {
        let start = len - error.at.len();
        let Particular { len, kind, message, help } = *particular;
        return TextError { range: start..start + len, message, help, code: kind };
    }
    let at = past_spaces(error.at, error.expected);
    let start = len - at.len();
    let found = token(at);
    let range = start..start + found.len();
    if found == "->" && error.expected.contains(Expected::ARROW) {
        let message = "no space before or after the arrow";
        return TextError::new(&codes::SCHEMA_SYNTAX, range, message).help(Help::write(" -> ").certainly());
    }
    let message = format!("expected {}, found {}", alternatives(&error.expected.texts()), shown(found));
    let located = TextError::new(&codes::SCHEMA_SYNTAX, range, message);
    match help(found, error.expected) {
        Some(help) => located.help(help),
        None => located,
    }
}

/// If white space precedes a token that is not expected either, the error is at that token.
fn past_spaces(at: &str, expected: Expected) -> &str {
    let rest = at.trim_start();
    let fits = match rest.chars().next() {
        Some('=') => expected.contains(Expected::EQUALS),
        Some('(') => expected.contains(Expected::OPEN),
        Some(',') => expected.contains(Expected::COMMA),
        Some('!') => expected.contains(Expected::BANG),
        Some(')') => expected.contains(Expected::CLOSE),
        Some(']') => expected.contains(Expected::BRACKET),
        Some('-') => expected.contains(Expected::ARROW | Expected::DEFAULT),
        None => true,
        Some(_) => expected.contains(Expected::WORDS),
    };
    if fits { at } else { rest }
}

fn help(found: &str, expected: Expected) -> Option<&'static str> {
    let is_space = !found.is_empty() && found.trim().is_empty();
    if is_space {
        Some("write one space after each `,`, before each name and around `->`, and no other white space")
    } else if expected == Expected::ARGUMENT {
        Some("every argument is a type and a name, as in `Tensor self`")
    } else if expected == Expected::ARROW {
        Some("a schema is `name(arguments) -> returns`; no returns are written `()`")
    } else {
        None
    }
}

fn shown(found: &str) -> String {
    match found {
        "" => "the end".to_owned(),
        "\n" | "\r" | "\r\n" => "a line break".to_owned(),
        _ if found.trim().is_empty() => "white space".to_owned(),
        _ => format!("`{found}`"),
    }
}

/// The first token of a text: a word, `->`, a run of white space or one character.
fn token(text: &str) -> &str {
    let len = match text.chars().next() {
        None => 0,
        Some(c) if is_ascii_word(c) => word_len(text),
        Some('-') if text.starts_with("->") => 2,
        Some(c) if c.is_whitespace() => text.len() - text.trim_start().len(),
        Some(c) => c.len_utf8(),
    };
    &text[..len]
}

/// The length of the first token of a text.
pub(super) fn token_len(text: &str) -> usize {
    token(text).len()
}

/// Deeper nesting of types is refused: it is never meant, and each level uses stack.
pub(super) const MAX_TYPE_DEPTH: usize = 64;

/// The range without the white space at its ends.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

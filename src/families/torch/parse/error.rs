//! The grammar's own errors, and their conversion to diagnostics.
//!
//! Invariant: an error has the rest of the text from its place on; its offset follows from the
//! lengths. Creating one allocates only if the grammar has a specific message, since `opt` and
//! `alt` discard most errors.

use std::ops::{BitOr, Range};

use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};

use crate::diag::{CodeInfo, Fault, codes};
use crate::lang::is_ascii_word;

/// The outcome of one rule of the grammar.
pub(super) type PResult<'a, T> = IResult<&'a str, T, SyntaxError<'a>>;

/// A set of tokens that are allowed at some place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Expected(u32);

macro_rules! expected {
    ($($name:ident = $bit:literal $text:literal;)*) => {
        impl Expected {
            pub(super) const NOTHING: Expected = Expected(0);
            $(pub(super) const $name: Expected = Expected(1 << $bit);)*
            const TEXTS: &'static [(Expected, &'static str)] = &[$((Expected::$name, $text)),*];
        }
    };
}

// In the order in messages.
expected! {
    OPERATOR = 0 "an operator name";
    OVERLOAD = 1 "an overload name";
    NAMESPACE = 2 "a namespace";
    TYPE = 3 "a type";
    NAME = 4 "an argument name";
    ALIAS = 5 "an alias set";
    DEFAULT = 6 "a default";
    EQUALS = 7 "`=`";
    OPEN = 8 "`(`";
    COMMA = 9 "`,`";
    BANG = 10 "`!`";
    CLOSE = 11 "`)`";
    BRACKET = 12 "`]`";
    ARROW = 13 "`->`";
    END = 14 "the end";
}

impl BitOr for Expected {
    type Output = Expected;

    fn bitor(self, other: Expected) -> Expected {
        Expected(self.0 | other.0)
    }
}

impl Expected {
    /// Everything that begins with a letter, a digit or a quote.
    const WORDS: Expected = Expected(0b111_1111);

    fn contains(self, other: Expected) -> bool {
        self.0 & other.0 != 0
    }

    /// `a`, `a or b`, `a, b or c`
    fn list(self) -> String {
        let texts: Vec<&str> =
            Expected::TEXTS.iter().filter(|(one, _)| self.contains(*one)).map(|(_, text)| *text).collect();
        match texts.as_slice() {
            [] => "something else".to_owned(),
            [one] => (*one).to_owned(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        }
    }
}

/// Where and why the grammar stopped.
#[derive(Debug)]
pub(super) struct SyntaxError<'a> {
    at: &'a str,
    expected: Expected,
    said: Option<Box<Said>>,
}

/// An error with a more specific message than the expected tokens.
#[derive(Debug)]
struct Said {
    len: usize,
    code: &'static CodeInfo,
    message: String,
    help: Option<String>,
}

impl<'a> ParseError<&'a str> for SyntaxError<'a> {
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        SyntaxError { at, expected: Expected::NOTHING, said: None }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// Of two alternatives the one that got further; at the same place, the tokens expected by
    /// either.
    fn or(self, other: Self) -> Self {
        match self.at.len().cmp(&other.at.len()) {
            std::cmp::Ordering::Less => self,
            std::cmp::Ordering::Greater => other,
            std::cmp::Ordering::Equal => {
                SyntaxError { at: self.at, expected: self.expected | other.expected, said: self.said.or(other.said) }
            }
        }
    }
}

/// Adds the expected token if `parser` fails at its first byte.
pub(super) fn expect<'a, T>(
    what: Expected,
    mut parser: impl Parser<&'a str, Output = T, Error = SyntaxError<'a>>,
) -> impl FnMut(&'a str) -> PResult<'a, T> {
    move |i| {
        parser.parse(i).map_err(|error| {
            error.map(|mut error| {
                if error.at.len() == i.len() {
                    error.expected = error.expected | what;
                }
                error
            })
        })
    }
}

/// A recoverable error: something else is allowed here.
pub(super) fn missing<'a, T>(at: &'a str, expected: Expected) -> PResult<'a, T> {
    Err(nom::Err::Error(SyntaxError { at, expected, said: None }))
}

/// A final error about the first `len` bytes of `at`.
pub(super) fn refuse<'a, T>(
    at: &'a str,
    len: usize,
    code: &'static CodeInfo,
    message: impl Into<String>,
    help: Option<String>,
) -> PResult<'a, T> {
    let said = Some(Box::new(Said { len, code, message: message.into(), help }));
    Err(nom::Err::Failure(SyntaxError { at, expected: Expected::NOTHING, said }))
}

/// The error as a [`Fault`] in a text of `len` bytes.
pub(super) fn into_fault(error: nom::Err<SyntaxError<'_>>, len: usize) -> Fault {
    let (nom::Err::Error(error) | nom::Err::Failure(error)) = error else {
        return Fault::new(&codes::SCHEMA_SYNTAX, len..len, "the text is incomplete");
    };
    if let Some(said) = error.said {
        let start = len - error.at.len();
        return Fault { range: start..start + said.len, message: said.message, help: said.help, code: said.code };
    }
    let at = past_spaces(error.at, error.expected);
    let start = len - at.len();
    let found = token(at);
    let range = start..start + found.len();
    if found == "->" && error.expected.contains(Expected::ARROW) {
        let message = "no space before or after the arrow";
        return Fault::new(&codes::SCHEMA_SYNTAX, range, message).help("write ` -> `");
    }
    let message = format!("expected {}, found {}", error.expected.list(), shown(found));
    let fault = Fault::new(&codes::SCHEMA_SYNTAX, range, message);
    match help(found, error.expected) {
        Some(help) => fault.help(help),
        None => fault,
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
    } else if expected == Expected::NAME {
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
    let run = |of: fn(char) -> bool| text.len() - text.trim_start_matches(of).len();
    let len = match text.chars().next() {
        None => 0,
        Some(c) if is_ascii_word(c) => run(is_ascii_word),
        Some('-') if text.starts_with("->") => 2,
        Some(c) if c.is_whitespace() => run(char::is_whitespace),
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

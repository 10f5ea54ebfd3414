//! Errors in schema strings.
//!
//! Invariant: while the grammar runs, an error holds the rest of the text from the wrong place; its
//! offset follows from the lengths. Most errors are dropped by `opt` and `alt`, so creating one does
//! not allocate unless it has a message.

use std::cmp::Ordering;
use std::ops::{BitOr, Range};

use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};

use crate::diag::{CodeInfo, Diagnostic, codes};
use crate::lang::is_ascii_word;
use crate::yaml::Text;

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemaErrorKind {
    /// The text is not a schema.
    Syntax,
    /// A name is malformed or repeated.
    Name,
    /// A type is unknown, or a suffix is wrong.
    Type,
    /// An alias set is malformed or in the wrong place.
    Alias,
    /// A default is malformed or does not fit its type.
    Default,
}

impl SchemaErrorKind {
    /// The code, which all families share.
    pub(crate) fn code(self) -> &'static CodeInfo {
        match self {
            SchemaErrorKind::Syntax => &codes::SCHEMA_SYNTAX,
            SchemaErrorKind::Name => &codes::BAD_ARGUMENT,
            SchemaErrorKind::Type => &codes::UNKNOWN_TYPE,
            SchemaErrorKind::Alias => &codes::BAD_ANNOTATION,
            SchemaErrorKind::Default => &codes::BAD_DEFAULT,
        }
    }
}

/// An error in a schema string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SchemaError {
    /// Its kind.
    pub kind: SchemaErrorKind,
    /// The wrong bytes of the schema string; empty at its end if something is missing.
    pub range: Range<usize>,
    /// What is allowed there, in words.
    pub expected: Vec<String>,
    /// One sentence without a full stop.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
}

impl SchemaError {
    pub(super) fn new(kind: SchemaErrorKind, range: Range<usize>, message: impl Into<String>) -> SchemaError {
        SchemaError { kind, range, expected: Vec::new(), message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> SchemaError {
        self.help = Some(help.into());
        self
    }

    pub(super) fn maybe_help(mut self, help: Option<String>) -> SchemaError {
        self.help = help;
        self
    }

    pub(super) fn expected(mut self, expected: Vec<String>) -> SchemaError {
        self.expected = expected;
        self
    }

    /// The diagnostic, with its caret inside the scalar that holds the schema.
    pub(crate) fn at_text(self, text: &Text) -> Diagnostic {
        let code = self.kind.code();
        self.at_text_as(code, text)
    }

    /// As [`at_text`](SchemaError::at_text), but under a code of the family.
    pub(crate) fn at_text_as(self, code: &'static CodeInfo, text: &Text) -> Diagnostic {
        Diagnostic::new(code, self.message).at(text.sub_span(self.range)).maybe_help(self.help)
    }
}

/// The result of a grammar rule.
pub(super) type PResult<'a, T> = IResult<&'a str, T, SyntaxError<'a>>;

/// The set of items expected at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Expected(u16);

macro_rules! expected {
    ($($name:ident = $bit:literal $text:literal;)*) => {
        impl Expected {
            $(pub(super) const $name: Expected = Expected(1 << $bit);)*
            const TEXTS: &'static [(Expected, &'static str)] = &[$((Expected::$name, $text)),*];
        }
    };
}

// In the order in which messages list them.
expected! {
    SCHEMA_NAME = 0 "a name";
    OVERLOAD = 1 "an overload name";
    TYPE = 2 "a type";
    NAME = 3 "a parameter name";
    ALIAS = 4 "an alias set";
    DEFAULT = 5 "a default";
    STAR = 6 "`*`";
    DOT = 7 "`.`";
    EQUALS = 8 "`=`";
    OPEN = 9 "`(`";
    COMMA = 10 "`,`";
    BANG = 11 "`!`";
    CLOSE = 12 "`)`";
    BRACKET = 13 "`]`";
    ARROW = 14 "`->`";
    END = 15 "the end";
}

impl BitOr for Expected {
    type Output = Expected;

    fn bitor(self, other: Expected) -> Expected {
        Expected(self.0 | other.0)
    }
}

impl Expected {
    pub(super) const NOTHING: Expected = Expected(0);

    fn texts(self) -> Vec<String> {
        let in_set = Expected::TEXTS.iter().filter(|(one, _)| self.0 & one.0 != 0);
        in_set.map(|(_, text)| (*text).to_owned()).collect()
    }
}

/// `a`, `a or b`, `a, b or c`
pub(super) fn alternatives(texts: &[String]) -> String {
    match texts {
        [] => "something else".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Where and why the grammar stopped.
#[derive(Debug)]
pub(super) struct SyntaxError<'a> {
    at: &'a str,
    expected: Expected,
    particular: Option<Box<Particular>>,
}

/// An error with a message, beyond what was expected.
#[derive(Debug)]
struct Particular {
    len: usize,
    kind: SchemaErrorKind,
    message: String,
    help: Option<String>,
}

impl<'a> ParseError<&'a str> for SyntaxError<'a> {
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        SyntaxError { at, expected: Expected::NOTHING, particular: None }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// The alternative that got further; at the same place, the union of what they expected.
    fn or(self, other: Self) -> Self {
        match self.at.len().cmp(&other.at.len()) {
            Ordering::Less => self,
            Ordering::Greater => other,
            Ordering::Equal => SyntaxError {
                at: self.at,
                expected: self.expected | other.expected,
                particular: self.particular.or(other.particular),
            },
        }
    }
}

/// Sets what was expected if `parser` fails at its first byte.
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

/// A final error at the first `len` bytes of `at`.
pub(super) fn refuse<'a, T>(
    at: &'a str,
    len: usize,
    kind: SchemaErrorKind,
    message: impl Into<String>,
    help: Option<&str>,
) -> PResult<'a, T> {
    let help = help.map(str::to_owned);
    let particular = Some(Box::new(Particular { len, kind, message: message.into(), help }));
    Err(nom::Err::Failure(SyntaxError { at, expected: Expected::NOTHING, particular }))
}

/// The error in a text of `len` bytes.
pub(super) fn finish(error: nom::Err<SyntaxError<'_>>, len: usize) -> SchemaError {
    let (nom::Err::Error(error) | nom::Err::Failure(error)) = error else {
        return SchemaError::new(SchemaErrorKind::Syntax, len..len, "the text is incomplete");
    };
    if let Some(particular) = error.particular {
        let start = len - error.at.len();
        let Particular { len, kind, message, help } = *particular;
        return SchemaError::new(kind, start..start + len, message).maybe_help(help);
    }
    let at = error.at.trim_start();
    let start = len - at.len();
    let found = token(at);
    let texts = error.expected.texts();
    let shown = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
    let message = format!("expected {}, found {shown}", alternatives(&texts));
    SchemaError::new(SchemaErrorKind::Syntax, start..start + found.len(), message)
        .expected(texts)
        .maybe_help(help(found, error.expected).map(str::to_owned))
}

fn help(found: &str, expected: Expected) -> Option<&'static str> {
    match (found, expected) {
        ("...", _) => Some("a varying number of parameters is a list, as in `Tensor[] xs`"),
        ("(", Expected::NAME) => Some("an alias set directly follows the name of its type, as in `Tensor(a)[] x`"),
        ("[" | "?", Expected::NAME) => Some("a suffix directly follows its type, as in `int[] x`"),
        ("!", _) => Some("an alias set marks what is written to, as in `Tensor(a!) x`"),
        (_, Expected::NAME) => Some("a parameter is a type and a name, as in `int x`"),
        _ => None,
    }
}

/// The first token of a text: a word, `->`, `...` or one character.
pub(super) fn token(text: &str) -> &str {
    let len = match text.chars().next() {
        None => 0,
        Some(c) if is_ascii_word(c) => text.len() - text.trim_start_matches(is_ascii_word).len(),
        Some('-') if text.starts_with("->") => 2,
        Some('.') if text.starts_with("...") => 3,
        Some(c) => c.len_utf8(),
    };
    &text[..len]
}

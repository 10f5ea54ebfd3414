//! Errors of a schema grammar: [`schema`](super)'s, and those of families with a grammar of their
//! own.
//!
//! Invariant: while the grammar runs, an error holds the rest of the text from the wrong place; its
//! offset follows from the lengths. Most errors are dropped by `opt` and `alt`, so creating one
//! does not allocate unless it has a message.

use std::cmp::Ordering;
use std::ops::BitOr;

use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};

use torchgen_base::diag::Help;
use torchgen_base::lang::is_ascii_word;

/// The result of a grammar rule. `K` is the kind of an error.
pub type PResult<'a, T, K> = IResult<&'a str, T, SyntaxError<'a, K>>;

/// The set of items expected at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected(u32);

macro_rules! expected {
    ($($name:ident = $bit:literal $text:literal;)*) => {
        impl Expected {
            $(
                #[doc = $text]
                pub const $name: Expected = Expected(1 << $bit);
            )*
            const TEXTS: &'static [(Expected, &'static str)] = &[$((Expected::$name, $text)),*];
        }
    };
}

// In the order in which messages list them.
expected! {
    SCHEMA_NAME = 0 "a name";
    OPERATOR = 1 "an operator name";
    OVERLOAD = 2 "an overload name";
    NAMESPACE = 3 "a namespace";
    TYPE = 4 "a type";
    PARAMETER = 5 "a parameter name";
    ARGUMENT = 6 "an argument name";
    ALIAS = 7 "an alias set";
    DEFAULT = 8 "a default";
    STAR = 9 "`*`";
    DOT = 10 "`.`";
    EQUALS = 11 "`=`";
    OPEN = 12 "`(`";
    COMMA = 13 "`,`";
    BANG = 14 "`!`";
    CLOSE = 15 "`)`";
    BRACKET = 16 "`]`";
    ARROW = 17 "`->`";
    END = 18 "the end";
}

impl BitOr for Expected {
    type Output = Expected;

    fn bitor(self, other: Expected) -> Expected {
        Expected(self.0 | other.0)
    }
}

impl Expected {
    /// The empty set.
    pub const NOTHING: Expected = Expected(0);
    /// Whatever begins with a letter, a digit or a quote.
    pub const WORDS: Expected = Expected((1 << 9) - 1);

    /// Whether the sets have something in common.
    pub fn contains(self, other: Expected) -> bool {
        self.0 & other.0 != 0
    }

    /// The words for messages, in order.
    pub fn texts(self) -> Vec<String> {
        let in_set = Expected::TEXTS.iter().filter(|(one, _)| self.contains(*one));
        in_set.map(|(_, text)| (*text).to_owned()).collect()
    }
}

/// `a`, `a or b`, `a, b or c`
pub fn alternatives(texts: &[String]) -> String {
    match texts {
        [] => "something else".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Where and why the grammar stopped.
#[derive(Debug)]
pub struct SyntaxError<'a, K> {
    /// The text from the wrong place on.
    pub at: &'a str,
    /// What could be there.
    pub expected: Expected,
    /// What is wrong, if the grammar knows more than that.
    pub particular: Option<Box<Particular<K>>>,
}

/// An error with a message, beyond what was expected.
#[derive(Debug)]
pub struct Particular<K> {
    /// How many bytes are wrong.
    pub len: usize,
    /// What kind of error it is.
    pub kind: K,
    /// One sentence without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<Help>,
}

impl<'a, K> ParseError<&'a str> for SyntaxError<'a, K> {
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
pub fn expect<'a, T, K>(
    what: Expected,
    mut parser: impl Parser<&'a str, Output = T, Error = SyntaxError<'a, K>>,
) -> impl FnMut(&'a str) -> PResult<'a, T, K> {
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

/// An error that other rules may recover from: something else may be here.
pub fn missing<T, K>(at: &str, expected: Expected) -> PResult<'_, T, K> {
    Err(nom::Err::Error(SyntaxError { at, expected, particular: None }))
}

/// A final error about the first `len` bytes of `at`.
pub fn refuse<T, K>(
    at: &str,
    len: usize,
    kind: K,
    message: impl Into<String>,
    help: Option<Help>,
) -> PResult<'_, T, K> {
    let particular = Some(Box::new(Particular { len, kind, message: message.into(), help }));
    Err(nom::Err::Failure(SyntaxError { at, expected: Expected::NOTHING, particular }))
}

/// The length of the word that a text begins with.
pub fn word_len(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_ascii_word).len()
}

//! Splits a text into tokens.
//!
//! Invariant: tokens are in order, do not overlap, and lie on character boundaries; the last one is
//! [`TokenKind::End`]. A line break counts only outside brackets, as a [`TokenKind::Line`] with the
//! indentation of the line that follows.

use std::ops::Range;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::syntax::FLOOR_DIVIDE;
use torchgen_base::lang::is_ascii_word;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name.
    Name,
    /// A reserved word.
    Word(&'static str),
    /// An integer without its sign.
    Int,
    /// A number with a point or an exponent.
    Float,
    /// A string with its quotes.
    Str,
    /// A string without its closing quote.
    OpenStr,
    /// Punctuation.
    Punct(&'static str),
    /// The start of a line that is not empty, with its indentation.
    Line(usize),
    /// Indentation with a tab in it.
    Tab,
    /// A character that starts no token.
    Invalid,
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) range: Range<usize>,
}

/// The reserved words.
pub(super) const WORDS: [&str; 18] = [
    "and", "or", "not", "in", "is", "if", "else", "elif", "for", "require", "fail", "return", "None", "none", "True",
    "true", "False", "false",
];

/// The operators and brackets; the longest match is the token.
const PUNCTUATION: [&str; 24] = [
    "==",
    "!=",
    "<=",
    ">=",
    FLOOR_DIVIDE,
    "+",
    "-",
    "*",
    "/",
    "%",
    "<",
    ">",
    "=",
    "(",
    ")",
    "[",
    "]",
    ":",
    ",",
    "!",
    "@",
    ".",
    "?",
    "|",
];

/// All tokens of a part of a text.
pub(super) fn tokens(text: &str, part: Range<usize>) -> Vec<Token> {
    let Some(slice) = text.get(part.clone()) else {
        return vec![Token { kind: TokenKind::End, range: part.end..part.end }];
    };
    let mut found = Vec::new();
    let mut at = 0;
    let mut depth = 0usize;
    let mut fresh = true;
    while at < slice.len() {
        if fresh {
            fresh = false;
            let blanks = slice[at..].len() - slice[at..].trim_start_matches([' ', '\t']).len();
            let rest = &slice[at + blanks..];
            if !rest.is_empty() && !rest.starts_with(['\n', '\r', '#']) {
                let range = part.start + at..part.start + at + blanks;
                let kind = if slice[at..at + blanks].contains('\t') { TokenKind::Tab } else { TokenKind::Line(blanks) };
                found.push(Token { kind, range });
            }
            at += blanks;
            continue;
        }
        let rest = &slice[at..];
        if rest.starts_with([' ', '\t', '\r']) {
            at += 1;
            continue;
        }
        if rest.starts_with('\n') {
            at += 1;
            fresh = depth == 0;
            continue;
        }
        if rest.starts_with('#') {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (mut kind, length) = token(rest);
        if matches!(kind, TokenKind::Word(_)) && is_called(found.last(), &rest[length..]) {
            kind = TokenKind::Name;
        }
        match kind {
            TokenKind::Punct("(" | "[") => depth += 1,
            TokenKind::Punct(")" | "]") => depth = depth.saturating_sub(1),
            _ => {}
        }
        found.push(Token { kind, range: part.start + at..part.start + at + length });
        at += length;
    }
    found.push(Token { kind: TokenKind::End, range: part.end..part.end });
    found
}

/// Whether a word is the name of what a call marks, as in `if!(…)` and `@if(…)`. A reserved word is
/// not possible there, so operators and builders may have such names.
fn is_called(before: Option<&Token>, rest: &str) -> bool {
    rest.starts_with("!(") || before.is_some_and(|token| token.kind == TokenKind::Punct("@"))
}

/// The first token of a text, and its length, which is not zero.
fn token(rest: &str) -> (TokenKind, usize) {
    let length = |taken: IResult<&str, &str>| taken.ok().map(|(_, taken)| taken.len()).filter(|&length| length > 0);
    if let Some(length) = length(name(rest)) {
        let word = WORDS.into_iter().find(|word| *word == &rest[..length]);
        return (word.map_or(TokenKind::Name, TokenKind::Word), length);
    }
    if let Some(length) = length(number(rest)) {
        let float = rest[..length].contains(['.', 'e', 'E']);
        return (if float { TokenKind::Float } else { TokenKind::Int }, length);
    }
    if rest.starts_with('"') {
        return string(rest);
    }
    for text in PUNCTUATION {
        if let Some(length) = length(tag(text).parse(rest)) {
            return (TokenKind::Punct(text), length);
        }
    }
    (TokenKind::Invalid, rest.chars().next().map_or(1, char::len_utf8))
}

fn name(rest: &str) -> IResult<&str, &str> {
    let first = take_while1(|c: char| c.is_ascii_alphabetic() || c == '_');
    recognize((first, take_while(is_ascii_word))).parse(rest)
}

fn number(rest: &str) -> IResult<&str, &str> {
    let exponent = || opt((one_of("eE"), opt(one_of("+-")), digit1));
    let pointed = recognize((digit1, char('.'), opt(digit1), exponent()));
    let bare = recognize((char('.'), digit1, exponent()));
    let whole = recognize((digit1, exponent()));
    alt((pointed, bare, whole)).parse(rest)
}

/// A string ends at the first quote that no backslash escapes, on the same line.
fn string(rest: &str) -> (TokenKind, usize) {
    let mut closed = preceded(char::<&str, nom::error::Error<&str>>('"'), |inner| body(inner));
    match closed.parse(rest) {
        Ok((_, inner)) => (TokenKind::Str, inner.len() + 2),
        Err(_) => (TokenKind::OpenStr, rest.find('\n').unwrap_or(rest.len())),
    }
}

fn body(inner: &str) -> IResult<&str, &str> {
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Ok((&inner[at + 1..], &inner[..at])),
            '\n' => break,
            _ => {}
        }
    }
    Err(nom::Err::Error(nom::error::Error::new(inner, nom::error::ErrorKind::Char)))
}

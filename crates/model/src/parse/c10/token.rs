//! The tokens of c10's schema language.
//!
//! Invariant: tokens are in order, do not overlap, and lie on character boundaries; the last one is
//! [`TokenKind::End`]. Line breaks count only outside parentheses, as in c10, which uses
//! TorchScript's lexer: hence the reserved words and comments. Rule:
//! torch/csrc/jit/frontend/lexer.h.

use std::ops::Range;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{digit0, digit1, hex_digit0, hex_digit1, one_of};
use nom::combinator::{opt, recognize, verify};
use nom::sequence::preceded;
use nom::{IResult, Parser};
use torchgen_base::lang::is_ascii_word;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name.
    Ident,
    /// A word that TorchScript reserves.
    Reserved,
    /// A number without its sign.
    Number,
    /// A string with its quotes.
    Str,
    /// Anything else, by its characters.
    Punct(&'static str),
    /// A significant line break.
    NewLine,
    /// A character that begins no token.
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

/// The words that TorchScript reserves.
pub(in crate::parse) const RESERVED: [&str; 29] = [
    "def", "if", "else", "elif", "while", "return", "is", "True", "False", "None", "and", "or", "not", "global", "for",
    "in", "raise", "assert", "break", "continue", "del", "pass", "class", "import", "with", "as", "Ellipsis",
    "NoneType", "property",
];

/// The longest match is the token.
const PUNCTUATION: [&str; 45] = [
    "<<=", ">>=", "**=", "<=>", "...", "!=", "==", "<=", ">=", "//", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "|=",
    "&=", "^=", "**", "->", "+", "-", "*", "/", "%", "@", "(", ")", "[", "]", ":", ",", "=", "{", "}", ">", "<", ".",
    "?", "!", "&", "^", "|",
];

/// All tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut nesting = 0usize;
    let mut at = 0;
    loop {
        at += blanks(&text[at..]);
        let rest = &text[at..];
        if rest.starts_with('#') && !rest.starts_with("# type:") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("\\\n") {
            at += 2;
            continue;
        }
        if rest.starts_with('\n') {
            let counts = nesting == 0 && tokens.last().is_some_and(|last| last.kind != TokenKind::NewLine);
            if counts {
                tokens.push(Token { kind: TokenKind::NewLine, range: at..at + 1 });
            }
            at += 1;
            continue;
        }
        let (kind, len) = token(rest);
        match kind {
            TokenKind::Punct("(" | "[" | "{") => nesting += 1,
            TokenKind::Punct(")" | "]" | "}") => nesting = nesting.saturating_sub(1),
            _ => {}
        }
        tokens.push(Token { kind, range: at..at + len });
        at += len;
        if kind == TokenKind::End {
            return tokens;
        }
    }
}

/// White space within a line.
fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\r', '\x0b', '\x0c']).len()
}

/// The first token of a text without leading white space, and its length.
fn token(text: &str) -> (TokenKind, usize) {
    let Some(first) = text.chars().next() else { return (TokenKind::End, 0) };
    if let Ok((rest, _)) = number(text) {
        return (TokenKind::Number, text.len() - rest.len());
    }
    if let Some(len) = string(text) {
        return (TokenKind::Str, len);
    }
    if let Ok((rest, word)) = identifier(text) {
        let kind = if RESERVED.contains(&word) { TokenKind::Reserved } else { TokenKind::Ident };
        return (kind, text.len() - rest.len());
    }
    match PUNCTUATION.iter().find(|punctuation| text.starts_with(**punctuation)) {
        Some(punctuation) => (TokenKind::Punct(punctuation), punctuation.len()),
        None => (TokenKind::Invalid, first.len_utf8()),
    }
}

fn identifier(i: &str) -> IResult<&str, &str> {
    let start = take_while1(|c: char| c.is_ascii_alphabetic() || c == '_');
    recognize((start, take_while(is_ascii_word))).parse(i)
}

/// A number that C's `strtod` reads, possibly imaginary.
fn number(i: &str) -> IResult<&str, &str> {
    recognize((alt((hexadecimal, decimal)), opt(tag("j")))).parse(i)
}

fn decimal(i: &str) -> IResult<&str, &str> {
    let digits = alt((recognize((digit1, opt((tag("."), digit0)))), recognize((tag("."), digit1))));
    let exponent = (one_of("eE"), opt(one_of("+-")), digit1);
    recognize((digits, opt(exponent))).parse(i)
}

fn hexadecimal(i: &str) -> IResult<&str, &str> {
    let digits = alt((recognize((hex_digit1, opt((tag("."), hex_digit0)))), recognize((tag("."), hex_digit1))));
    let exponent = (one_of("pP"), opt(one_of("+-")), digit1);
    recognize(preceded((tag("0"), one_of("xX")), (verify(digits, |d: &str| d != "."), opt(exponent)))).parse(i)
}

/// The length of the string literal at the start of a text. Triple quotes can contain line breaks;
/// a backslash escapes one character.
fn string(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let triple = text.bytes().take(3).filter(|b| *b == quote as u8).count() == 3;
    let quotes = if triple { 3 } else { 1 };
    let mut at = quotes;
    loop {
        let rest = &text[at..];
        let closing = rest.bytes().take(quotes).filter(|b| *b == quote as u8).count();
        if closing == quotes {
            return Some(at + quotes);
        }
        let mut chars = rest.chars();
        match chars.next()? {
            '\n' if !triple => return None,
            '\\' => at += 1 + chars.next()?.len_utf8(),
            other => at += other.len_utf8(),
        }
    }
}

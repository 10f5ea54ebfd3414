//! The tokens of a C++ source.
//!
//! Invariant: tokens are in order, do not overlap, and lie on character boundaries. Comments and
//! white space are not tokens; a preprocessor line with its continuations is one. Operators that
//! occur only in expressions (`->*`, `<=>`) are several tokens.

use std::ops::Range;

use crate::lang::is_word;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// A string or character with its prefix and quotes.
    Literal,
    /// A preprocessor line.
    Directive,
    /// `::`, `->` or one character.
    Punct,
}

/// A token and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its bytes.
    pub range: Range<usize>,
}

impl Token {
    /// The character of a punctuation token in its text; `None` for other tokens, and for `::` and
    /// `->`.
    pub fn mark(&self, text: &str) -> Option<char> {
        let mut chars = text.get(self.range.clone())?.chars();
        chars.next().filter(|_| self.kind == TokenKind::Punct && chars.next().is_none())
    }
}

/// The tokens of a text, also those in branches of the preprocessor that no compiler reads.
pub(super) fn all_tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c == '\n' {
            line_start = true;
            at += 1;
            continue;
        }
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if let Some(len) = spliced(rest).or_else(|| comment(rest)) {
            at += len;
            continue;
        }
        let (kind, len) = if c == '#' && line_start { (TokenKind::Directive, directive(rest)) } else { token(rest, c) };
        line_start = false;
        tokens.push(Token { kind, range: at..at + len });
        at += len;
    }
    tokens
}

/// A line continuation.
fn spliced(rest: &str) -> Option<usize> {
    if rest.starts_with("\\\n") {
        Some(2)
    } else if rest.starts_with("\\\r\n") {
        Some(3)
    } else {
        None
    }
}

fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        Some(logical_line(rest))
    } else {
        rest.strip_prefix("/*").map(|comment| comment.find("*/").map_or(rest.len(), |end| end + 4))
    }
}

/// The length of a line with its continuations, without its line break.
fn logical_line(rest: &str) -> usize {
    let mut at = 0;
    while let Some(end) = rest[at..].find('\n') {
        let line = &rest[..at + end];
        if !line.trim_end_matches('\r').ends_with('\\') {
            return at + end;
        }
        at += end + 1;
    }
    rest.len()
}

/// The length of a preprocessor line. A block comment may extend it.
fn directive(rest: &str) -> usize {
    let len = logical_line(rest);
    let line = &rest[..len];
    match line.rfind("/*") {
        Some(open) if !line[open..].contains("*/") && !line[..open].contains("//") => open,
        _ => len,
    }
}

fn token(rest: &str, first: char) -> (TokenKind, usize) {
    if let Some(len) = literal(rest) {
        return (TokenKind::Literal, len);
    }
    let run = |of: fn(char) -> bool| rest.len() - rest.trim_start_matches(of).len();
    if first.is_ascii_digit() || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
        return (TokenKind::Number, number(rest));
    }
    if is_in_name(first) {
        return (TokenKind::Word, run(is_in_name));
    }
    let len = if rest.starts_with("::") || rest.starts_with("->") { 2 } else { first.len_utf8() };
    (TokenKind::Punct, len)
}

/// Compilers accept a dollar sign in names.
fn is_in_name(c: char) -> bool {
    is_word(c) || c == '$'
}

/// Digits, letters, points, signs after an exponent, and quotes between digits.
fn number(rest: &str) -> usize {
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        let separator = c == '\'' && rest[at + 1..].starts_with(|c: char| c.is_ascii_alphanumeric());
        if !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || sign || separator) {
            return at;
        }
        before = c;
    }
    rest.len()
}

/// The length of a string or character literal, with its prefix.
fn literal(rest: &str) -> Option<usize> {
    let prefix = rest.len() - rest.trim_start_matches(['u', 'U', 'L', '8', 'R']).len();
    if prefix > 3 {
        return None;
    }
    let (prefix, quoted) = rest.split_at(prefix);
    let quote = quoted.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    if !matches!(prefix, "" | "u" | "U" | "L" | "u8" | "R" | "uR" | "UR" | "LR" | "u8R") {
        return None;
    }
    if prefix.ends_with('R') && quote == '"' {
        let open = quoted.find('(')?;
        let end = format!("){}\"", &quoted[1..open]);
        return Some(prefix.len() + quoted[open..].find(&end).map_or(quoted.len(), |at| open + at + end.len()));
    }
    let mut escaped = false;
    for (at, c) in quoted.char_indices().skip(1) {
        match c {
            // A backslash before CRLF continues the line, too.
            _ if escaped => escaped = c == '\r',
            '\\' => escaped = true,
            // Unterminated: only the line is lost.
            '\n' => return Some(prefix.len() + at),
            _ if c == quote => return Some(prefix.len() + at + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

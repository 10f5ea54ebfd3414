//! Tokens of Python.
//!
//! Invariant: brackets match, and every indent has its dedent. Rule: the lexical analysis of the
//! Python language reference.

use std::ops::Range;

use super::error::error;
use super::string;
use crate::diag::TextError;

/// Deeper nesting of brackets is refused, as Python does.
const MAX_BRACKETS: usize = 200;
/// Deeper indentation is refused too.
const MAX_INDENTS: usize = 100;

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword.
    Name,
    /// A number.
    Number,
    /// A string's value; `None` for bytes and for strings with fields to fill in.
    Str(Option<String>),
    /// An operator or a bracket.
    Op,
    /// The end of a logical line.
    Newline,
    /// The beginning of an indented block.
    Indent,
    /// Its end.
    Dedent,
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Debug, Clone)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes.
    pub range: Range<usize>,
    /// For an opening bracket, the index of the token that closes it.
    pub close: usize,
}

/// The tokens of a file, with one [`TokenKind::End`] at the end.
///
/// # Errors
/// An unterminated string, an unmatched bracket, or indentation that matches no block.
pub fn tokens(text: &str) -> Result<Vec<Token>, TextError> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new(), indents: vec![0], open: Vec::new() };
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    lexer.run()?;
    Ok(lexer.tokens)
}

/// The parts of a string with fields: texts, and the contents of fields. `None` if it is no such
/// string, or its fields or escapes are not simple.
pub fn fields_of(literal: &str) -> Option<Vec<Result<String, String>>> {
    string::fields_of(literal)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    indents: Vec<usize>,
    /// Indices of brackets that are not closed yet.
    open: Vec<usize>,
}

impl Lexer<'_> {
    fn run(&mut self) -> Result<(), TextError> {
        self.indentation()?;
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\u{c}' => self.at += 1,
                '#' => self.skip_comment(),
                '\\' if self.rest()[1..].starts_with(['\n', '\r']) => {
                    self.at += 1;
                    self.skip_line_end();
                }
                '\n' | '\r' => self.line_end()?,
                '"' | '\'' => self.string(self.at)?,
                c if c.is_ascii_digit() || (c == '.' && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit())) => {
                    self.number();
                }
                c if c.is_alphabetic() || c == '_' => self.word()?,
                c => self.operator(c)?,
            }
        }
        if let Some(&open) = self.open.last() {
            let range = self.tokens[open].range.clone();
            return Err(error(range.clone(), format!("`{}` is not closed", &self.text[range])));
        }
        if self.tokens.last().is_some_and(|token| !matches!(token.kind, TokenKind::Newline | TokenKind::Dedent)) {
            self.push(TokenKind::Newline, self.at);
        }
        for _ in 1..self.indents.len() {
            self.push(TokenKind::Dedent, self.at);
        }
        self.push(TokenKind::End, self.at);
        Ok(())
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Adds the token from `start` to here.
    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, range: start..self.at, close: 0 });
    }

    fn skip_comment(&mut self) {
        self.at += self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
    }

    fn skip_line_end(&mut self) {
        self.at += if self.rest().starts_with("\r\n") { 2 } else { 1 };
    }

    fn line_end(&mut self) -> Result<(), TextError> {
        let start = self.at;
        self.skip_line_end();
        if !self.open.is_empty() {
            return Ok(());
        }
        if self
            .tokens
            .last()
            .is_some_and(|token| !matches!(token.kind, TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent))
        {
            self.tokens.push(Token { kind: TokenKind::Newline, range: start..start, close: 0 });
        }
        self.indentation()
    }

    /// Reads the blanks at the start of a line; lines without code are ignored.
    fn indentation(&mut self) -> Result<(), TextError> {
        let mut column = 0;
        loop {
            match self.peek() {
                Some(' ') => column += 1,
                Some('\t') => column = column / 8 * 8 + 8,
                Some('\u{c}') => column = 0,
                _ => break,
            }
            self.at += 1;
        }
        if matches!(self.peek(), None | Some('#' | '\n' | '\r')) {
            return Ok(());
        }
        let current = self.indents.last().copied().unwrap_or(0);
        if column > current {
            if self.indents.len() > MAX_INDENTS {
                return Err(error(self.at..self.at, "blocks are nested too deeply"));
            }
            self.indents.push(column);
            self.push(TokenKind::Indent, self.at);
        }
        while self.indents.last().is_some_and(|&indent| indent > column) {
            self.indents.pop();
            self.push(TokenKind::Dedent, self.at);
        }
        if self.indents.last() != Some(&column) {
            return Err(error(self.at..self.at, "the indentation does not match any outer block"));
        }
        Ok(())
    }

    fn string(&mut self, start: usize) -> Result<(), TextError> {
        let (value, end) = string::literal(self.text, start, self.at)?;
        self.at = end;
        self.push(TokenKind::Str(value), start);
        Ok(())
    }

    fn number(&mut self) {
        let start = self.at;
        let mut previous = '0';
        while let Some(c) = self.peek() {
            let sign = matches!(c, '+' | '-') && matches!(previous, 'e' | 'E') && !self.text[start..].starts_with("0x");
            if !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_') || sign) {
                break;
            }
            previous = c;
            self.at += 1;
        }
        self.push(TokenKind::Number, start);
    }

    fn word(&mut self) -> Result<(), TextError> {
        let start = self.at;
        // Combining marks and the like may follow; outside ASCII, anything but a blank is accepted.
        let ends = |c: char| if c.is_ascii() { !(c.is_ascii_alphanumeric() || c == '_') } else { c.is_whitespace() };
        let len = self.rest().find(ends).unwrap_or(self.rest().len());
        self.at += len;
        let prefix = &self.text[start..self.at];
        if len <= 2 && self.rest().starts_with(['"', '\'']) && string::is_prefix(prefix) {
            return self.string(start);
        }
        self.push(TokenKind::Name, start);
        Ok(())
    }

    fn operator(&mut self, c: char) -> Result<(), TextError> {
        const LONG: [&str; 25] = [
            "**=", "//=", "<<=", ">>=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", "+=", "-=", "*=",
            "/=", "%=", "@=", "&=", "|=", "^=", ":=", "<>",
        ];
        let start = self.at;
        let long = LONG.iter().find(|op| self.rest().starts_with(**op));
        self.at += long.map_or(c.len_utf8(), |op| op.len());
        let range = start..self.at;
        match c {
            _ if long.is_some() => {}
            '(' | '[' | '{' => {
                if self.open.len() == MAX_BRACKETS {
                    return Err(error(range, "brackets are nested too deeply"));
                }
                self.open.push(self.tokens.len());
            }
            ')' | ']' | '}' => {
                let Some(open) = self.open.pop() else {
                    return Err(error(range, format!("unmatched `{c}`")));
                };
                let opening = &self.text[self.tokens[open].range.clone()];
                if !matches!((opening, c), ("(", ')') | ("[", ']') | ("{", '}')) {
                    return Err(error(range, format!("`{c}` cannot close `{opening}`")));
                }
                self.tokens[open].close = self.tokens.len();
            }
            '+' | '-' | '*' | '/' | '%' | '@' | '&' | '|' | '^' | '~' | '<' | '>' | '=' | '.' | ',' | ':' | ';' => {}
            c => return Err(error(range, format!("`{}` is not valid in Python", c.escape_default()))),
        }
        self.push(TokenKind::Op, start);
        Ok(())
    }
}

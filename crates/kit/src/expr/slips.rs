//! Recognizes statements of Python and C++ where a line of a body does not begin as one here.
//!
//! Invariant: only messages depend on it; the line is an error already.

use super::parse::Parser;
use super::syntax::Ident;
use super::token::TokenKind;
use torchgen_base::diag::{TextError, codes};

/// Digits and dots.
fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

impl Parser<'_> {
    /// The error for what other languages have, or for a number in quotes.
    pub(super) fn habit(&self, wanted: &str) -> Option<TextError> {
        let start = self.range().start;
        let rest = &self.text[start..];
        let error = |len: usize, message: String, help: String| {
            Some(TextError::new(&codes::EXPRESSION_SYNTAX, start..start + len, message).help(help))
        };
        if self.kind() == TokenKind::Punct("=") && wanted == "an expression" {
            return error(1, "`=` assigns, and does not compare".to_owned(), "write `==`".to_owned());
        }
        if !matches!(self.kind(), TokenKind::Invalid | TokenKind::Punct("|")) {
            return None;
        }
        let quoted = rest.strip_prefix('\'').and_then(|rest| rest.split_once('\''));
        if let Some((number, _)) = quoted.filter(|(inside, _)| is_number(inside)) {
            let message = format!("{} is a text, not a number", &rest[..number.len() + 2]);
            return error(number.len() + 2, message, format!("write `{number}`"));
        }
        let (sign, word) = [("&&", "and"), ("||", "or")].into_iter().find(|(sign, _)| rest.starts_with(sign))?;
        error(2, format!("`{sign}` is not an operator here"), format!("write `{word}`"))
    }

    /// The error for a line that starts with this name, if it is a known habit.
    pub(super) fn statement_slip(&self, name: &Ident) -> Option<TextError> {
        let rest = &self.text[self.range().start..];
        let error = |end: usize, message: String, help: String| {
            Some(TextError::new(&codes::EXPRESSION_SYNTAX, name.range.start..end, message).help(help))
        };
        let word = name.name.as_str();
        let no_statement = || format!("`{word}` is not a statement here");
        match (word, self.kind()) {
            ("raise" | "throw", TokenKind::Name) => {
                error(name.range.end, no_statement(), "write `fail \"a message\"`".to_owned())
            }
            ("assert", kind) if kind != TokenKind::Punct("=") => {
                error(name.range.end, no_statement(), "write `require condition, \"a message\"`".to_owned())
            }
            ("print", TokenKind::Punct("(")) => error(name.range.end, no_statement(), "delete the line".to_owned()),
            (_, TokenKind::Name) => {
                let variable = &self.text[self.range()];
                let message = format!("a variable has no type: `{word} {variable}`");
                error(self.range().end, message, format!("write `{variable} = …`"))
            }
            (_, TokenKind::Punct(sign)) if sign != "=" && rest[sign.len()..].starts_with('=') => {
                let end = self.range().end + 1;
                error(end, format!("`{sign}=` does not exist here"), format!("write `{word} = {word} {sign} …`"))
            }
            _ => None,
        }
    }
}

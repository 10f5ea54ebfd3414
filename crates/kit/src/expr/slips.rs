//! Recognizes statements of Python and C++ where a line of a body does not begin as one here.
//!
//! Invariant: only messages depend on it; the line is an error already.

use super::parse::Parser;
use super::syntax::Ident;
use super::token::TokenKind;
use torchgen_base::diag::{TextError, codes};

impl Parser<'_> {
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

//! What is wrong with a default, by the type of its argument.
//!
//! Invariant: only messages depend on it; c10 refuses the default already.

use super::schema::Parser;
use super::token::{Token, TokenKind};
use super::types::AnnotatedType;
use crate::codes;
use crate::model::{BaseTy, Type};
use torchgen_base::diag::{Help, TextError};

impl Parser<'_> {
    /// The error in a default, with what the argument's type shows. `default` is its first token.
    pub(super) fn helped_default(
        &self,
        error: TextError,
        written: &AnnotatedType,
        name: &str,
        default: &Token,
    ) -> TextError {
        let ty = match &written.model {
            // The type itself is the mistake.
            Err(ty) if ty.help.is_some() => return ty.clone(),
            Err(_) => return error,
            Ok((ty, _)) => ty,
        };
        let word = self.word(default);
        let bad = |message: String| TextError::new(&codes::BAD_DEFAULT, default.range.clone(), message);
        let shown = || self.joined(written.range.clone());
        if word == "None" {
            let ty = shown();
            return bad(format!("`None` is not a value of `{ty}`")).help(optional(&ty, name, "None"));
        }
        if default.kind != TokenKind::Ident || matches!(word, "nullopt" | "nullptr" | "NULL" | "null") {
            return error;
        }
        let path = self.path(default);
        let last = path.rsplit('.').next().unwrap_or_default();
        let called = self.text[default.range.start + path.len()..].starts_with('(');
        if ty.is_base_ty_like(BaseTy::ScalarType) && path.starts_with("torch.") && !called {
            let range = default.range.start..default.range.start + path.len();
            let message = format!("the dtype `{path}` is called `{last}` here");
            return TextError::new(&codes::BAD_DEFAULT, range, message).help(Help::write(last).certainly());
        }
        if called || path.len() > word.len() {
            return self.expression(default.range.start);
        }
        let numbers = [BaseTy::Int, BaseTy::SymInt, BaseTy::Float, BaseTy::Scalar];
        if ty.is_base_ty_like(BaseTy::Str) {
            return bad(format!("`{word}` needs quotes")).help(Help::write(format!("\"{word}\"")).certainly());
        }
        if ty.is_base_ty_like(BaseTy::Device) {
            return TextError { range: default.range.clone(), ..error }
                .help(Help::write(format!("\"{word}\"")).certainly());
        }
        if matches!(word, "inf" | "nan" | "infinity") && matches!(ty, Type::Base(base) if numbers.contains(base)) {
            return error.help(optional(&shown(), name, "None"));
        }
        error
    }

    /// The error for an expression, which starts there.
    pub(super) fn expression(&self, start: usize) -> TextError {
        let mut depth = 0;
        let rest = &self.text[start..];
        let len = rest.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth < 0 || (depth == 0 && c == ',')
        });
        let text = rest[..len.unwrap_or(rest.len())].trim_end();
        let message = format!("`{text}` is an expression, but a default is a value");
        TextError::new(&codes::BAD_DEFAULT, start..start + text.len(), message).help("write its value")
    }

    /// The name that starts at a token, with dots.
    fn path(&self, token: &Token) -> &str {
        let rest = &self.text[token.range.start..];
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.'));
        rest[..len.unwrap_or(rest.len())].trim_end_matches('.')
    }
}

/// How to make an argument optional.
pub(super) fn optional(ty: &str, name: &str, default: &str) -> String {
    format!("make it optional: `{ty}? {name}={default}`")
}

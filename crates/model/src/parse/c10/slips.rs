//! The errors that something else was expected, with the likely cause: what C++, Python and file
//! names have, and schemas lack.
//!
//! Invariant: only messages depend on it; c10 refuses the schema already.

use std::ops::Range;

use super::schema::Parser;
use super::token::{Kind, Token};
use super::types::Written;
use crate::codes;
use torchgen_base::diag::TextError;

impl Parser<'_> {
    /// The error that something else was expected.
    pub(super) fn unexpected(&self, expected: &str) -> TextError {
        let token = self.token();
        if let Some(error) = self.slip(expected, &token) {
            return error;
        }
        let found = match token.kind {
            Kind::End => "the end".to_owned(),
            Kind::NewLine => "a line break".to_owned(),
            Kind::Invalid if self.word(&token).starts_with(['"', '\'']) => {
                let rest = token.range.start
                    ..self.text[token.range.start..].find('\n').map_or(self.text.len(), |at| token.range.start + at);
                return TextError::new(&codes::BAD_DEFAULT, rest, "unterminated string");
            }
            _ => format!("`{}`", self.word(&token)),
        };
        let error = syntax(token.range.clone(), format!("expected {expected}, found {found}"));
        match (expected, self.word(&token)) {
            (_, "&" | "*") => error.help("schemas have no `const`, `&` and `*`: write `Tensor x`"),
            (_, ";") => error.help("delete it"),
            ("an argument name", _) => error.help("every argument is a type and a name, as in `Tensor self`"),
            ("`->`", _) => error.help("a schema is `name(arguments) -> returns`; no returns are written `()`"),
            ("`(`", _) if token.kind == Kind::Ident => error.help("the arguments are in parentheses"),
            ("`=`, `,` or `)`", "->") => error.help("close the list of arguments with `)`"),
            ("`=`, `,` or `)`", _) if matches!(token.kind, Kind::Ident | Kind::Reserved) => {
                error.help("a comma separates arguments")
            }
            _ => error,
        }
    }

    /// A mistake with a message of its own.
    fn slip(&self, expected: &str, token: &Token) -> Option<TextError> {
        let word = self.word(token);
        let last = self.last()?;
        let touches = last.range.end == token.range.start;
        if word.starts_with(':') && expected != "`:`" && matches!(self.word(&last), "std" | "at" | "c10" | "torch") {
            return Some(self.type_of_cpp(last.range.start));
        }
        match expected {
            "`(`" if word == "-" && touches => {
                let start = self.text[..token.range.start].rfind([':', ' ', '.']).map_or(0, |at| at + 1);
                let len = self.text[start..].find(['(', ' ']).unwrap_or(self.text.len() - start);
                let name = &self.text[start..start + len];
                let message = format!("`{name}` is not a name: names have letters, digits and underscores");
                Some(syntax(start..start + len, message).help(format!("write `{}`", name.replace('-', "_"))))
            }
            "an argument name" if matches!(word, "&" | "*") && last.kind == Kind::Ident => {
                let ty = self.word(&last);
                let message = format!("`{ty}{word}` is a type of C++, not of schemas");
                let help = "schemas have no references and pointers: write";
                Some(syntax(last.range.start..token.range.end, message).help(format!("{help} `{ty}`")))
            }
            "an alias set" if word == "!" => {
                let message = "`!` goes after the letter of the annotation";
                Some(syntax(token.range.clone(), message).help("write `(a!)`"))
            }
            "a default" if word == "{" => {
                let rest = &self.text[token.range.start..];
                let end = rest.find('}').unwrap_or(rest.len());
                let help = format!("write `[{}]`", rest[1..end].trim());
                let range = token.range.start..token.range.start + (end + 1).min(rest.len());
                Some(syntax(range, "a list is in brackets, not in braces").help(help))
            }
            "`:`" if token.kind == Kind::Ident => {
                let message = "a namespace is followed by `::`, not `:`";
                let namespace = &self.text[..last.range.start];
                Some(syntax(last.range.clone(), message).help(format!("write `{namespace}::{word}`")))
            }
            "a type" if word == ")" && self.word(&last) == "," => {
                Some(syntax(last.range, "a comma after the last argument").help("delete it"))
            }
            "`,` or `)`" if self.word(&last) == "*" && touches && token.kind == Kind::Ident => {
                let message = "schemas have no variadic arguments";
                let help = format!("write a list: `Tensor[] {word}`");
                Some(syntax(last.range.start..token.range.end, message).help(help))
            }
            _ if last.kind == Kind::Number && touches && token.kind == Kind::Ident => {
                let number = self.word(&last);
                let message = format!("`{word}` is not a part of a number in schemas");
                Some(syntax(token.range.clone(), message).help(format!("write `{number}`")))
            }
            _ => None,
        }
    }

    /// The error for a type with a namespace of C++, which starts there.
    fn type_of_cpp(&self, start: usize) -> TextError {
        let rest = &self.text[start..];
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | ':')).unwrap_or(rest.len());
        let name = &rest[..len];
        let help = match name.rsplit(':').next().unwrap_or_default() {
            "vector" | "ArrayRef" | "List" | "IntArrayRef" | "TensorList" => {
                "write a list: `Tensor[]`, `int[]`".to_owned()
            }
            "optional" | "nullopt" => "write an optional: `Tensor?`, `int?`".to_owned(),
            "string" | "string_view" => "write `str`".to_owned(),
            bare => format!("types have no namespaces: write `{bare}`"),
        };
        syntax(start..start + len, format!("`{name}` is a type of C++, not of schemas")).help(help)
    }

    /// An operator's name that is a word of TorchScript, as in `def f(…)`.
    pub(super) fn reserved_name(&self, range: Range<usize>, name: &str) -> TextError {
        if self.follows_identifier() {
            return syntax(range, format!("a schema begins with its name, not with `{name}`")).help("delete it");
        }
        syntax(range, format!("`{name}` is a reserved word in TorchScript")).help("choose another name")
    }

    /// The error in a default, with what the argument's type shows.
    pub(super) fn helped_default(&self, error: TextError, written: &Written, name: &str, default: &Token) -> TextError {
        match &written.model {
            // The type itself is the mistake.
            Err(ty) if ty.help.is_some() => ty.clone(),
            Ok(_) if self.word(default) == "None" => {
                let ty = self.joined(written.range.clone());
                let message = format!("`None` is not a value of `{ty}`");
                TextError::new(&codes::BAD_DEFAULT, default.range.clone(), message).help(optional(&ty, name, "None"))
            }
            _ => error,
        }
    }
}

/// How to make an argument optional.
pub(super) fn optional(ty: &str, name: &str, default: &str) -> String {
    format!("make it optional: `{ty}? {name}={default}`")
}

fn syntax(range: Range<usize>, message: impl Into<String>) -> TextError {
    TextError::new(&codes::SCHEMA_SYNTAX, range, message)
}

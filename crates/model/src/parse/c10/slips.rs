//! The errors that something else was expected, with the likely cause: what C++, Python and file
//! names have, and schemas lack.
//!
//! Invariant: only messages depend on it; c10 refuses the schema already.

use std::ops::Range;

use super::schema::Parser;
use super::token::{Token, TokenKind};
use super::types::TUPLE;
use crate::codes;
use crate::versions::overloads;
use torchgen_base::diag::{Help, TextError};

/// The schema of the operator of PyTorch that a text is the name of, in the newest version that has
/// it.
fn stock_schema(text: &str) -> Option<&'static str> {
    let name = text.trim();
    let name = name.strip_prefix("aten::").unwrap_or(name);
    let overload = overloads().iter().rfind(|overload| overload.full_name() == name)?;
    Some(&overload.schema)
}

impl Parser<'_> {
    /// The error that something else was expected.
    pub(super) fn unexpected(&self, expected: &str) -> TextError {
        let token = self.token();
        if let Some(error) = self.slip(expected, &token) {
            return error;
        }
        let found = match token.kind {
            TokenKind::End => "the end".to_owned(),
            TokenKind::NewLine => "a line break".to_owned(),
            TokenKind::Invalid if self.word(&token).starts_with(['"', '\'']) => {
                let rest = token.range.start
                    ..self.text[token.range.start..].find('\n').map_or(self.text.len(), |at| token.range.start + at);
                let error = TextError::new(&codes::BAD_DEFAULT, rest, "unterminated string");
                return error.help("close it with the same quote");
            }
            _ => format!("`{}`", self.word(&token)),
        };
        let error = syntax(token.range.clone(), format!("expected {expected}, found {found}"));
        match (expected, self.word(&token)) {
            (_, "&" | "*") => error.help("schemas have no `const`, `&` and `*`: write `Tensor x`"),
            (_, ";") => error.help(Help::new("delete it").instead("").certainly()),
            ("an argument name", _) => error.help("every argument is a type and a name, as in `Tensor self`"),
            ("`->`", _) => error.help("a schema is `name(arguments) -> returns`; no returns are written `()`"),
            ("`(`", _) if token.kind == TokenKind::Ident => error.help("the arguments are in parentheses"),
            ("`(`", _) if token.kind == TokenKind::End && stock_schema(self.text).is_some() => {
                let schema = stock_schema(self.text).unwrap_or_default();
                error.help(format!("write the whole schema, which PyTorch has: `{schema}`"))
            }
            ("`(`", _) if token.kind == TokenKind::End => {
                error.help("write the whole schema, as in native_functions.yaml: `name(arguments) -> returns`")
            }
            ("`=`, `,` or `)`", "[") => error.help("the size belongs to the type, as in `int[2] k`"),
            ("`=`, `,` or `)`", "->") => error.help("close the list of arguments with `)`"),
            ("`=`, `,` or `)`", _) if matches!(token.kind, TokenKind::Ident | TokenKind::Reserved) => {
                error.help("a comma separates arguments")
            }
            _ => error,
        }
    }

    /// A mistake with a message of its own.
    fn slip(&self, expected: &str, token: &Token) -> Option<TextError> {
        if let Some(error) = self.foreign(expected, token) {
            return Some(error);
        }
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
                Some(syntax(start..start + len, message).help(Help::write(name.replace('-', "_"))))
            }
            "`(`" if matches!(word, "/" | ".") && touches => {
                let name = &self.text[token.range.end..][..word_len(&self.text[token.range.end..])];
                let message = format!("a namespace is followed by `::`, not `{word}`");
                let help = format!("write `{}::{name}`", self.text[..token.range.start].trim());
                Some(syntax(token.range.clone(), message).help(Help::new(help).instead("::")))
            }
            "an operator name" if word == ":" && touches => {
                let namespace = self.text[..token.range.start].trim_end_matches(':');
                let rest = self.text[token.range.start..].trim_start_matches(':');
                let range = namespace.len()..self.text.len() - rest.len();
                let message = format!("a namespace is followed by `::`, not `{}`", &self.text[range.clone()]);
                let help = format!("write `{}::{}`", namespace.trim(), &rest[..word_len(rest)]);
                Some(syntax(range, message).help(Help::new(help).instead("::").certainly()))
            }
            "`->`" if word == "-" && self.follows(">") => {
                let end = token.range.end + self.text[token.range.end..].find('>').map_or(0, |at| at + 1);
                Some(syntax(token.range.start..end, "there is a space in `->`").help(Help::write("->").certainly()))
            }
            "an argument name" | "the end" | "`,` or `)`" if matches!(word, "&" | "*") && self.ends_type(&last) => {
                let ty = self.word(&last);
                let message = format!("`{ty}{word}` is a type of C++, not of schemas");
                let help = "schemas have no references and pointers: write";
                let help = Help::new(format!("{help} `{ty}`")).instead(format!("{ty}{}", self.gap(token.range.end)));
                Some(syntax(last.range.start..token.range.end, message).help(help))
            }
            "an argument name" if word == "|" => {
                let before = self.text[..token.range.start].trim_end();
                let start = before.rfind([' ', '(', ',']).map_or(0, |at| at + 1);
                let ty = &before[start..];
                let rest = &self.text[token.range.end..];
                let other = rest.trim_start();
                let end = self.text.len() - other.len() + word_len(other);
                let is_none = &self.text[self.text.len() - other.len()..end] == "None";
                let message = format!("`{}` is a type of Python, not of schemas", &self.text[start..end]);
                Some(syntax(start..end, message).help(match is_none {
                    true => Help::write(format!("{ty}?")).certainly(),
                    false => Help::new("an argument has one type: write an operator for each"),
                }))
            }
            "a size or `]`" if word != "]" => self.type_of_python(&last),
            "`=`, `,` or `)`" if token.kind == TokenKind::Ident || matches!(word, "&" | "*") => {
                self.type_of_two_words(&last, token)
            }
            "an alias set" if word == "!" => {
                let message = "`!` goes after the letter of the annotation";
                Some(syntax(token.range.clone(), message).help("write `(a!)`"))
            }
            "a default" if word == "{" => {
                let rest = &self.text[token.range.start..];
                let end = rest.find('}').unwrap_or(rest.len());
                let help = Help::write(format!("[{}]", rest[1..end].trim())).certainly();
                let range = token.range.start..token.range.start + (end + 1).min(rest.len());
                Some(syntax(range, "a list is in brackets, not in braces").help(help))
            }
            "`:`" if token.kind == TokenKind::Ident => {
                let message = "a namespace is followed by `::`, not `:`";
                let namespace = &self.text[..last.range.start];
                let help = Help::new(format!("write `{namespace}::{word}`")).instead("::").certainly();
                Some(syntax(last.range.clone(), message).help(help))
            }
            "a type" if word == ")" && self.word(&last) == "," => {
                let help = Help::new("delete it").instead("").certainly();
                Some(syntax(last.range, "a comma after the last argument").help(help))
            }
            "`,` or `)`" if self.word(&last) == "*" && touches && token.kind == TokenKind::Ident => {
                let message = "schemas have no variadic arguments";
                let help = Help::new(format!("write a list: `Tensor[] {word}`")).instead(format!("Tensor[] {word}"));
                Some(syntax(last.range.start..token.range.end, message).help(help))
            }
            "`,` or `)`" if last.kind == TokenKind::Number && is_operator(word) => {
                Some(self.expression(last.range.start))
            }
            _ if last.kind == TokenKind::Number && touches && token.kind == TokenKind::Ident => {
                let number = self.word(&last);
                let message = format!("`{word}` is not a part of a number in schemas");
                let help = Help::new(format!("write `{number}`")).instead("");
                Some(syntax(token.range.clone(), message).help(help))
            }
            _ => None,
        }
    }

    /// What belongs to another language, whatever is before it.
    fn foreign(&self, expected: &str, token: &Token) -> Option<TextError> {
        let word = self.word(token);
        let error = |message: String| Some(syntax(token.range.clone(), message));
        match word {
            "\u{201c}" | "\u{201d}" | "\u{2018}" | "\u{2019}" => {
                error(format!("`{word}` is not a quotation mark here"))?.help(Help::write("\"").certainly())
            }
            "\u{a0}" => error("this is a no-break space".to_owned())?
                .help(Help::new("write an ordinary space").instead(" ").certainly()),
            "\\" => error("`\\` does not continue a line here".to_owned())?.help("delete it: YAML joins the lines"),
            "//" => {
                let comment = &self.text[token.range.end..];
                error("`//` does not begin a comment".to_owned())?.help(format!("write `#{comment}`"))
            }
            "/" if expected == "a type" => error("schemas have no `/`".to_owned())?.help("delete it and its comma"),
            "**" if expected == "a type" => {
                let rest = &self.text[token.range.end..];
                let range = token.range.start..token.range.end + word_len(rest);
                syntax(range, "schemas have no variadic arguments").help("declare each argument: `*, int n=1`")
            }
            _ if token.kind == TokenKind::Number && expected.ends_with(" name") => {
                // `.2` is one token.
                let start = token.range.start + usize::from(word.starts_with('.'));
                let name = &self.text[start..][..word_len(&self.text[start..])];
                let message = format!("`{name}` is not a name: names begin with a letter or `_`");
                syntax(start..start + name.len(), message).help("begin it with a letter")
            }
            _ => return None,
        }
        .into()
    }

    /// The space that a type needs before what follows at a byte.
    fn gap(&self, at: usize) -> &'static str {
        if self.text[at..].bytes().next().is_some_and(|byte| is_of_word(&byte)) { " " } else { "" }
    }

    /// Whether the token is the end of a type, and not of a default.
    fn ends_type(&self, last: &Token) -> bool {
        last.kind == TokenKind::Ident && !self.text[..last.range.start].trim_end().ends_with('=')
    }

    /// The error for `list[Tensor]`, of which this is the bracket.
    fn type_of_python(&self, bracket: &Token) -> Option<TextError> {
        let start = bracket.range.start - self.text[..bracket.range.start].bytes().rev().take_while(is_of_word).count();
        let name = &self.text[start..bracket.range.start];
        let end = bracket.range.end + self.text[bracket.range.end..].find(']').map_or(0, |at| at + 1);
        let inside = self.text.get(bracket.range.end..end - 1)?.trim();
        let help = match name {
            "list" => Help::write(format!("{inside}[]")).certainly(),
            "dict" => Help::write(format!("Dict({inside})")),
            "tuple" => Help::new(TUPLE),
            _ => return None,
        };
        let message = format!("`{}` is a type of Python, not of schemas", &self.text[start..end]);
        Some(syntax(start..end, message).help(help))
    }

    /// The error for `const int n`, `const Tensor& x` and `unsigned int n`, where the second word
    /// was read as the name.
    fn type_of_two_words(&self, last: &Token, token: &Token) -> Option<TextError> {
        let before = self.text[..last.range.start].trim_end();
        let start = before.len() - before.bytes().rev().take_while(is_of_word).count();
        let (word, ty) = (&before[start..], self.word(last));
        let is_number = matches!(word, "unsigned" | "signed" | "long" | "short");
        if !is_number && !matches!(word, "const" | "constexpr" | "mutable") {
            return None;
        }
        let end = if token.kind == TokenKind::Ident { last.range.end } else { token.range.end };
        let message = format!("`{}` is a type of C++, not of schemas", &self.text[start..end]);
        let help = match is_number {
            true => Help::new("`int` is C++'s int64_t"),
            false => Help::new(format!("write `{ty}`")).instead(format!("{ty}{}", self.gap(end))),
        };
        Some(syntax(start..end, message).help(help))
    }

    /// The error for a type with a namespace of C++, which starts there.
    fn type_of_cpp(&self, start: usize) -> TextError {
        let rest = &self.text[start..];
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | ':')).unwrap_or(rest.len());
        let name = &rest[..len];
        let help = match name.rsplit(':').next().unwrap_or_default() {
            "vector" | "ArrayRef" | "List" | "IntArrayRef" | "TensorList" => {
                Help::new("write a list: `Tensor[]`, `int[]`")
            }
            "optional" | "nullopt" => Help::new("write an optional: `Tensor?`, `int?`"),
            "string" | "string_view" => Help::write("str").certainly(),
            bare => Help::new(format!("types have no namespaces: write `{bare}`")).instead(bare),
        };
        syntax(start..start + len, format!("`{name}` is a type of C++, not of schemas")).help(help)
    }

    /// An operator's name that is a word of TorchScript, as in `def f(…)`.
    pub(super) fn reserved_name(&self, range: Range<usize>, name: &str) -> TextError {
        if self.follows_identifier() {
            return syntax(range, format!("a schema begins with its name, not with `{name}`"))
                .help(Help::new("delete it").after(format!("{name} "), ""));
        }
        syntax(range, format!("`{name}` is a reserved word in TorchScript")).help("choose another name")
    }
}

/// The error for a schema that c10 does not read.
pub(super) fn syntax(range: Range<usize>, message: impl Into<String>) -> TextError {
    TextError::new(&codes::SCHEMA_SYNTAX, range, message)
}

/// The length of the word at the start.
fn word_len(text: &str) -> usize {
    text.bytes().take_while(is_of_word).count()
}

fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

fn is_operator(word: &str) -> bool {
    matches!(word, "+" | "-" | "*" | "/" | "%" | "**" | "//" | "<<" | ">>")
}

//! Errors in schema strings.
//!
//! Invariant: ranges are offsets in the schema string. Not here: the grammar's own errors
//! (`syntax`).

use std::ops::Range;

use super::syntax::{self, Expected, Particular, SyntaxError, alternatives, word_len};
use torchgen_base::diag::{CodeInfo, Diagnostic, Help, codes};
use torchgen_base::lang::is_ascii_word;
use torchgen_base::yaml::Text;

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemaErrorKind {
    /// The text is not a schema.
    Syntax,
    /// A name is malformed or repeated.
    Name,
    /// A type is unknown, or a suffix is wrong.
    Type,
    /// An alias set is malformed or in the wrong place.
    Alias,
    /// A default is malformed or does not fit its type.
    Default,
}

impl SchemaErrorKind {
    /// The code, which all families share.
    pub(crate) fn code(self) -> &'static CodeInfo {
        match self {
            SchemaErrorKind::Syntax => &codes::SCHEMA_SYNTAX,
            SchemaErrorKind::Name => &codes::BAD_ARGUMENT,
            SchemaErrorKind::Type => &codes::UNKNOWN_TYPE,
            SchemaErrorKind::Alias => &codes::BAD_ANNOTATION,
            SchemaErrorKind::Default => &codes::BAD_DEFAULT,
        }
    }
}

/// An error in a schema string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// Its kind.
    pub(crate) kind: SchemaErrorKind,
    /// The wrong bytes of the schema string; empty at its end if something is missing.
    pub range: Range<usize>,
    /// What is allowed there, in words.
    pub(crate) expected: Vec<String>,
    /// One sentence without a full stop.
    pub message: String,
    /// How to fix it.
    pub help: Option<Help>,
}

impl SchemaError {
    pub(super) fn new(kind: SchemaErrorKind, range: Range<usize>, message: impl Into<String>) -> SchemaError {
        SchemaError { kind, range, expected: Vec::new(), message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<Help>) -> SchemaError {
        self.help = Some(help.into());
        self
    }

    pub(super) fn maybe_help(mut self, help: Option<Help>) -> SchemaError {
        self.help = help;
        self
    }

    pub(super) fn expected(mut self, expected: Vec<String>) -> SchemaError {
        self.expected = expected;
        self
    }

    /// The diagnostic, with its caret inside the scalar that holds the schema.
    pub fn at_text(self, text: &Text) -> Diagnostic {
        let code = self.kind.code();
        self.at_text_as(code, text)
    }

    /// As [`at_text`](SchemaError::at_text), but under a code of the family.
    pub(crate) fn at_text_as(self, code: &'static CodeInfo, text: &Text) -> Diagnostic {
        Diagnostic::new(code, self.message)
            .at(text.sub_span(self.range))
            .maybe_help(self.help.map(|help| text.helped(help)))
    }
}

/// The result of a grammar rule.
pub(super) type PResult<'a, T> = syntax::PResult<'a, T, SchemaErrorKind>;

/// A final error at the first `len` bytes of `at`.
pub(super) fn refuse<'a, T>(
    at: &'a str,
    len: usize,
    kind: SchemaErrorKind,
    message: impl Into<String>,
    help: Option<Help>,
) -> PResult<'a, T> {
    syntax::refuse(at, len, kind, message, help)
}

/// The error in a text of `len` bytes.
pub(super) fn finish(error: nom::Err<SyntaxError<'_, SchemaErrorKind>>, len: usize) -> SchemaError {
    let (nom::Err::Error(error) | nom::Err::Failure(error)) = error else {
        return SchemaError::new(SchemaErrorKind::Syntax, len..len, "the text is incomplete");
    };
    if let Some(particular) = error.particular {
        let start = len - error.at.len();
        let Particular { len, kind, message, help } = *particular;
        return SchemaError::new(kind, start..start + len, message).maybe_help(help);
    }
    let at = error.at.trim_start();
    let start = len - at.len();
    let found = token(at);
    let texts = error.expected.texts();
    let shown = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
    let message = format!("expected {}, found {shown}", alternatives(&texts));
    SchemaError::new(SchemaErrorKind::Syntax, start..start + found.len(), message)
        .expected(texts)
        .maybe_help(help(found, error.expected).map(Help::from))
}

fn help(found: &str, expected: Expected) -> Option<&'static str> {
    match (found, expected) {
        ("...", _) => Some("a varying number of parameters is a list, as in `Tensor[] xs`"),
        ("(", Expected::PARAMETER) => Some("an alias set directly follows the name of its type, as in `Tensor(a)[] x`"),
        ("[" | "?", Expected::PARAMETER) => Some("a suffix directly follows its type, as in `int[] x`"),
        ("!", _) => Some("an alias set marks what is mutated, as in `Tensor(a!) x`"),
        (_, Expected::PARAMETER) => Some("a parameter is a type and a name, as in `int x`"),
        _ => None,
    }
}

/// The first token of a text: a word, `->`, `...` or one character.
pub(super) fn token(text: &str) -> &str {
    let len = match text.chars().next() {
        None => 0,
        Some(c) if is_ascii_word(c) => word_len(text),
        Some('-') if text.starts_with("->") => 2,
        Some('.') if text.starts_with("...") => 3,
        Some(c) => c.len_utf8(),
    };
    &text[..len]
}

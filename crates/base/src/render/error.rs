//! Errors while rendering: the template, the line, and the error.
//!
//! An error in an embedded template or a view is a bug of this program; one in a template of the
//! source path is the user's to fix.

use std::fmt;

use minijinja::ErrorKind;

use super::limits::OUTPUT;
use super::shard::ShardError;
use crate::diag::Span;

/// Why a template could not be compiled or rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderError {
    /// The template's name; that of an included template if the error is there.
    pub template: String,
    /// The line of the template, from 1, if it is known.
    pub(crate) line: Option<usize>,
    /// The place in the template's file, if the file is known.
    pub span: Option<Span>,
    /// What is wrong.
    pub(crate) kind: RenderErrorKind,
}

/// An error in a template or its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RenderErrorKind {
    /// The template uses a name, or an attribute of a value, that its view does not have.
    Undefined(String),
    /// There is no template with that name.
    NoTemplate {
        /// The most similar name.
        nearest: Option<String>,
        /// The directories that were searched.
        looked_in: Vec<String>,
    },
    /// The items of a sharded file do not fit it.
    Shard(ShardError),
    /// The template exceeds the limit of steps.
    TooLong,
    /// The texts of the run exceed theirs.
    TooMuch,
    /// Another error, in the engine's words.
    Other(String),
}

impl RenderError {
    /// The texts of the run exceed their limit with one of this template.
    pub(super) fn too_much(template: &str) -> Self {
        RenderError { template: template.to_owned(), line: None, span: None, kind: RenderErrorKind::TooMuch }
    }

    pub(super) fn from_engine(template: &str, error: &minijinja::Error) -> Self {
        // The innermost error is the one in an included template; those around it only report the
        // failed inclusion.
        let inner = std::error::Error::source(error).and_then(|source| source.downcast_ref::<minijinja::Error>());
        if let Some(inner) = inner {
            return Self::from_engine(error.name().unwrap_or(template), inner);
        }
        let name = error.name().unwrap_or(template).to_owned();
        // The span of an undefined value is that of its expression.
        let expression = error.template_source().zip(error.range()).and_then(|(source, range)| source.get(range));
        let kind = match (error.kind(), expression) {
            (ErrorKind::UndefinedError, Some(expression)) => RenderErrorKind::Undefined(expression.to_owned()),
            (ErrorKind::OutOfFuel, _) => RenderErrorKind::TooLong,
            (ErrorKind::InvalidOperation, _) if error.detail().is_some() => {
                RenderErrorKind::Other(error.detail().unwrap_or_default().to_owned())
            }
            (kind, _) => {
                let mut text = kind.to_string();
                if let Some(detail) = error.detail() {
                    text.push_str(": ");
                    text.push_str(detail);
                }
                RenderErrorKind::Other(text)
            }
        };
        Self { template: name, line: error.line(), span: None, kind }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.template)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl fmt::Display for RenderErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderErrorKind::Undefined(name) => write!(f, "`{name}` is not defined"),
            RenderErrorKind::NoTemplate { nearest: None, .. } => f.write_str("there is no such template"),
            RenderErrorKind::NoTemplate { nearest: Some(name), .. } => {
                write!(f, "there is no such template; the nearest is `{name}`")
            }
            RenderErrorKind::Shard(error) => error.fmt(f),
            RenderErrorKind::TooLong => {
                f.write_str("this takes too many steps, or makes too much text; nested loops multiply")
            }
            RenderErrorKind::TooMuch => {
                write!(f, "the texts of this run have more than {} GB", OUTPUT >> 30)
            }
            RenderErrorKind::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for RenderError {}

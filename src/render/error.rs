//! Faults while rendering: in which template, on which line, and what.
//!
//! A fault in an embedded template or a view is a bug of this program; one in a template of the source path is the user's to repair.

use std::fmt;

use minijinja::ErrorKind;

use super::shard::ShardError;
use crate::diag::Span;

/// Why a template could not be compiled or rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RenderError {
    /// The template's name; an included one if the fault lies there.
    pub template: String,
    /// The line of the template, from 1, if the fault has one.
    pub line: Option<usize>,
    /// The place in the template's file, if the renderer was told the file.
    pub span: Option<Span>,
    /// What is wrong.
    pub fault: RenderFault,
}

/// What is wrong with a template or its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RenderFault {
    /// The template uses a name, or an attribute of a value, that its view does not have.
    Undefined(String),
    /// There is no template of that name.
    NoTemplate {
        /// The name most like it.
        nearest: Option<String>,
    },
    /// The items of a sharded file do not fit it.
    Shard(ShardError),
    /// The template takes more steps than one may.
    TooLong,
    /// The engine's own words: a fault of syntax or of use.
    Other(String),
}

impl RenderError {
    pub(super) fn from_engine(template: &str, error: &minijinja::Error) -> Self {
        // A fault in an included template is the innermost; those around it only say that the inclusion failed.
        let inner = std::error::Error::source(error).and_then(|source| source.downcast_ref::<minijinja::Error>());
        if let Some(inner) = inner {
            return Self::from_engine(error.name().unwrap_or(template), inner);
        }
        let name = error.name().unwrap_or(template).to_owned();
        // The span of an undefined value is the expression that has no value.
        let expression = error.template_source().zip(error.range()).and_then(|(source, range)| source.get(range));
        let fault = match (error.kind(), expression) {
            (ErrorKind::UndefinedError, Some(expression)) => RenderFault::Undefined(expression.to_owned()),
            (ErrorKind::OutOfFuel, _) => RenderFault::TooLong,
            (kind, _) => {
                let mut text = kind.to_string();
                if let Some(detail) = error.detail() {
                    text.push_str(": ");
                    text.push_str(detail);
                }
                RenderFault::Other(text)
            }
        };
        Self { template: name, line: error.line(), span: None, fault }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.template)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.fault)
    }
}

impl fmt::Display for RenderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderFault::Undefined(name) => write!(f, "`{name}` is not defined"),
            RenderFault::NoTemplate { nearest: None } => f.write_str("there is no such template"),
            RenderFault::NoTemplate { nearest: Some(name) } => {
                write!(f, "there is no such template; the nearest is `{name}`")
            }
            RenderFault::Shard(error) => error.fmt(f),
            RenderFault::TooLong => f.write_str("this takes too many steps; loops inside loops multiply"),
            RenderFault::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for RenderError {}

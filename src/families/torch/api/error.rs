//! What can go wrong when a schema is given a C++ form.
//!
//! Invariant: an error tells the code it is shown under, one message and, where it is about an argument, that argument's name. Deliberately
//! absent: spans; who calls knows where the operator stands and asks for a diagnostic there.

use std::fmt;

use super::binding::{ArgName, Expr, NamedCType};
pub(super) use crate::diag::codes::{BAD_SHAPE, NO_CPP_DEFAULT, UNSATISFIED, UNSUPPORTED_RETURN, UNSUPPORTED_TYPE};
use crate::diag::{CodeInfo, Diagnostic, Sources, Span};

/// A result of this stage.
pub type Result<T> = std::result::Result<T, ApiError>;

/// A schema has no form in the calling convention asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError(Box<Details>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Details {
    code: &'static CodeInfo,
    message: String,
    argument: Option<String>,
    notes: Vec<String>,
}

impl ApiError {
    pub(crate) fn new(code: &'static CodeInfo, message: impl Into<String>) -> ApiError {
        ApiError(Box::new(Details { code, message: message.into(), argument: None, notes: Vec::new() }))
    }

    /// The same error, about that argument unless it already names one.
    pub(crate) fn about(mut self, argument: &str) -> ApiError {
        self.0.argument.get_or_insert_with(|| argument.to_owned());
        self
    }

    /// The same error, about a return.
    pub(super) fn into_return(mut self) -> ApiError {
        self.0.code = &UNSUPPORTED_RETURN;
        self
    }

    /// The code under which it is shown.
    pub fn code(&self) -> &'static CodeInfo {
        self.0.code
    }

    /// What is wrong, in one sentence without a full stop.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The argument that is at fault, if one is.
    pub fn argument(&self) -> Option<&str> {
        self.0.argument.as_deref()
    }

    /// More to show below it.
    pub fn notes(&self) -> &[String] {
        &self.0.notes
    }

    /// The error as it is shown, given where the schema stands: the caret goes under the argument at fault, if it can be found there.
    pub fn into_diagnostic(self, func: Span, sources: &Sources) -> Diagnostic {
        let Details { code, message, argument, notes } = *self.0;
        let place = argument.as_deref().and_then(|argument| find_argument(sources.snippet(func), argument));
        let span = match place {
            Some((start, end)) => Span::new(func.file, func.start as usize + start, func.start as usize + end),
            None => func,
        };
        notes.into_iter().fold(Diagnostic::new(code, message).at(span), Diagnostic::note)
    }
}

/// Where in a schema an argument stands, its type and default included.
fn find_argument(schema: &str, name: &str) -> Option<(usize, usize)> {
    let ends = |rest: &str| rest.starts_with([',', '=', ')', ' ']);
    let (at, _) = schema
        .match_indices(name)
        .find(|(at, _)| schema[..*at].ends_with([' ', '\t']) && ends(&schema[at + name.len()..]))?;
    // A type may hold parentheses of its own, so that the last opening one is not always the list's.
    let start = schema[..at].rfind(", ").map(|comma| comma + 2).or_else(|| schema.find('(').map(|open| open + 1))?;
    Some((start.min(at), at + name.len()))
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.argument {
            Some(argument) => write!(f, "{}: argument `{argument}`: {}", self.0.code.id, self.0.message),
            None => write!(f, "{}: {}", self.0.code.id, self.0.message),
        }
    }
}

impl std::error::Error for ApiError {}

/// No expression for a goal can be made out of what is in scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsatisfied {
    /// Type of the goal.
    pub ty: &'static str,
    /// What the goal stands for.
    pub name: String,
    /// What was in scope, in order: type, name, expression.
    pub context: Vec<(String, String, String)>,
}

impl Unsatisfied {
    pub(super) fn new<'a>(goal: &NamedCType<'a>, context: impl Iterator<Item = Expr<'a>>) -> Unsatisfied {
        Unsatisfied {
            ty: goal.cpp_type(),
            name: goal.name.to_string(),
            context: context
                .map(|fact| (fact.nctype.cpp_type().to_owned(), fact.nctype.name.to_string(), fact.expr.into_owned()))
                .collect(),
        }
    }
}

impl fmt::Display for Unsatisfied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no way to make `{} {}` here", self.ty, self.name)
    }
}

impl std::error::Error for Unsatisfied {}

impl From<Unsatisfied> for ApiError {
    fn from(failure: Unsatisfied) -> ApiError {
        let mut error = ApiError::new(&UNSATISFIED, failure.to_string());
        error.0.argument =
            Some(failure.name).filter(|name| *name != ArgName::PossiblyRedundantMemoryFormat.to_string());
        error.0.notes = failure
            .context
            .into_iter()
            .map(|(ty, name, expr)| format!("in scope: `{ty} {name}` as `{expr}`"))
            .collect();
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: &str, argument: &str, expected: &str) {
        let mut sources = Sources::new();
        let file = sources.add("native_functions.yaml", schema.to_owned());
        let error = ApiError::new(&UNSUPPORTED_TYPE, "no").about(argument);
        let diagnostic = error.into_diagnostic(Span::new(file, 0, schema.len()), &sources);
        assert_eq!(diagnostic.primary.map(|label| sources.snippet(label.span).to_owned()).as_deref(), Some(expected));
    }

    #[test]
    fn caret() {
        check("f(Tensor x, bool[] xs, int y) -> Tensor", "xs", "bool[] xs");
        check("f(Tensor(a!) x, bool[] x1=[]) -> Tensor", "x", "Tensor(a!) x");
        check("f(Tensor(a!) x, bool[] x1=[]) -> Tensor", "x1", "bool[] x1");
        check("f() -> x", "y", "f() -> x");
    }
}

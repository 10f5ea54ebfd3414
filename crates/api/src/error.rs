//! Errors of giving a schema a C++ form.
//!
//! Invariant: an error has a code, a message and, if it is about an argument, that argument's name.
//! It has no span: the caller knows where the operator is and asks for a diagnostic there.

use std::fmt;

use super::binding::{ArgName, Expr, NamedCType};
use torchgen_base::diag::{CodeInfo, Diagnostic};
pub(super) use torchgen_model::codes::{BAD_SHAPE, NO_CPP_DEFAULT, UNSATISFIED, UNSUPPORTED_RETURN, UNSUPPORTED_TYPE};
use torchgen_model::model::SchemaSpans;

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
    /// An error that is not about one argument.
    pub fn new(code: &'static CodeInfo, message: impl Into<String>) -> ApiError {
        ApiError(Box::new(Details { code, message: message.into(), argument: None, notes: Vec::new() }))
    }

    /// The same error, about that argument unless it already names one.
    pub fn about(mut self, argument: &str) -> ApiError {
        self.0.argument.get_or_insert_with(|| argument.to_owned());
        self
    }

    /// The same error, for a return.
    pub(super) fn into_return(mut self) -> ApiError {
        self.0.code = &UNSUPPORTED_RETURN;
        self
    }

    /// Its diagnostic code.
    pub fn code(&self) -> &'static CodeInfo {
        self.0.code
    }

    /// What is wrong, in one sentence without a full stop.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The argument with the error, if there is one.
    #[cfg(test)]
    pub fn argument(&self) -> Option<&str> {
        self.0.argument.as_deref()
    }

    /// Notes for the diagnostic.
    #[cfg(test)]
    pub(crate) fn notes(&self) -> &[String] {
        &self.0.notes
    }

    /// The diagnostic: the caret goes under the argument with the error, or under the schema.
    pub fn into_diagnostic(self, schema: &SchemaSpans) -> Diagnostic {
        let Details { code, message, argument, notes } = *self.0;
        let span = argument.map_or(schema.whole, |argument| schema.argument(&argument));
        notes.into_iter().fold(Diagnostic::new(code, message).at(span), Diagnostic::note)
    }
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

/// No expression for a goal can be made from what is in scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsatisfied {
    /// Type of the goal.
    pub ty: String,
    /// What the goal represents.
    pub name: String,
    /// What was in scope, in order: type, name, expression.
    pub(crate) context: Vec<(String, String, String)>,
}

impl Unsatisfied {
    pub(super) fn new<'a>(goal: &NamedCType<'a>, context: impl Iterator<Item = Expr<'a>>) -> Unsatisfied {
        Unsatisfied {
            ty: goal.cpp_type().to_owned(),
            name: goal.name.to_string(),
            context: context
                .map(|fact| (fact.nctype.cpp_type().to_owned(), fact.nctype.name.to_string(), fact.expr.into_owned()))
                .collect(),
        }
    }
}

impl fmt::Display for Unsatisfied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{} {}` cannot be made from the values in scope", self.ty, self.name)
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

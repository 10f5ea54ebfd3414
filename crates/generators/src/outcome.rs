//! What a generator returns: its files, or every error that it found.
//!
//! Invariant: an error in one operator does not stop the others; [`gather`] keeps all of them.

use torchgen_api::{ApiError, Unsatisfied};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::RenderError;
use torchgen_base::write::OutputFile;
use torchgen_model::model::native_function::EntrySpans;

/// The error of one operator.
#[derive(Debug)]
pub enum ItemError {
    /// Its schema has no C++ form.
    Api(ApiError),
    /// A template failed.
    Render(RenderError),
    /// Anything else.
    Diagnostic(Diagnostic),
}

impl ItemError {
    /// The diagnostic of an operator with these places.
    pub fn into_diagnostic(self, spans: &EntrySpans) -> Diagnostic {
        match self {
            ItemError::Api(error) => error.into_diagnostic(&spans.schema),
            ItemError::Render(error) => error.diagnostic().at(spans.func),
            ItemError::Diagnostic(diagnostic) => diagnostic,
        }
    }
}

impl From<ApiError> for ItemError {
    fn from(error: ApiError) -> Self {
        ItemError::Api(error)
    }
}

impl From<Unsatisfied> for ItemError {
    fn from(error: Unsatisfied) -> Self {
        ItemError::Api(error.into())
    }
}

impl From<RenderError> for ItemError {
    fn from(error: RenderError) -> Self {
        ItemError::Render(error)
    }
}

impl From<Diagnostic> for ItemError {
    fn from(diagnostic: Diagnostic) -> Self {
        ItemError::Diagnostic(diagnostic)
    }
}

/// All errors that a generator found; not empty when it is done.
#[derive(Debug, Default)]
pub struct Errors(pub Vec<Diagnostic>);

impl From<Diagnostic> for Errors {
    fn from(diagnostic: Diagnostic) -> Self {
        Errors(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for Errors {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Errors(diagnostics)
    }
}

impl IntoIterator for Errors {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<RenderError> for Errors {
    fn from(error: RenderError) -> Self {
        error.diagnostic().into()
    }
}

impl Errors {
    /// Adds an error, unless there is already one with its code and place: generated variants fail
    /// where their origin does.
    pub fn add(&mut self, error: Diagnostic) {
        let span = |error: &Diagnostic| error.primary.as_ref().map(|label| label.span);
        let is_same = |known: &Diagnostic| known.code == error.code && span(known) == span(&error);
        if !self.0.iter().any(is_same) {
            self.0.push(error);
        }
    }
}

/// The return value of a generator: its files, or all errors that it found.
pub type Outcome = Result<Vec<OutputFile>, Errors>;

/// The files and the errors of all generators, in order.
pub fn gather(outcomes: impl IntoIterator<Item = Outcome>) -> (Vec<OutputFile>, Vec<Diagnostic>) {
    let (mut files, mut errors) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Ok(made) => files.extend(made),
            Err(found) => errors.extend(found.0),
        }
    }
    (files, errors)
}

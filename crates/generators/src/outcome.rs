//! What a generator returns: its files, or every error that it found.
//!
//! Invariant: an error in one operator does not stop the others; [`gather`] keeps all of them.

use torchgen_api::{ApiError, Unsatisfied};
use torchgen_base::diag::{Diagnostic, codes};
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
            ItemError::Render(error) => {
                let found = error.diagnostic();
                match &found.primary {
                    Some(_) => found.also(spans.func, FOR),
                    None => found.at(spans.func),
                }
            }
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

/// The label at an operator for which a template failed.
const FOR: &str = "for this operator";

impl From<Vec<Diagnostic>> for Errors {
    /// An error in a template is one, however many operators have it.
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        let mut found: Vec<(Diagnostic, usize)> = Vec::new();
        let span = |error: &Diagnostic| error.primary.as_ref().map(|label| label.span);
        for error in diagnostics {
            let is_same = |known: &Diagnostic| (span(known), &known.message) == (span(&error), &error.message);
            let of_template = error.code.id == codes::TEMPLATE.id;
            match found.iter_mut().find(|(known, _)| of_template && is_same(known)) {
                Some((_, more)) => *more += 1,
                None => found.push((error, 0)),
            }
        }
        let said = |(mut error, more): (Diagnostic, usize)| {
            if let Some(label) = error.labels.iter_mut().find(|label| label.text == FOR).filter(|_| more > 0) {
                label.text = format!("{FOR}, and {more} more");
            }
            error
        };
        Errors(found.into_iter().map(said).collect())
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

//! What a generator returns: its files, or every error that it found.
//!
//! Invariant: an error in one operator does not stop the others; [`gather`] keeps all of them.

use crate::diag::Diagnostic;
use crate::families::torch::api::{ApiError, Unsatisfied};
use crate::families::torch::model::NativeFunction;
use crate::render::RenderError;
use crate::write::OutputFile;

/// The error of one operator.
#[derive(Debug)]
pub(crate) enum ItemFault {
    /// Its schema has no C++ form.
    Api(ApiError),
    /// A template failed.
    Render(RenderError),
    /// Anything else.
    Diagnostic(Diagnostic),
}

impl ItemFault {
    pub(super) fn into_diagnostic(self, f: &NativeFunction) -> Diagnostic {
        match self {
            ItemFault::Api(error) => error.into_diagnostic(&f.spans.schema),
            ItemFault::Render(error) => error.diagnostic().at(f.spans.func),
            ItemFault::Diagnostic(diagnostic) => diagnostic,
        }
    }
}

impl From<ApiError> for ItemFault {
    fn from(error: ApiError) -> Self {
        ItemFault::Api(error)
    }
}

impl From<Unsatisfied> for ItemFault {
    fn from(error: Unsatisfied) -> Self {
        ItemFault::Api(error.into())
    }
}

impl From<RenderError> for ItemFault {
    fn from(error: RenderError) -> Self {
        ItemFault::Render(error)
    }
}

impl From<Diagnostic> for ItemFault {
    fn from(diagnostic: Diagnostic) -> Self {
        ItemFault::Diagnostic(diagnostic)
    }
}

/// All errors that a generator found; not empty when it is done.
#[derive(Debug, Default)]
pub(crate) struct Faults(pub Vec<Diagnostic>);

impl From<Diagnostic> for Faults {
    fn from(diagnostic: Diagnostic) -> Self {
        Faults(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for Faults {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Faults(diagnostics)
    }
}

impl IntoIterator for Faults {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<RenderError> for Faults {
    fn from(error: RenderError) -> Self {
        error.diagnostic().into()
    }
}

impl Faults {
    /// Adds an error, unless there is already one with its code and place: generated variants fail
    /// where their origin does.
    pub(crate) fn add(&mut self, fault: Diagnostic) {
        let span = |fault: &Diagnostic| fault.primary.as_ref().map(|label| label.span);
        let is_same = |known: &Diagnostic| known.code == fault.code && span(known) == span(&fault);
        if !self.0.iter().any(is_same) {
            self.0.push(fault);
        }
    }
}

/// The return value of a generator: its files, or all errors that it found.
pub(crate) type Outcome = Result<Vec<OutputFile>, Faults>;

/// The files and the errors of all generators, in order.
pub(crate) fn gather(outcomes: impl IntoIterator<Item = Outcome>) -> (Vec<OutputFile>, Vec<Diagnostic>) {
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Ok(made) => files.extend(made),
            Err(found) => faults.extend(found.0),
        }
    }
    (files, faults)
}

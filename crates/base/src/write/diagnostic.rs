//! Converts write errors to diagnostics. They concern outputs, so none has a place in a source; a
//! caller that knows the operator adds it.

use super::file::WriteError;
use super::list::ListError;
use super::plan::{PlanError, PlanErrorKind};
use crate::diag::{Diagnostic, codes};

impl From<&PlanError> for Diagnostic {
    fn from(error: &PlanError) -> Self {
        let code = match error.kind {
            PlanErrorKind::Duplicate { .. } => &codes::DUPLICATE_OUTPUT,
            PlanErrorKind::Outside | PlanErrorKind::NotInstalled => &codes::OUTPUT_PLACE,
        };
        Diagnostic::new(code, error.to_string())
    }
}

impl From<&WriteError> for Diagnostic {
    fn from(error: &WriteError) -> Self {
        Diagnostic::new(&codes::WRITE_FAILED, error.to_string())
    }
}

impl From<&ListError> for Diagnostic {
    fn from(error: &ListError) -> Self {
        match error {
            ListError::Render(error) => error.diagnostic(),
            ListError::Write(error) => error.into(),
            ListError::NoName(_) | ListError::Unspeakable(_) | ListError::Unreadable(..) => {
                Diagnostic::new(&codes::WRITE_FAILED, error.to_string())
            }
        }
    }
}

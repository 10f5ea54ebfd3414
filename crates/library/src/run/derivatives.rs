//! The derivatives of a library.
//!
//! Invariant: only a checked library has any, since formulas name its operators.

use super::checked::CheckedLibrary;
use crate::formula::check::LibraryFormulas;
use torchgen_api::autograd::{self, DifferentiabilityInfos, Operators};
use torchgen_generators::inputs;
use torchgen_generators::inputs::stock::Stock;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::records::DerivativeRecord;

/// The formulas as they are written.
pub(super) struct Formulas {
    /// The text of the author's functions, if there are any.
    pub(super) manual: Option<String>,
    /// The entries of all files.
    pub(super) records: Vec<DerivativeRecord>,
}

impl Formulas {
    /// Reads those of a library.
    pub(super) fn read_formulas(library: &CheckedLibrary, session: &mut Session) -> Result<Formulas, JobError> {
        let manual = inputs::read_manual(session, &library.source.paths.root)?;
        let mut records = Vec::new();
        for path in &library.derivative_files {
            records.extend(inputs::derivative_records(session, path)?);
        }
        Ok(Formulas { manual, records })
    }

    /// The author's functions; empty if there are none.
    pub(super) fn manual(&self) -> &str {
        self.manual.as_deref().unwrap_or_default()
    }

    /// The derivatives that they describe. Errors in them are diagnostics.
    ///
    /// # Errors
    /// PyTorch's files cannot be read.
    pub(super) fn differentiate<'a>(
        &self,
        library: &CheckedLibrary,
        known: Operators<'a>,
        stock: &mut Stock,
        session: &mut Session,
    ) -> Result<DifferentiabilityInfos<'a>, JobError> {
        if library.derivative_files.is_empty() {
            return Ok(DifferentiabilityInfos::default());
        }
        let Formulas { records, .. } = self;
        let derivatives = autograd::load(records, known, &mut session.diagnostics);
        let formulas = LibraryFormulas { records, functions: &library.functions(), manual: known.manual, stock };
        library.settings.abi.check_formulas(formulas, session)?;
        Ok(derivatives)
    }
}

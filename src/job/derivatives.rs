//! Reads derivatives.yaml, and for operator libraries what stands beside it.
//!
//! Invariant: every file that is read is in `Session::inputs`, once. Deliberately absent: which operators the derivatives serve.

use std::path::Path;

use super::{Session, Stop};
use crate::api::autograd::{self, DifferentiabilityInfos, Operators};
use crate::yaml;

/// The author's functions for formulas, beside derivatives.yaml.
pub(super) const MANUAL: &str = "derivatives_manual.h";

impl Session {
    /// The derivatives of a derivatives.yaml.
    ///
    /// # Errors
    /// As [`Session::read_yaml`]; faults in the file are diagnostics.
    pub(super) fn read_derivatives<'a>(
        &mut self,
        path: &Path,
        operators: Operators<'a>,
    ) -> Result<DifferentiabilityInfos<'a>, Stop> {
        let root = self.read_yaml(path, yaml::Options::OPERATORS)?;
        let records = yaml::read_derivatives(root, &mut self.diagnostics);
        Ok(autograd::load(&records, operators, &mut self.diagnostics))
    }

    /// The text of the author's functions for formulas, if the library has a file of them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn read_manual(&mut self, source_path: &Path) -> Result<Option<String>, Stop> {
        let path = source_path.join(MANUAL);
        if !self.seen.is_file(&path) {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&self.read_bytes(&path)?).into_owned()))
    }
}

//! Reads derivatives.yaml and deprecated.yaml, and in operator libraries the header beside them.
//!
//! Invariant: every file that is read is in `Session::inputs`, once.

use std::path::Path;

use crate::diag::Diagnostics;
use crate::driver::{JobError, Session};
use crate::families::torch::api::autograd::{self, DifferentiabilityInfos, Operators};
use crate::families::torch::codes;
use crate::families::torch::model::NativeFunction;
use crate::families::torch::model::Target;
use crate::families::torch::model::deprecated::DeprecatedSignature;
use crate::families::torch::parse::deprecated;
use crate::families::torch::records::{self, DerivativeRecord, FileKind};
use crate::yaml;

/// The author's functions for formulas, beside derivatives.yaml.
pub(crate) const MANUAL: &str = "derivatives_manual.h";

impl Session {
    /// The derivatives of a derivatives.yaml.
    ///
    /// # Errors
    /// As [`Session::read_yaml`]; errors in the file are diagnostics.
    pub(crate) fn read_derivatives<'a>(
        &mut self,
        path: &Path,
        operators: Operators<'a>,
    ) -> Result<DifferentiabilityInfos<'a>, JobError> {
        let records = self.derivative_records(path)?;
        Ok(autograd::load(&records, operators, &mut self.diagnostics))
    }

    /// The entries of a derivatives.yaml.
    ///
    /// # Errors
    /// As [`Session::read_yaml`]; errors in the file are diagnostics.
    pub(crate) fn derivative_records(&mut self, path: &Path) -> Result<Vec<DerivativeRecord>, JobError> {
        let root = self.read_kind(path, yaml::Options::OPERATORS, FileKind::Derivatives)?;
        Ok(records::read_derivatives(root, &mut self.diagnostics))
    }

    /// Looks for errors in a derivatives.yaml whose operators already have errors. Possible
    /// consequences of those are left out, and so is an unreadable file: the run stops anyway.
    pub(crate) fn look_at_derivatives(
        &mut self,
        path: &Path,
        functions: &[&NativeFunction],
        target: Target,
        manual: &str,
    ) {
        let Ok(root) = self.read_kind(path, yaml::Options::OPERATORS, FileKind::Derivatives) else { return };
        let records = records::read_derivatives(root, &mut self.diagnostics);
        let mut found = Diagnostics::new();
        autograd::load(&records, Operators { functions, view_groups: &[], target, manual }, &mut found);
        let may_follow = [&codes::NO_SUCH_OPERATOR, &codes::WRONG_SCHEMA, &codes::NO_CANONICAL_OPERATOR];
        self.diagnostics.extend(found.into_iter().filter(|error| !may_follow.contains(&error.code)));
    }

    /// The signatures of a deprecated.yaml.
    ///
    /// # Errors
    /// As [`Session::read_yaml`]; errors in the file are diagnostics.
    pub(crate) fn read_deprecated(&mut self, path: &Path) -> Result<Vec<DeprecatedSignature>, JobError> {
        let root = self.read_kind(path, yaml::Options::OPERATORS, FileKind::Deprecated)?;
        let records = records::read_deprecated(root, &mut self.diagnostics);
        Ok(records.iter().filter_map(|record| deprecated::deprecated(record, &mut self.diagnostics)).collect())
    }

    /// The text of the author's functions for formulas, if the library has a file of them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn read_manual(&mut self, source_path: &Path) -> Result<Option<String>, JobError> {
        let path = source_path.join(MANUAL);
        if !self.is_given(&path)? {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&self.read_bytes(&path)?).into_owned()))
    }
}

//! Reads derivatives.yaml and deprecated.yaml, and in operator libraries the header beside them.
//!
//! Invariant: every file that is read is in `Session::inputs`, once.

use std::path::Path;

use super::read_kind;
use torchgen_api::autograd::{self, DifferentiabilityInfos, Operators};
use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::Target;
use torchgen_model::model::deprecated::DeprecatedSignature;
use torchgen_model::parse::deprecated;
use torchgen_model::records::{self, DerivativeRecord, FileKind};

/// The author's functions for formulas, beside derivatives.yaml.
pub const MANUAL: &str = "derivatives_manual.h";

/// PyTorch's own, from there.
const FUNCTIONS_MANUAL: &str = "../../torch/csrc/autograd/FunctionsManual.h";

/// The derivatives of a derivatives.yaml.
///
/// # Errors
/// As [`Session::read_yaml`]; errors in the file are diagnostics.
pub fn read_derivatives<'a>(
    session: &mut Session,
    path: &Path,
    operators: Operators<'a>,
) -> Result<DifferentiabilityInfos<'a>, JobError> {
    let records = derivative_records(session, path)?;
    Ok(autograd::load(&records, operators, &mut session.diagnostics))
}

/// The entries of a derivatives.yaml.
///
/// # Errors
/// As [`Session::read_yaml`]; errors in the file are diagnostics.
pub fn derivative_records(session: &mut Session, path: &Path) -> Result<Vec<DerivativeRecord>, JobError> {
    let root = read_kind(session, path, yaml::Options::OPERATORS, FileKind::Derivatives)?;
    Ok(records::read_derivatives(root, &mut session.diagnostics))
}

/// Looks for errors in a derivatives.yaml whose operators already have errors. Possible
/// consequences of those are left out, and so is an unreadable file: the run stops anyway.
pub fn look_at_derivatives(
    session: &mut Session,
    path: &Path,
    functions: &[&NativeFunction],
    target: Target,
    manual: &str,
) {
    let Ok(root) = read_kind(session, path, yaml::Options::OPERATORS, FileKind::Derivatives) else { return };
    let records = records::read_derivatives(root, &mut session.diagnostics);
    let mut found = Diagnostics::new();
    autograd::load(&records, Operators { functions, view_groups: &[], target, manual }, &mut found);
    let may_follow = [&codes::NO_SUCH_OPERATOR, &codes::WRONG_SCHEMA, &codes::NO_CANONICAL_OPERATOR];
    session.diagnostics.extend(found.into_iter().filter(|error| !may_follow.contains(&error.code)));
}

/// The signatures of a deprecated.yaml.
///
/// # Errors
/// As [`Session::read_yaml`]; errors in the file are diagnostics.
pub fn read_deprecated(session: &mut Session, path: &Path) -> Result<Vec<DeprecatedSignature>, JobError> {
    let root = read_kind(session, path, yaml::Options::OPERATORS, FileKind::Deprecated)?;
    let records = records::read_deprecated(root, &mut session.diagnostics);
    let Session { tables, diagnostics, .. } = session;
    Ok(records.iter().filter_map(|record| deprecated::deprecated(record, tables, diagnostics)).collect())
}

/// The text of the header whose functions and constants formulas can use, by the directory of
/// derivatives.yaml: that of a library's author, or in a checkout of PyTorch `FunctionsManual.h`.
/// Empty if there is none.
pub fn read_manual_text(session: &mut Session, directory: &Path, target: Target) -> Result<String, JobError> {
    let text = match target.sees_exports_only {
        true => read_manual(session, directory)?,
        false => read_text(session, &directory.join(FUNCTIONS_MANUAL))?,
    };
    Ok(text.unwrap_or_default())
}

/// The text of the author's functions for formulas, if the library has a file of them.
pub fn read_manual(session: &mut Session, source_path: &Path) -> Result<Option<String>, JobError> {
    read_text(session, &source_path.join(MANUAL))
}

fn read_text(session: &mut Session, path: &Path) -> Result<Option<String>, JobError> {
    if !session.is_given(path)? {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&session.read_bytes(path)?).into_owned()))
}

//! What `explain` says of a unit.
//!
//! Invariant: it describes the unit of the generated files.

use super::codes;
use super::model::Unit;
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::JobError;

/// The text on a unit.
pub(crate) fn unit(what: &str, units: &[Unit]) -> Result<String, JobError> {
    match units.iter().find(|unit| unit.name == what) {
        Some(unit) => Ok(format!("{} is {} in base units\n", unit.name, unit.factor)),
        None => Err(Diagnostic::new(&codes::UNKNOWN_UNIT, format!("there is no unit `{what}`")).into()),
    }
}

//! What `explain` says of a unit.
//!
//! Invariant: it describes the unit of the generated files.

use super::codes;
use super::model::Unit;
use super::view::Constant;
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_kit::driver::JobError;

/// The text on a unit.
pub(crate) fn unit(what: &str, units: &[Unit], renderer: &Renderer) -> Result<String, JobError> {
    match units.iter().find(|unit| unit.name == what) {
        Some(unit) => Ok(renderer.fragment("units/explain.j2", &Constant::new(unit))?),
        None => Err(Diagnostic::new(&codes::UNKNOWN_UNIT, format!("there is no unit `{what}`")).into()),
    }
}

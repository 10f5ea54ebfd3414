//! The checked units. Invariant: every unit has a known factor.

use super::codes;
use super::records::UnitRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};

/// A unit.
pub(crate) struct Unit {
    pub(crate) name: String,
    /// The number of base units in it.
    pub(crate) factor: f64,
}

/// Resolves the units of records. Errors are diagnostics; units with errors are omitted.
pub(crate) fn resolve(records: &[UnitRecord], diagnostics: &mut Diagnostics) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for record in records {
        let times = record.times.as_ref().and_then(|text| text.as_str().parse().ok()).unwrap_or(1.0);
        let base = match &record.of {
            None => Some(1.0),
            Some(of) => match units.iter().find(|unit| unit.name == of.as_str()) {
                Some(unit) => Some(unit.factor),
                None => {
                    let names = units.iter().map(|unit| unit.name.as_str());
                    let message = format!("there is no unit `{of}` before this one");
                    let diagnostic = Diagnostic::new(&codes::UNKNOWN_UNIT, message).at(of.span());
                    diagnostics.push(diagnostic.maybe_help(did_you_mean(of.as_str(), names)));
                    None
                }
            },
        };
        units.extend(base.map(|base| Unit { name: record.name.to_string(), factor: base * times }));
    }
    units
}

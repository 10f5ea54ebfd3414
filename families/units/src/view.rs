//! The data of the templates.
//!
//! Invariant: a field is a name or a single expression.

use serde::Serialize;

use super::model::Unit;

/// All units.
#[derive(Serialize)]
pub(crate) struct Constants<'a> {
    units: Vec<Constant<'a>>,
}

#[derive(Serialize)]
struct Constant<'a> {
    name: &'a str,
    /// A C++ expression.
    value: String,
}

impl Constants<'_> {
    pub(crate) fn new(units: &[Unit]) -> Constants<'_> {
        let constant = |unit: &'_ Unit| format!("{:?}", unit.factor);
        Constants { units: units.iter().map(|unit| Constant { name: &unit.name, value: constant(unit) }).collect() }
    }
}

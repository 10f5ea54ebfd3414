//! The data of the templates.

use serde::Serialize;

use super::model::Unit;

/// All units.
#[derive(Serialize)]
pub(super) struct View<'a> {
    units: Vec<Constant<'a>>,
}

#[derive(Serialize)]
struct Constant<'a> {
    name: &'a str,
    /// A C++ expression.
    value: String,
}

impl View<'_> {
    pub(super) fn new(units: &[Unit]) -> View<'_> {
        let constant = |unit: &'_ Unit| format!("{:?}", unit.factor);
        View { units: units.iter().map(|unit| Constant { name: &unit.name, value: constant(unit) }).collect() }
    }
}

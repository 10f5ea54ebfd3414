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

/// One of them.
#[derive(Serialize)]
pub(crate) struct Constant<'a> {
    name: &'a str,
    /// A C++ expression.
    value: String,
}

impl Constant<'_> {
    pub(crate) fn new(unit: &Unit) -> Constant<'_> {
        Constant { name: &unit.name, value: format!("{:?}", unit.factor) }
    }
}

impl Constants<'_> {
    pub(crate) fn new(units: &[Unit]) -> Constants<'_> {
        Constants { units: units.iter().map(Constant::new).collect() }
    }
}

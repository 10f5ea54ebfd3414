//! Units as facts.

use super::model::Unit;
use torchgen_kit::facts::{Facts, Own, Thing};

/// All units, in the order of the files.
pub(crate) fn facts(units: &[Unit]) -> Facts {
    let thing =
        |unit: &Unit| Thing::new("unit", &unit.name, Own::from_iter([("factor".to_owned(), unit.factor.into())]));
    Facts { namespace: None, things: units.iter().map(thing).collect() }
}

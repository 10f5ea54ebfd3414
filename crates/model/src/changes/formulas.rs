//! The formulas of derivatives.yaml as facts about the operators that they are for.
//!
//! Invariant: white space in a formula is not a difference.

use std::collections::HashMap;

use super::facts::FORMULA;
use crate::parse::written_name;
use crate::records::DerivativeRecord;
use torchgen_kit::changes::{Fact, Thing};

/// Adds formulas to operators. Names of entries lack the prefix of the operators' names.
pub fn add_formulas(things: &mut [Thing], prefix: &str, records: &[DerivativeRecord]) {
    let by_name: HashMap<String, usize> =
        things.iter().enumerate().map(|(at, thing)| (thing.name.clone(), at)).collect();
    for record in records {
        let name = written_name(record.name.as_str());
        if let Some(at) = by_name.get(&format!("{prefix}{name}")) {
            things[*at].facts.extend(of_record(record));
        }
    }
}

/// The formulas of an entry of derivatives.yaml.
pub fn of_record(record: &DerivativeRecord) -> impl Iterator<Item = Fact> + '_ {
    record.formulas.iter().flat_map(|keyed| {
        keyed.formulas.iter().map(move |formula| {
            let names: Vec<&str> = formula.names.iter().map(|name| name.as_str()).collect();
            let key = match keyed.key.as_ref().map(|key| key.as_str()) {
                None | Some("Default") => names.join(", "),
                Some(key) => format!("{} ({key})", names.join(", ")),
            };
            let value = formula.formula.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
            Fact { of: &FORMULA, key, value, place: Some(formula.formula.span()) }
        })
    })
}

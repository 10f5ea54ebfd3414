//! Reads the records. Invariant: every text knows its place.

use torchgen_base::diag::{Diagnostics, codes};
use torchgen_base::yaml::fields::{Fields, KeyTable, Others, Shape, items};
use torchgen_base::yaml::keys::KeySpec as Key;
use torchgen_base::yaml::{Node, Text};
use torchgen_kit::driver::run_section::FAMILY_SECTION;

/// The keys of a file.
pub(crate) static FILE_KEYS: KeyTable = KeyTable {
    what: "a file of units",
    keys: &[
        Key::new("family", Shape::Word(&["units"]), "The family.").required(),
        FAMILY_SECTION,
        Key::new("units", Shape::Entries(&UNIT_KEYS), "The units.").required(),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

static UNIT_KEYS: KeyTable = KeyTable {
    what: "a unit",
    keys: &[
        Key::new("name", Shape::Text, "The name.").required(),
        Key::new("of", Shape::Text, "The unit that it is a multiple of."),
        Key::new("times", Shape::Text, "How many of them it is."),
    ],
    others: Others::Refused,
    misplaced: &[("factor", "write `times:`")],
    unknown: &codes::UNKNOWN_KEY,
};

/// A unit as written.
pub(crate) struct UnitRecord {
    pub(crate) name: Text,
    pub(crate) of: Option<Text>,
    pub(crate) times: Option<Text>,
}

/// Reads the units of a document. Errors are diagnostics; everything readable is returned.
pub(crate) fn read_unit_records(root: Node, diagnostics: &mut Diagnostics) -> Vec<UnitRecord> {
    let Some(mut file) = Fields::new(root, &FILE_KEYS, diagnostics) else { return Vec::new() };
    file.take("family");
    let Some(list) = file.take("units") else {
        file.missing("units", None);
        file.finish();
        return Vec::new();
    };
    file.finish();
    let nodes = items(list, "`units`", &codes::WRONG_TYPE, diagnostics).unwrap_or_default();
    nodes.into_iter().filter_map(|node| unit(node, diagnostics)).collect()
}

fn unit(node: Node, diagnostics: &mut Diagnostics) -> Option<UnitRecord> {
    let mut fields = Fields::new(node, &UNIT_KEYS, diagnostics)?;
    let (name, of, times) = (fields.take_text("name"), fields.take_text("of"), fields.take_text("times"));
    if name.is_none() {
        fields.missing("name", None);
    }
    fields.finish();
    Some(UnitRecord { name: name?, of, times })
}

//! Reads `deprecated.yaml`: signatures that Python still accepts, and the operators that they call.
//!
//! Invariant: every record has both texts. [`parse::deprecated`](crate::parse)
//! parses them. Keys other than `name` and `aten` are ignored as long as both are present, as in
//! the reference. Rule: tools/autograd/gen_python_functions.py, `load_deprecated_signatures`.

use serde::Serialize;

use crate::codes;
use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml::fields::{Fields, KeySpec, KeyTable, Others, Shape, items};
use torchgen_base::yaml::{Node, Text};

/// One deprecated signature as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeprecatedRecord {
    /// Its schema.
    pub name: Text,
    /// Its call, as in `add_out(out, self, other, alpha)`.
    pub(crate) aten: Text,
}

/// The keys of an entry.
pub(crate) static KEYS: KeyTable = KeyTable {
    what: "a deprecated signature",
    keys: &[
        KeySpec::new(
            "name",
            Shape::Text,
            "The signature that Python still accepts: `add(Tensor self, Scalar alpha, Tensor other) -> Tensor`.",
        )
        .required(),
        KeySpec::new("aten", Shape::Text, "The call that replaces it: `add(self, other, alpha)`.").required(),
    ],
    others: Others::Ignored,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The deprecated signatures of a file, in order. Bad entries are reported and left out. An empty
/// file has none.
pub fn read_deprecated(root: Node, diagnostics: &mut Diagnostics) -> Vec<DeprecatedRecord> {
    if root.is_null() {
        return Vec::new();
    }
    let entries = items(root, "the list of deprecated signatures", &codes::NOT_A_LIST, diagnostics).unwrap_or_default();
    entries.into_iter().filter_map(|entry| read_entry(entry, diagnostics)).collect()
}

fn read_entry(entry: Node, diagnostics: &mut Diagnostics) -> Option<DeprecatedRecord> {
    let mut fields = Fields::new(entry, &KEYS, diagnostics)?;
    let missing = ["name", "aten"].map(|key| (key, !fields.has(key)));
    let name = fields.take_text("name");
    let aten = fields.take_text("aten");
    for (key, _) in missing.iter().filter(|(_, missing)| *missing) {
        fields.missing(key, None);
    }
    if missing.iter().any(|(_, missing)| *missing) {
        // An unknown key is probably the missing one, misspelt.
        fields.finish();
    }
    Some(DeprecatedRecord { name: name?, aten: aten? })
}

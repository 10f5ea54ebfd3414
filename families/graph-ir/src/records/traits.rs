//! The table `traits:` of a file: mix-ins of classes.
//!
//! Invariant: a name that C++ refuses was reported.

use super::keys::TRAIT_KEYS;
use super::{NAME_CODES, check_identifier};
use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml::fields::Fields;
use torchgen_base::yaml::{Node, Text};
use torchgen_kit::ir::named_pairs;

/// A mix-in.
#[derive(Debug)]
pub(crate) struct TraitRecord {
    pub name: Text,
    pub(crate) cpp: Option<Text>,
    pub include: Option<Text>,
    pub(crate) doc: Option<Text>,
}

/// Reads `traits:`.
pub(super) fn read_traits(node: Node, diagnostics: &mut Diagnostics) -> Vec<TraitRecord> {
    let mut records = Vec::new();
    for (name, value) in named_pairs(node, "traits", diagnostics) {
        let Some(mut fields) = Fields::new(value, &TRAIT_KEYS, diagnostics) else { continue };
        if !fields.has("doc") {
            fields.missing("doc", Some("say what a class that has it can do: `doc: Prints itself as code.`"));
        }
        let [cpp, include, doc] = ["cpp", "include", "doc"].map(|key| fields.take_text(key));
        fields.finish();
        check_identifier(&name, NAME_CODES, diagnostics);
        records.push(TraitRecord { name, cpp, include, doc });
    }
    records
}

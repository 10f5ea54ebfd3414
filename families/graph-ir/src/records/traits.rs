//! The table `traits:` of a file: mix-ins of classes.
//!
//! Invariant: a name that C++ refuses was reported, of a mix-in and of its template.

use super::keys::TRAIT_KEYS;
use super::{NAME_CODES, check_identifier};
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::lang::is_qualified_identifier;
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
        let template = cpp.as_ref().map(|cpp| cpp.strip_prefix("::").unwrap_or(cpp));
        if let (Some(cpp), Some(template)) = (&cpp, template)
            && !is_qualified_identifier(template)
        {
            let message = format!("`{cpp}` cannot be the name of a class template");
            let error = Diagnostic::new(NAME_CODES.malformed, message).at(cpp.span());
            diagnostics.push(error.help("write its name alone, `acme::Printed`; its parameter is the class"));
        }
        records.push(TraitRecord { name, cpp, include, doc });
    }
    records
}

//! Reads `tags.yaml`: the tags of operators, and their descriptions.
//!
//! Invariant: every record has a name. Rule: torchgen/gen.py, `parse_tags_yaml_struct`; keys other
//! than `tag` and `desc` are ignored there and here.

use serde::Serialize;

use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::lang::cpp::is_keyword;
use torchgen_base::yaml::fields::{Fields, KeySpec, KeyTable, Others, Shape, items};
use torchgen_base::yaml::{Node, NodeKind, Text};

/// One tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TagRecord {
    /// Its name.
    pub tag: Text,
    /// Its meaning for an operator.
    pub(crate) desc: Option<Text>,
}

/// The keys of an entry.
pub(crate) static KEYS: KeyTable = KeyTable {
    what: "a tag",
    keys: &[
        KeySpec::new("tag", Shape::Identifier, "The tag's name.").required(),
        KeySpec::new("desc", Shape::Filled, "The meaning of the tag.").required().nullable(),
    ],
    others: Others::Ignored,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The tags of a file, in order. Bad entries are reported and left out.
pub fn read_tags(root: Node, diagnostics: &mut Diagnostics) -> Vec<TagRecord> {
    let entries = items(root, "the list of tags", &codes::NOT_A_LIST, diagnostics).unwrap_or_default();
    entries.into_iter().filter_map(|entry| read_tag(entry, diagnostics)).collect()
}

/// Whether C++ takes it for a name.
fn is_name(tag: &str) -> bool {
    let word = tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    word && !tag.is_empty() && !tag.starts_with(|c: char| c.is_ascii_digit()) && !is_keyword(tag)
}

fn read_tag(entry: Node, diagnostics: &mut Diagnostics) -> Option<TagRecord> {
    let mut fields = Fields::new(entry, &KEYS, diagnostics)?;
    let missing_tag = !fields.has("tag");
    let has_description = fields.has("desc");
    let tag = fields.take_text("tag");
    let desc = fields.take("desc");
    if missing_tag {
        fields.missing("tag", None);
        // An unknown key is probably the missing one, misspelt.
        fields.finish();
        return None;
    }
    let tag = tag?;
    if !is_name(&tag) {
        let message = format!("the tag `{tag}` is not a valid C++ name, but becomes `at::Tag::{tag}`");
        let diagnostic = Diagnostic::new(&codes::TAG_NAME, message).at(tag.span());
        fields.diagnostics().push(diagnostic.help("use letters, digits and underscores, and no keyword of C++"));
    }
    let place = desc.as_ref().map_or(tag.span(), |desc| desc.span);
    let desc = desc.and_then(|desc| match desc.kind {
        NodeKind::Scalar(text) => Some(text),
        _ => None,
    });
    if !has_description || desc.as_ref().is_some_and(|desc| desc.is_empty()) {
        fields.diagnostics().push(
            Diagnostic::new(&codes::EMPTY_TAG_DESCRIPTION, format!("tag `{tag}` must have a non-empty description"))
                .at(place)
                .help("describe the tag in `desc:`"),
        );
    }
    Some(TagRecord { tag, desc })
}

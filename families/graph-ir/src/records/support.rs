//! The record `support:`, which describes base classes of the user's.

use super::keys::SUPPORT_KEYS;
use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml::fields::Fields;
use torchgen_base::yaml::{Node, Text};

/// What `support:` says.
#[derive(Debug)]
pub(crate) struct SupportRecord {
    /// The headers of nodes, of instructions and of the builder.
    pub(crate) nodes: Text,
    pub(crate) instructions: Option<Text>,
    pub(crate) builder: Option<Text>,
    pub(crate) declares: Vec<Text>,
    pub(crate) defines: Vec<Text>,
    pub(crate) const_visits: bool,
}

/// Reads `support:`. What is wrong with it is reported.
pub(super) fn read_support(node: Node, diagnostics: &mut Diagnostics) -> Option<SupportRecord> {
    let mut fields = Fields::new(node, &SUPPORT_KEYS, diagnostics)?;
    let nodes = fields.take_text("nodes");
    if nodes.is_none() {
        fields.missing("nodes", Some("name the header of your base classes: `nodes: own/Node.h`"));
    }
    let [instructions, builder] = ["instructions", "builder"].map(|key| fields.take_text(key));
    let mut texts = |key: &str| fields.take_texts(key).map(|texts| texts.value).unwrap_or_default();
    let [declares, defines] = ["declares", "defines"].map(&mut texts);
    let const_visits = fields.take_bool("const_visits").is_none_or(|flag| flag.value);
    fields.finish();
    Some(SupportRecord { nodes: nodes?, instructions, builder, declares, defines, const_visits })
}

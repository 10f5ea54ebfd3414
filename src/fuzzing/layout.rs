//! The fuzz target of `torchgen-rs format`.
//!
//! Invariant: it compares the two texts without the formatter's own comparison.

use torchgen_base::diag::{Diagnostics, Sources};
use torchgen_base::yaml::format::format as formatted;
use torchgen_base::yaml::{self, Node, NodeKind, Options, resolve};

use crate::families::FAMILIES;

/// YAML: its layout in the one style.
pub fn format(data: &[u8]) {
    let Ok(text) = yaml::decode("fuzz.yaml", data.to_vec()) else { return };
    for family in FAMILIES {
        let Ok(new) = formatted(&text, family.style, None) else { continue };
        assert_eq!(formatted(&new, family.style, None).as_deref(), Ok(new.as_str()), "again");
        assert_same(&text, &new);
    }
    // Some lines alone: the others stay.
    if let Ok(new) = formatted(&text, FAMILIES[0].style, Some(2..=3)) {
        assert_same(&text, &new);
    }
}

/// Checks that a formatted text has the tree, the comments and the order of the text before.
pub(crate) fn assert_same(old: &str, new: &str) {
    assert_eq!(black(old), black(new), "what is not white space");
    let read = |text: &str| {
        let mut sources = Sources::new();
        let file = sources.add("fuzz.yaml", text.to_owned());
        let mut found = Diagnostics::new();
        let documents = yaml::parse_documents(&sources, file, Options::SAFE_LOAD, &mut found);
        let messages: Vec<String> = found.into_iter().map(|diagnostic| diagnostic.message).collect();
        (documents.iter().map(shown).collect::<Vec<String>>(), messages)
    };
    assert_eq!(read(old), read(new), "the tree");
}

/// What is neither white space nor a quote, which may be dropped.
fn black(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'')).collect()
}

/// A tree with the types of its scalars, and their values without white space.
fn shown(node: &Node) -> String {
    match &node.kind {
        NodeKind::Scalar(text) => format!("{:?}{:?}{}", node.tag, resolve(node), black(text)),
        NodeKind::Sequence(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(",")),
        NodeKind::Mapping(pairs) => {
            let pair = |(key, value): &(Node, Node)| format!("{}:{}", shown(key), shown(value));
            format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(","))
        }
    }
}

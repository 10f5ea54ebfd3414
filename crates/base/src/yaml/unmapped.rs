//! What is meant where a mapping is missing: another kind of node, or keys that are not indented.
//!
//! Invariant: only helps depend on it; `fields` reports the errors.

use std::ops::Range;

use super::fields::{KeyTable, Others, Shape};
use super::{Node, NodeKind};
use crate::diag::Help;

/// The mapping that is meant by another node: `- key: value`, or `key = value`.
pub(super) fn as_mapping(node: &Node, table: &KeyTable) -> Option<Help> {
    let is_key = |name: &str| table.keys.iter().any(|spec| spec.name == name);
    match &node.kind {
        NodeKind::Sequence(items) => {
            let all = items.iter().all(|item| matches!(item.kind, NodeKind::Mapping(_)));
            (all && !items.is_empty()).then(|| "delete the dashes before the keys".into())
        }
        NodeKind::Scalar(text) => {
            let (key, value) = text.as_str().lines().next()?.split_once('=')?;
            let (key, value) = (key.trim(), value.trim());
            let help = || Help::new(format!("write `{key}: {value}`"));
            is_key(key).then(|| match text.lines().count() {
                1 => help().instead(format!("{key}: {value}")),
                _ => help(),
            })
        }
        NodeKind::Mapping(_) => None,
    }
}

/// A key that has no value but should have a mapping, and the unknown keys right after it.
pub(super) fn not_indented(pairs: &[(Node, Node)], table: &'static KeyTable) -> Option<(&'static str, Range<usize>)> {
    let spec = |key: &Node| table.keys.iter().find(|spec| key.as_text().is_some_and(|text| text.as_str() == spec.name));
    let maps = |shape: Shape| matches!(shape, Shape::Map(_) | Shape::MapOfMaps(_) | Shape::Named(_) | Shape::Keys(_));
    pairs.iter().enumerate().find_map(|(at, (key, value))| {
        let above = spec(key).filter(|spec| value.is_null() && maps(spec.shape))?;
        let count = pairs[at + 1..].iter().take_while(|(key, _)| spec(key).is_none()).count();
        (count > 0 && table.others == Others::Refused).then_some((above.name, at + 1..at + 1 + count))
    })
}

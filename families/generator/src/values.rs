//! YAML as values of templates.
//!
//! Invariant: types are those of YAML 1.1, as families read it; keys keep their order.

use minijinja::Value;
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_base::yaml::{Node, NodeKind, Resolved, resolve};

use super::codes;

/// An error in the manifest.
pub(crate) fn wrong(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(&codes::MANIFEST, message).at(span)
}

/// The value of a node.
pub(crate) fn of(node: &Node) -> Value {
    match &node.kind {
        NodeKind::Scalar(text) => match resolve(node) {
            Resolved::Null => Value::from(()),
            Resolved::Bool(value) => Value::from(value),
            Resolved::Int(Some(value)) => i64::try_from(value).map_or_else(|_| Value::from(text.as_str()), Value::from),
            Resolved::Float(value) => Value::from(value),
            _ => Value::from(text.as_str()),
        },
        NodeKind::Sequence(items) => Value::from(items.iter().map(of).collect::<Vec<_>>()),
        NodeKind::Mapping(pairs) => Value::from_pairs(
            pairs.iter().map(|(key, value)| (key.as_text().map_or("", |text| text.as_str()).to_owned(), of(value))),
        ),
    }
}

/// The value of a key of a mapping.
pub(crate) fn get<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    let NodeKind::Mapping(pairs) = &node.kind else { return None };
    pairs.iter().find(|(key, _)| key.as_text().is_some_and(|text| text.as_str() == name)).map(|(_, value)| value)
}

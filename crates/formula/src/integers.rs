//! Which integers are unsigned in C++, as far as an expression shows it.
//!
//! Invariant: an integer that is called unsigned certainly is a `size_t`.

use super::typed::Typed;
use super::{Binary, Kind, Node, Unary};

/// Whether a value is an unsigned integer of 64 bits.
pub fn is_unsigned(value: &Typed<'_, '_>) -> bool {
    if value.ty.certain() != Kind::Int {
        return false;
    }
    match &value.expr.node {
        Node::Number(text) => {
            let plain = text.replace('\'', "").to_ascii_lowercase();
            let suffix = &plain[plain.trim_end_matches(['u', 'l', 'z']).len()..];
            suffix.contains('u') && suffix.contains(['l', 'z'])
        }
        Node::Unary(Unary::Minus | Unary::Plus | Unary::Invert, _) => is_computed_unsigned(&value.parts),
        Node::Binary { operator, .. } if *operator != Binary::Assign => is_computed_unsigned(&value.parts),
        Node::Ternary { .. } => is_computed_unsigned(&value.parts[1..]),
        Node::Call(path, _) | Node::Cast(path, _) => {
            let ty = match path.name() {
                "static_cast" => path.template.as_deref().unwrap_or_default().trim(),
                name => name,
            };
            matches!(ty, "size_t" | "uint64_t")
        }
        Node::Method(method) => method.name == "size" && method.arguments.is_empty(),
        _ => false,
    }
}

/// Whether an integer that is computed of these values is unsigned: one of them is.
fn is_computed_unsigned(parts: &[Typed<'_, '_>]) -> bool {
    parts.iter().all(|part| matches!(part.ty.certain(), Kind::Int | Kind::Bool)) && parts.iter().any(is_unsigned)
}

//! Integers by their types in C++, as far as an expression shows them.
//!
//! Invariant: a width other than [`Width::Plain`] is certain.

use super::typed::Typed;
use super::{Binary, Kind, Node, Unary};

/// The type of an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    /// Nothing is known; an argument is an `int64_t`.
    Plain,
    /// An `int`.
    Word,
    /// A `size_t`.
    Unsigned,
}

/// Whether a value is an unsigned integer of 64 bits.
pub fn is_unsigned(value: &Typed<'_, '_>) -> bool {
    width(value) == Width::Unsigned
}

fn width(value: &Typed<'_, '_>) -> Width {
    if value.ty.certain() != Kind::Int {
        return Width::Plain;
    }
    match &value.expr.node {
        Node::Number(text) => of_number(text),
        Node::Literal(parts) if parts[0].ends_with('\'') => Width::Word,
        Node::Unary(Unary::Minus | Unary::Plus | Unary::Invert, _) => computed(&value.parts),
        Node::Binary { operator, .. } if *operator != Binary::Assign => computed(&value.parts),
        Node::Ternary { .. } => computed(&value.parts[1..]),
        Node::Call(path, _) | Node::Cast(path, _) => {
            let ty = match path.name() {
                "static_cast" => path.template.as_deref().unwrap_or_default().trim(),
                name => name,
            };
            match ty {
                "int" => Width::Word,
                "size_t" | "uint64_t" => Width::Unsigned,
                _ => Width::Plain,
            }
        }
        Node::Method(method) if method.name == "size" && method.arguments.is_empty() => Width::Unsigned,
        _ => Width::Plain,
    }
}

/// The type of an integer that is computed of these values.
fn computed(parts: &[Typed<'_, '_>]) -> Width {
    let is_word = |part: &Typed| width(part) == Width::Word || part.ty.certain() == Kind::Bool;
    match () {
        () if !parts.iter().all(|part| matches!(part.ty.certain(), Kind::Int | Kind::Bool)) => Width::Plain,
        () if parts.iter().any(is_unsigned) => Width::Unsigned,
        () if parts.iter().all(is_word) => Width::Word,
        () => Width::Plain,
    }
}

/// The type of an integer as written.
fn of_number(text: &str) -> Width {
    let plain = text.replace('\'', "").to_ascii_lowercase();
    let digits = plain.trim_end_matches(['u', 'l', 'z']);
    let suffix = &plain[digits.len()..];
    if suffix.contains('u') && suffix.contains(['l', 'z']) {
        return Width::Unsigned;
    }
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x', ..] => (&digits[2..], 16),
        [b'0', b'b', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    let is_word =
        suffix.is_empty() && i64::from_str_radix(digits, radix).is_ok_and(|value| i32::try_from(value).is_ok());
    if is_word { Width::Word } else { Width::Plain }
}

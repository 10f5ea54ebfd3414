//! What the text of an expression says of its value besides the type.
//!
//! Invariant: a form other than [`Form::Plain`] is certain.

use super::passed::{Form, Passed};
use super::typed::Typed;
use super::{Binary, Expr, Kind, Node, Unary};

/// The value of an expression. `is_vector` are those that a node saved as one, `is_variable`
/// those that can be changed.
pub(super) fn passed(
    value: &Typed<'_, '_>,
    is_vector: &dyn Fn(&Expr) -> bool,
    is_variable: &dyn Fn(&Typed<'_, '_>) -> Option<bool>,
) -> Passed {
    let elements = match &value.expr.node {
        Node::Braces(None, _) => Some(value.parts.iter().map(|part| passed(part, is_vector, is_variable)).collect()),
        _ => None,
    };
    let made = value.expr.path().is_some_and(|path| path.name() == "vector") || value.call.is_some();
    let vector = value.ty.kind.is_list() && (made || is_vector(value.expr));
    Passed { ty: value.ty, form: form(value), is_vector: vector, is_variable: is_variable(value), elements }
}

/// The type in C++ of a value that is certainly a number of that type, or an optional of numbers.
pub(super) fn arithmetic(value: &Typed<'_, '_>) -> Option<&'static str> {
    if value.ty.is_optional() {
        return match value.ty.kind {
            Kind::Bool => Some("std::optional<bool>"),
            Kind::SymInt => Some("std::optional<c10::SymInt>"),
            Kind::Float => Some("std::optional<double>"),
            Kind::Int => Some("std::optional<int64_t>"),
            _ => None,
        };
    }
    let kind = value.ty.certain();
    let node = &value.expr.node;
    match kind {
        Kind::Bool => Some("bool"),
        Kind::SymInt => Some("c10::SymInt"),
        Kind::Float => match node {
            Node::Number(text) => Some(if text.ends_with(['f', 'F']) { "float" } else { "double" }),
            Node::Path(_) => Some("double"),
            Node::Unary(..) => arithmetic(&value.parts[0]),
            _ => None,
        },
        Kind::Int => match form(value) {
            Form::Word => Some("int"),
            Form::Integer { is_word, .. } => Some(if is_word { "int" } else { "int64_t" }),
            Form::Unsigned => Some("size_t"),
            Form::UnsignedWord => Some("unsigned int"),
            _ if matches!(node, Node::Path(_)) => Some("int64_t"),
            Form::Plain if matches!(node, Node::Method(method) if matches!(method.name.as_str(), "dim" | "numel")) => {
                Some("int64_t")
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a value is an unsigned integer of 64 bits.
pub fn is_unsigned(value: &Typed<'_, '_>) -> bool {
    form(value) == Form::Unsigned
}

fn form(value: &Typed<'_, '_>) -> Form {
    let kind = value.ty.certain();
    match &value.expr.node {
        Node::Number(text) => number(text, kind),
        Node::Literal(parts) if parts[0].ends_with('\'') => Form::Word,
        Node::Literal(_) => Form::Quoted,
        Node::Path(path) if super::is_constant(path) && kind == value.ty.kind => match kind {
            Kind::Bool | Kind::Float => Form::Constant,
            Kind::Device => Form::DeviceType,
            _ => Form::Plain,
        },
        Node::Unary(Unary::Minus, _) => match form(&value.parts[0]) {
            Form::Integer { value, is_word, .. } => {
                Form::Integer { value: value.wrapping_neg(), is_word, is_literal: false }
            }
            Form::Constant if kind == Kind::Float => Form::Constant,
            _ => computed(&value.parts),
        },
        Node::Unary(Unary::Plus | Unary::Invert, _) => computed(&value.parts),
        Node::Binary { operator, .. } if kind == Kind::Int && *operator != Binary::Assign => computed(&value.parts),
        Node::Ternary { .. } if kind == Kind::Int => computed(&value.parts[1..]),
        Node::Call(path, _) | Node::Cast(path, _) if kind == Kind::Int => {
            let ty = match path.name() {
                "static_cast" => path.template.as_deref().unwrap_or_default().trim(),
                name => name,
            };
            match ty {
                "int" => Form::Word,
                "size_t" | "uint64_t" => Form::Unsigned,
                _ => Form::Plain,
            }
        }
        Node::Method(method) if method.name == "size" && method.arguments.is_empty() && kind == Kind::Int => {
            Form::Unsigned
        }
        _ => Form::Plain,
    }
}

/// The form of an integer that is computed of these values.
fn computed(parts: &[Typed<'_, '_>]) -> Form {
    let is_word = |part: &Typed| {
        let of_word = matches!(form(part), Form::Word | Form::Integer { is_word: true, .. });
        of_word || part.ty.certain() == Kind::Bool
    };
    match () {
        () if !parts.iter().all(|part| matches!(part.ty.certain(), Kind::Int | Kind::Bool)) => Form::Plain,
        () if parts.iter().any(is_unsigned) => Form::Unsigned,
        () if parts.iter().all(is_word) => Form::Word,
        () => Form::Plain,
    }
}

/// The form of a number as written.
fn number(text: &str, kind: Kind) -> Form {
    let plain = text.replace('\'', "").to_ascii_lowercase();
    if kind != Kind::Int {
        return Form::Constant;
    }
    let digits = plain.trim_end_matches(['u', 'l', 'z']);
    let suffix = &plain[digits.len()..];
    if suffix.contains('u') && suffix.contains(['l', 'z']) {
        return Form::Unsigned;
    }
    if suffix.contains('u') {
        return Form::UnsignedWord;
    }
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x', ..] => (&digits[2..], 16),
        [b'0', b'b', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    match i64::from_str_radix(digits, radix) {
        Ok(value) => {
            let is_word = suffix.is_empty() && i32::try_from(value).is_ok();
            Form::Integer { value, is_word, is_literal: true }
        }
        Err(_) => Form::Plain,
    }
}

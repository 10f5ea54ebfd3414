//! What the text of an expression says of its value besides the kind: the type of a number in C++,
//! and the form that overload resolution asks for.
//!
//! Invariant: a form other than [`ValueForm::Plain`] is certain.

use super::passed::{Passed, ValueForm};
use super::typed::Typed;
use super::vocabulary::MATH;
use super::{Binary, Expr, Method, Node, Unary, ValueKind};

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
    let optional = value.ty.is_optional();
    match value.ty.kind {
        ValueKind::Bool if optional => Some("std::optional<bool>"),
        ValueKind::SymInt if optional => Some("std::optional<c10::SymInt>"),
        ValueKind::Float if optional => Some("std::optional<double>"),
        ValueKind::Int if optional => Some("std::optional<int64_t>"),
        ValueKind::Bool => Some("bool"),
        ValueKind::SymInt => Some("c10::SymInt"),
        ValueKind::SymFloat => Some("c10::SymFloat"),
        ValueKind::Int | ValueKind::Float => number_type(value),
        _ => None,
    }
}

/// Whether a value is certainly a number in single precision.
pub fn is_single(value: &Typed<'_, '_>) -> bool {
    arithmetic(value) == Some("float")
}

/// Whether a value is an unsigned integer of 64 bits.
pub fn is_unsigned(value: &Typed<'_, '_>) -> bool {
    form(value) == ValueForm::Unsigned
}

/// Whether a value is an unsigned integer of 32 bits.
pub fn is_unsigned_word(value: &Typed<'_, '_>) -> bool {
    form(value) == ValueForm::UnsignedWord
}

/// The type of an integer or a floating point number; `None` if it is not certain.
fn number_type(value: &Typed<'_, '_>) -> Option<&'static str> {
    let parts = &value.parts;
    let of_kind = if value.ty.kind == ValueKind::Int { "int64_t" } else { "double" };
    match &value.expr.node {
        Node::Number(text) if value.ty.kind == ValueKind::Float => {
            Some(if text.ends_with(['f', 'F']) { "float" } else { "double" })
        }
        Node::Number(text) => match number(text, ValueKind::Int) {
            ValueForm::Integer { is_word: true, .. } => Some("int"),
            ValueForm::Unsigned => Some("size_t"),
            ValueForm::UnsignedWord => Some("unsigned int"),
            _ => Some("int64_t"),
        },
        Node::Literal(_) => Some("int"),
        Node::Path(path) => match path.name() {
            "INFINITY" | "NAN" => Some("float"),
            _ => path.single().map(|_| of_kind),
        },
        Node::Index(..) | Node::Dereferenced { .. } => Some(of_kind),
        Node::Unary(Unary::Minus | Unary::Plus | Unary::Invert, _) => usual(&parts[..1]),
        Node::Binary { operator: Binary::ShiftLeft | Binary::ShiftRight, .. } => usual(&parts[..1]),
        Node::Binary { operator, .. } if *operator != Binary::Assign => usual(parts),
        Node::Ternary { .. } => usual(&parts[1..]),
        Node::Call(path, _) | Node::Cast(path, _) => {
            let ty = match path.name() {
                "static_cast" => path.template.as_deref().unwrap_or_default().trim(),
                name => name,
            };
            let of_std = path.parts.len() == 2 && path.parts[0] == "std";
            match ty {
                "int" => Some("int"),
                "float" => Some("float"),
                "size_t" | "uint64_t" => Some("size_t"),
                "int64_t" | "double" => Some(of_kind),
                "min" | "max" if of_std && path.template.is_some() => path.template.as_deref().and_then(named_type),
                "abs" | "min" | "max" if of_std => usual(parts),
                name if of_std && MATH.contains(&name) => match usual(parts)? {
                    "float" => Some("float"),
                    _ => Some("double"),
                },
                _ => None,
            }
        }
        Node::Method(Method { template: Some(template), .. }) => named_type(template),
        Node::Method(method) => match method.name.as_str() {
            "size" if method.arguments.is_empty() => Some("size_t"),
            "dim" | "numel" | "size" | "stride" | "toLong" | "toInt64" => Some("int64_t"),
            "value" | "value_or" if value.parts[0].ty.is_optional() => Some(of_kind),
            "toInt" => Some("int"),
            "toDouble" => Some("double"),
            "toFloat" => Some("float"),
            _ => None,
        },
        _ => None,
    }
}

/// The type of numbers that the argument of a template names.
fn named_type(template: &str) -> Option<&'static str> {
    match template.trim() {
        "double" => Some("double"),
        "float" => Some("float"),
        "int" => Some("int"),
        "int64_t" | "long" => Some("int64_t"),
        _ => None,
    }
}

/// The type of what is computed of these numbers.
fn usual(parts: &[Typed<'_, '_>]) -> Option<&'static str> {
    const RANKS: [&str; 6] = ["int", "unsigned int", "int64_t", "size_t", "float", "double"];
    let types: Vec<Option<&str>> = parts.iter().map(arithmetic).collect();
    let integers = parts.iter().all(|part| matches!(part.ty.certain(), ValueKind::Int | ValueKind::Bool));
    if types.contains(&Some("double")) || integers && types.contains(&Some("size_t")) {
        return RANKS.into_iter().rfind(|rank| types.contains(&Some(rank)));
    }
    let rank = |ty: &&str| match *ty {
        "bool" => Some(0),
        ty => RANKS.iter().position(|rank| *rank == ty),
    };
    let ranks: Option<Vec<usize>> = types.into_iter().map(|ty| rank(&ty?)).collect();
    ranks?.into_iter().max().map(|rank| RANKS[rank])
}

fn form(value: &Typed<'_, '_>) -> ValueForm {
    let kind = value.ty.certain();
    match &value.expr.node {
        Node::Number(text) => number(text, kind),
        Node::Literal(parts) if parts[0].ends_with('\'') => ValueForm::Word,
        Node::Literal(_) => ValueForm::Quoted,
        Node::Path(path) if super::is_constant(path) && kind == value.ty.kind => match kind {
            ValueKind::Bool | ValueKind::Float => ValueForm::Constant,
            ValueKind::Device => ValueForm::DeviceType,
            _ => ValueForm::Plain,
        },
        Node::Unary(Unary::Minus, _) => match form(&value.parts[0]) {
            ValueForm::Integer { value, is_word, .. } => {
                ValueForm::Integer { value: value.wrapping_neg(), is_word, is_literal: false }
            }
            ValueForm::Constant if kind == ValueKind::Float => ValueForm::Constant,
            _ => computed(value),
        },
        _ => computed(value),
    }
}

/// The form of an integer that is computed.
fn computed(value: &Typed<'_, '_>) -> ValueForm {
    match number_type(value).filter(|_| value.ty.certain() == ValueKind::Int) {
        Some("int") => ValueForm::Word,
        Some("size_t") => ValueForm::Unsigned,
        Some("unsigned int") => ValueForm::UnsignedWord,
        _ => ValueForm::Plain,
    }
}

/// The form of a number as written.
fn number(text: &str, kind: ValueKind) -> ValueForm {
    let plain = text.replace('\'', "").to_ascii_lowercase();
    if kind != ValueKind::Int {
        return ValueForm::Constant;
    }
    let digits = plain.trim_end_matches(['u', 'l', 'z']);
    let suffix = &plain[digits.len()..];
    if suffix.contains('u') && suffix.contains(['l', 'z']) {
        return ValueForm::Unsigned;
    }
    if suffix.contains('u') {
        return ValueForm::UnsignedWord;
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
            ValueForm::Integer { value, is_word, is_literal: true }
        }
        Err(_) => ValueForm::Plain,
    }
}

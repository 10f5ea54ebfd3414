//! Members in patterns: literals, and names that are bound to members or to items of lists.
//!
//! Invariant: a literal fits the type of its member.

use super::wrong;
use crate::model::{Family, Node};
use torchgen_base::diag::{TextError, did_you_mean};
use torchgen_base::lang::cpp::string_literal;
use torchgen_kit::expr::{Expr, ExprKind, Ident, Piece, Type, Unary};

/// A member of a node: its number, or its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemberName {
    Number(usize),
    Mode,
}

/// What a member must be.
#[derive(Debug, Clone)]
pub(crate) enum MemberPattern {
    /// Anything.
    Any,
    /// Anything, which gets a name.
    Bound(Ident),
    /// A value, as C++ writes it.
    Literal(String),
    /// A list of this length.
    Items(Vec<MemberPattern>),
}

/// The type of a member in conditions.
pub(super) fn member_type(node: &Node, member: MemberName) -> Type {
    match member {
        MemberName::Mode => Type::with_name(&node.mode_type()),
        MemberName::Number(number) => type_of(&node.members[number].spelling),
    }
}

/// The type of values that a schema writes so.
fn type_of(spelling: &str) -> Type {
    if let Some(item) = spelling.strip_suffix("[]") {
        return type_of(item).list();
    }
    match spelling {
        "int" | "uint" | "sint" | "size" | "dim" | "enum" => Type::Int,
        "float" => Type::Float,
        "bool" => Type::Bool,
        "str" => Type::Str,
        other => Type::with_name(other),
    }
}

/// The enumerators of a type, and what qualifies them in C++.
pub(super) fn enumerators<'f>(node: &'f Node, ty: &Type, family: &'f Family) -> Option<(String, Vec<&'f str>)> {
    let Type::Named(name) = ty else { return None };
    if **name == *node.mode_type() {
        let modes = node.modes.iter().map(String::as_str).collect();
        return Some((format!("{}::Mode", node.class()), modes));
    }
    let record = family.enums.iter().find(|record| record.name.as_str() == &**name)?;
    Some((family.enumeration(&record.name), record.values.iter().map(|value| value.as_str()).collect()))
}

/// Reads what a member must be.
pub(super) fn read(value: &Expr, node: &Node, member: MemberName, family: &Family) -> Result<MemberPattern, TextError> {
    read_as(value, node, &member_type(node, member), family)
}

fn read_as(value: &Expr, node: &Node, ty: &Type, family: &Family) -> Result<MemberPattern, TextError> {
    if let ExprKind::Name(name) = &value.kind {
        if name == "_" {
            return Ok(MemberPattern::Any);
        }
        if let Some((qualifier, values)) = enumerators(node, ty, family) {
            if values.contains(&name.as_str()) {
                return Ok(MemberPattern::Literal(format!("{qualifier}::{name}")));
            }
            // A name with a capital letter is meant for an enumerator.
            if let Some(help) = did_you_mean(name, values) {
                let message = format!("`{name}` is not a value of `{ty}`");
                return Err(wrong(value.range.clone(), message).help(help));
            }
        }
        return Ok(MemberPattern::Bound(Ident { name: name.clone(), range: value.range.clone() }));
    }
    if let (ExprKind::List(items), Type::List(item)) = (&value.kind, ty) {
        let items: Result<Vec<_>, _> = items.iter().map(|own| read_as(own, node, item, family)).collect();
        return items.map(MemberPattern::Items);
    }
    match literal(value, ty) {
        Some(literal) => Ok(MemberPattern::Literal(literal)),
        None => Err(wrong(value.range.clone(), format!("this is not a `{ty}`, which the member is"))
            .help("write a literal, a name, or `_` for any value; conditions follow `where:`")),
    }
}

/// A literal of a type, in C++.
fn literal(value: &Expr, ty: &Type) -> Option<String> {
    let (sign, kind) = match &value.kind {
        ExprKind::Unary(Unary::Negate, inner) => ("-", &inner.kind),
        kind => ("", kind),
    };
    Some(match (kind, ty) {
        (ExprKind::Int(number), Type::Int) => format!("{sign}{number}"),
        (ExprKind::Int(number), Type::Float) => format!("{sign}{number}.0f"),
        (ExprKind::Float(text), Type::Float) => {
            format!("{sign}{:?}f", text.parse::<f32>().ok().filter(|value| value.is_finite())?)
        }
        (ExprKind::Bool(value), Type::Bool) if sign.is_empty() => value.to_string(),
        (ExprKind::Str(pieces), Type::Str) if sign.is_empty() => match pieces.as_slice() {
            [] => string_literal(""),
            [Piece::Text(text)] => string_literal(text),
            _ => return None,
        },
        _ => return None,
    })
}

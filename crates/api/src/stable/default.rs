//! Defaults of parameters as C++ expressions.
//!
//! Invariant: an expression converts to the type of its parameter, so lists are in braces.

use crate::{braced, cpp_string};
use torchgen_model::model::{Argument, BaseTy, Type};

/// The default of a parameter as an expression, if it has one.
pub fn default(argument: &Argument) -> Option<String> {
    Some(expression(argument.default.as_deref()?, &argument.ty))
}

fn expression(default: &str, ty: &Type) -> String {
    match ty {
        Type::Optional(_) if default == "None" => "::std::nullopt".to_owned(),
        Type::Optional(elem) => expression(default, elem),
        Type::List(elem, size) => {
            let inside = default.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            let items: Vec<String> = match (inside, size) {
                (Some(""), _) => Vec::new(),
                (Some(inside), _) => inside.split(',').map(|item| expression(item.trim(), elem)).collect(),
                // A single value is every element of a list with a size.
                (None, size) => vec![expression(default, elem); size.unwrap_or(1) as usize],
            };
            braced(&items.join(", "))
        }
        Type::Base(base) => word(default, *base),
        Type::CustomClass(_) | Type::Dict(..) => default.to_owned(),
    }
}

fn word(default: &str, base: BaseTy) -> String {
    match (base, default) {
        (BaseTy::Bool, "True") => "true".to_owned(),
        (BaseTy::Bool, "False") => "false".to_owned(),
        // The values of at::Reduction.
        (_, "Mean") => "1".to_owned(),
        (_, "Sum") => "2".to_owned(),
        (BaseTy::ScalarType, "long") => "ScalarType::Long".to_owned(),
        (BaseTy::MemoryFormat, "contiguous_format") => "MemoryFormat::Contiguous".to_owned(),
        (BaseTy::Str, quoted) => cpp_string(&unquoted(quoted)),
        _ => default.to_owned(),
    }
}

/// The text of a string in a schema.
fn unquoted(quoted: &str) -> String {
    let inside = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    let mut text = String::new();
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        text.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    text
}

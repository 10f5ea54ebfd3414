//! The C++ types and defaults of the header.
//!
//! Invariant: a parameter's type converts from what callers have (braced lists, vectors, literals),
//! and holds nothing after the call.

use crate::families::torch::api::{braced, cpp_string};
use crate::families::torch::model::{Argument, BaseTy, Type};

/// The type of a parameter.
pub(super) fn parameter(ty: &Type) -> String {
    match ty {
        Type::Base(BaseTy::Tensor) => "const Tensor&".to_owned(),
        Type::Base(BaseTy::Generator) => "const Generator&".to_owned(),
        Type::Optional(elem) => match &**elem {
            Type::Base(BaseTy::Tensor | BaseTy::Generator) => ["const ", &value(ty), "&"].concat(),
            Type::List(elem, _) => format!("OptionalArrayRef<{}>", value(elem)),
            elem => format!("::std::optional<{}>", parameter(elem)),
        },
        Type::List(elem, _) => format!("ArrayRef<{}>", value(elem)),
        ty => value(ty),
    }
}

/// The type of a result, or of an element of a list.
pub(super) fn value(ty: &Type) -> String {
    match ty {
        Type::Base(base) => base_type(*base).to_owned(),
        Type::Optional(elem) => format!("::std::optional<{}>", value(elem)),
        Type::List(elem, _) => format!("::std::vector<{}>", value(elem)),
        // Never selected.
        Type::CustomClass(class) => class.clone(),
        Type::Dict(..) => "Dict".to_owned(),
    }
}

fn base_type(base: BaseTy) -> &'static str {
    match base {
        BaseTy::Int | BaseTy::SymInt | BaseTy::DeviceIndex => "int64_t",
        BaseTy::Float => "double",
        BaseTy::Bool => "bool",
        BaseTy::Str => "::std::string_view",
        // The others are classes with the name of the schema's type.
        other => other.as_str(),
    }
}

/// The type of a result. Strings are owned.
pub(super) fn result(ty: &Type) -> String {
    value(ty).replace("::std::string_view", "::std::string")
}

/// The default of a parameter as an expression, if it has one.
pub(super) fn default(argument: &Argument) -> Option<String> {
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

//! The defaults of arguments, as conditions in C++.
//!
//! Invariant: a condition holds exactly for the default of the schema.

use super::expression::Language;
use super::types::{TypeSuffixes, form, kind};
use torchgen_kit::expr::string_literal;
use torchgen_kit::schema::{Value, value};
use torchgen_model::model::{Argument, BaseTy};

/// The arguments that say what kind of tensor to make.
pub(super) const OPTIONS: [&str; 4] = ["dtype", "layout", "device", "pin_memory"];

/// The condition that an argument has its default; `None` if it has none that can be checked.
pub(super) fn condition(language: &Language, input: &Argument) -> Option<String> {
    let name = input.name.as_str();
    let ns = language.shape();
    let form = form(&input.ty).0;
    let optional = matches!(form, TypeSuffixes::Optional | TypeSuffixes::OptionalList);
    if OPTIONS.contains(&name) && form == TypeSuffixes::Optional {
        return Some(match name {
            "pin_memory" => format!("!{name}.value_or(false)"),
            "layout" => format!("{name}.value_or(at::kStrided) == at::kStrided"),
            _ => format!("!{name}.has_value()"),
        });
    }
    match (&value(input.default.as_deref()?)?, kind(&input.ty)) {
        (Value::None, _) if optional => Some(format!("!{name}.has_value()")),
        (Value::Bool(value), BaseTy::Bool) => Some(format!("{name} == {value}")),
        (Value::Int(value), BaseTy::Int | BaseTy::SymInt) if form == TypeSuffixes::Plain => {
            Some(format!("{name} == {value}"))
        }
        (Value::Int(value), BaseTy::Int | BaseTy::SymInt) if form == TypeSuffixes::List => {
            Some(format!("{ns}all_are({name}, {value})"))
        }
        (Value::List(items), BaseTy::Int | BaseTy::SymInt) if items.is_empty() => Some(format!("{name}.empty()")),
        (Value::List(items), BaseTy::Int | BaseTy::SymInt) => {
            let numbers = items
                .iter()
                .map(|item| if let Value::Int(value) = &item.value { Some(value.to_string()) } else { None });
            let numbers: Option<Vec<String>> = numbers.collect();
            Some(format!("{ns}plain({name}) == {}list_of<std::int64_t>({})", language.helpers(), numbers?.join(", ")))
        }
        (Value::Int(value), BaseTy::Float | BaseTy::Scalar) => Some(format!("{ns}plain({name}) == {value}")),
        (Value::Float(value), BaseTy::Float | BaseTy::Scalar) => Some(format!("{ns}plain({name}) == {value:?}")),
        (Value::Bool(value), BaseTy::Scalar) => Some(format!("{ns}plain({name}) == {}", u8::from(*value))),
        (Value::Str(value), BaseTy::Str) => Some(format!("{name} == {}", string_literal(value))),
        (Value::Word(word), BaseTy::Int) if word == "Mean" => Some(format!("{name} == at::Reduction::Mean")),
        (Value::Word(word), BaseTy::ScalarType) if word == "long" => Some(format!("{name} == at::kLong")),
        _ => None,
    }
}

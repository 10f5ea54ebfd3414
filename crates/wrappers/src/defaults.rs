//! The defaults of arguments, as conditions in C++.
//!
//! Invariant: a condition holds exactly for the default of the schema.

use super::expression::Language;
use super::types::{Form, Kind, form};
use torchgen_kit::expr::string_literal;
use torchgen_kit::schema::{self, Value};

type Argument = schema::Parameter<Kind>;

/// The arguments that say what kind of tensor to make.
pub(super) const OPTIONS: [&str; 4] = ["dtype", "layout", "device", "pin_memory"];

/// The condition that an argument has its default; `None` if it has none that can be checked.
pub(super) fn condition(language: &Language, input: &Argument) -> Option<String> {
    let name = input.name.as_str();
    let ns = language.shape();
    let form = form(&input.ty).0;
    let optional = matches!(form, Form::Optional | Form::OptionalList);
    let default = input.default.as_ref();
    if OPTIONS.contains(&name) && form == Form::Optional {
        return Some(match name {
            "pin_memory" => format!("!{name}.value_or(false)"),
            "layout" => format!("{name}.value_or(at::kStrided) == at::kStrided"),
            _ => format!("!{name}.has_value()"),
        });
    }
    match (&default?.value.value, input.ty.kind) {
        (Value::None, _) if optional => Some(format!("!{name}.has_value()")),
        (Value::Bool(value), Kind::Bool) => Some(format!("{name} == {value}")),
        (Value::Int(value), Kind::Int | Kind::SymInt) if form == Form::Plain => Some(format!("{name} == {value}")),
        (Value::Int(value), Kind::Int | Kind::SymInt) if form == Form::List => {
            Some(format!("{ns}all_are({name}, {value})"))
        }
        (Value::List(items), Kind::Int | Kind::SymInt) if items.is_empty() => Some(format!("{name}.empty()")),
        (Value::List(items), Kind::Int | Kind::SymInt) => {
            let numbers = items
                .iter()
                .map(|item| if let Value::Int(value) = &item.value { Some(value.to_string()) } else { None });
            let numbers: Option<Vec<String>> = numbers.collect();
            Some(format!("{ns}plain({name}) == {}list_of<std::int64_t>({})", language.helpers(), numbers?.join(", ")))
        }
        (Value::Int(value), Kind::Float | Kind::Scalar) => Some(format!("{ns}plain({name}) == {value}")),
        (Value::Float(value), Kind::Float | Kind::Scalar) => Some(format!("{ns}plain({name}) == {value:?}")),
        (Value::Bool(value), Kind::Scalar) => Some(format!("{ns}plain({name}) == {}", u8::from(*value))),
        (Value::Str(value), Kind::Str) => Some(format!("{name} == {}", string_literal(value))),
        (Value::Word(word), Kind::Int) if word == "Mean" => Some(format!("{name} == at::Reduction::Mean")),
        (Value::Word(word), Kind::ScalarType) if word == "long" => Some(format!("{name} == at::kLong")),
        _ => None,
    }
}

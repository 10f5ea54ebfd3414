//! Writes defaults and strings as C++ literals.
//!
//! Invariant: a literal is one token or one braced list, whatever its text contains.

pub(crate) use torchgen_base::lang::cpp::{escaped, string_literal as quoted};
use torchgen_kit::ir::{Numeric, ValueType};
use torchgen_kit::schema::{Default as SchemaDefault, Spanned, Value};

/// A default as the schema and as C++ write it.
pub(super) fn cpp_default(default: &Spanned<SchemaDefault>, ty: &ValueType) -> (String, String) {
    (default.text.clone(), cpp_value(&default.value.value, ty))
}

fn cpp_value(value: &Value, ty: &ValueType) -> String {
    match value {
        Value::None => "nullptr".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) if ty.numeric == Numeric::Float => format!("{value}.0f"),
        Value::Int(value) if *value == i128::from(i64::MIN) => "INT64_MIN".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) if value.is_nan() => "std::numeric_limits<float>::quiet_NaN()".to_owned(),
        Value::Float(value) if value.is_infinite() => {
            let sign = if *value < 0.0 { "-" } else { "" };
            format!("{sign}std::numeric_limits<float>::infinity()")
        }
        Value::Float(value) => format!("{value:?}f"),
        Value::Str(text) => quoted(text),
        Value::Word(word) => format!("{}::{word}", ty.storage),
        Value::List(values) => {
            let values: Vec<String> = values.iter().map(|value| cpp_value(&value.value, ty)).collect();
            let (open, close) = ('{', '}');
            format!("{open}{}{close}", values.join(", "))
        }
    }
}

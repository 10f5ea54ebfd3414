//! Writes defaults and strings as C++ literals.
//!
//! Invariant: a literal is one token or one braced list, whatever its text contains.

use torchgen_base::diag::visible;
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

/// A string literal of C++.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text inside the quotes of a string literal of C++.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Two question marks in a row begin a trigraph in old dialects.
            '?' => out.push_str("\\?"),
            c => {
                // Readers could not see the character: its bytes.
                let mut buffer = [0; 4];
                let text = &*c.encode_utf8(&mut buffer);
                if visible(text) == text {
                    out.push(c);
                } else {
                    text.bytes().for_each(|byte| out.push_str(&format!("\\{byte:03o}")));
                }
            }
        }
    }
    out
}

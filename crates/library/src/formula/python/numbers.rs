//! Numbers of one kind as numbers of another, as C++ converts them.
//!
//! Invariant: what is converted has the value that C++ gives it.

use super::value::{Value, strength};
use torchgen_formula::ValueKind;

/// A number of one kind as one of another, as C++ converts it. Symbolic numbers stay what they are.
pub(super) fn converted(value: Value, from: ValueKind, to: ValueKind) -> Value {
    let is_literal = value.text.bytes().all(|b| b.is_ascii_digit());
    match (from, to) {
        (ValueKind::Int, ValueKind::Int | ValueKind::SymInt) => signed(&value),
        (ValueKind::Bool, ValueKind::Int | ValueKind::SymInt) => Value::atom(format!("_builtins.int({})", value.text)),
        // C++ drops the fraction.
        (ValueKind::Float | ValueKind::SymFloat, ValueKind::Int | ValueKind::SymInt) => {
            Value::atom(format!("_builtins.int({})", value.text))
        }
        (ValueKind::Int | ValueKind::SymInt | ValueKind::Bool, ValueKind::Float | ValueKind::SymFloat) => {
            match is_literal {
                true => Value::atom(format!("{}.0", value.text)),
                false => Value::atom(format!("_torch.sym_float({})", value.text)),
            }
        }
        (ValueKind::Int | ValueKind::SymInt | ValueKind::Float | ValueKind::SymFloat, ValueKind::Bool) => {
            is_not_zero(&value)
        }
        _ => value,
    }
}

/// How the unsigned value of an integer begins.
const UNSIGNED: &str = "_formulas.unsigned(";

/// An integer as C++ has it in 64 bits without a sign.
pub(super) fn unsigned(value: &Value) -> Value {
    Value::atom(format!("{UNSIGNED}{})", value.text))
}

/// An integer for a parameter with a sign: what an unsigned one was computed of.
fn signed(value: &Value) -> Value {
    let inner = value.text.strip_prefix(UNSIGNED).and_then(|text| text.strip_suffix(')'));
    // The text may be one of two such values.
    let whole = |inner: &&str| {
        let mut depth = 0_i32;
        inner.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        })
    };
    inner.filter(whole).map_or_else(|| value.clone(), |inner| Value::with_strength(inner.to_owned(), strength::TERNARY))
}

pub(super) fn is_not_zero(value: &Value) -> Value {
    Value::with_strength(format!("{} != 0", value.within(strength::BIT_OR)), strength::COMPARE)
}

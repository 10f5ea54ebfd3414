//! Numbers and lists: literals, and the methods that C++ has on them.
//!
//! Invariant: a literal has the same value in both languages.

use std::ops::Range;

use super::value::{Value, strength};
use super::{Problem, has_no_form};

/// A number as Python writes it.
pub(super) fn number(text: &str, place: &Range<usize>) -> Result<Value, Problem> {
    let plain = text.replace('\'', "");
    let hexadecimal = plain.starts_with("0x") || plain.starts_with("0X");
    let suffixes: &[char] = if hexadecimal { &['u', 'U', 'l', 'L'] } else { &['u', 'U', 'l', 'L', 'f', 'F'] };
    let digits = plain.trim_end_matches(suffixes);
    let is_float = !hexadecimal && (digits.contains(['.', 'e', 'E']) || plain.ends_with(['f', 'F']));
    let octal = !is_float && digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    let valid = if is_float {
        digits.parse::<f64>().is_ok() || digits.strip_suffix('.').is_some_and(|whole| whole.parse::<f64>().is_ok())
    } else {
        !octal && (hexadecimal && !plain.contains(['p', 'P']) || digits.bytes().all(|b| b.is_ascii_digit()))
    };
    if !valid || digits.is_empty() {
        return Err(has_no_form(place, &format!("the number `{text}`")));
    }
    // `0.1f` is not the double `0.1`.
    if plain.ends_with(['f', 'F']) && !hexadecimal && digits.parse::<f64>().is_ok_and(|d| f64::from(d as f32) != d) {
        return Err(has_no_form(place, "a number in single precision").help("write it without the `f`"));
    }
    Ok(Value::atom(digits))
}

/// The error for what C++ computes in single precision.
pub(super) fn in_single_precision(place: &Range<usize>) -> Problem {
    has_no_form(place, "a computation in single precision").help("write a number without the `f`")
}

/// A method of a number.
pub(super) fn scalar_method(
    object: &Value,
    name: &str,
    place: &Range<usize>,
    arguments: usize,
) -> Result<Value, Problem> {
    let text = object.object();
    match (name, arguments) {
        ("conj", 0) => Ok(Value::atom(format!("{text}.conjugate()"))),
        ("toDouble", 0) => Ok(Value::atom(format!("_builtins.float({})", object.text))),
        // Its arguments are the place in C++, for messages.
        ("guard_int", 2) => Ok(Value::atom(format!("_builtins.int({})", object.text))),
        ("toLong", 0) => Ok(Value::atom(format!("_builtins.int({})", object.text))),
        ("toComplexDouble", 0) => Ok(Value::atom(format!("_builtins.complex({})", object.text))),
        ("isComplex", 0) => Ok(Value::atom(format!("_builtins.isinstance({}, _builtins.complex)", object.text))),
        _ => Err(has_no_form(place, &format!("the method `{name}`"))),
    }
}

/// A method of a list.
pub(super) fn list_method(
    object: &Value,
    name: &str,
    place: &Range<usize>,
    arguments: usize,
) -> Result<Value, Problem> {
    let text = object.object();
    match (name, arguments) {
        ("size", 0) => Ok(Value::atom(format!("_builtins.len({})", object.text))),
        ("empty", 0) => Ok(Value::with_strength(format!("_builtins.len({}) == 0", object.text), strength::COMPARE)),
        ("front", 0) => Ok(Value::atom(format!("{text}[0]"))),
        ("back", 0) => Ok(Value::atom(format!("{text}[-1]"))),
        ("vec", 0) => Ok(object.clone()),
        _ => Err(has_no_form(place, &format!("the method `{name}`"))),
    }
}

//! Defaults in the signature strings of `PythonArgParser`.
//!
//! Invariant: numbers are spelled as by Python's `str`. Rule: torchgen/gen.py, `pythonify_default`.

use std::borrow::Cow;

use crate::SymInts;
use crate::default::default_expr;
use crate::error::Result;
use torchgen_model::model::Argument;

/// The default of an argument, from its C++ expression.
pub(super) fn python_default(argument: &Argument) -> Result<Option<Cow<'_, str>>> {
    let Some(default) = &argument.default else { return Ok(None) };
    let expr = default_expr(default, &argument.ty, SymInts::Numbers).map_err(|error| error.about(&argument.name))?;
    Ok(Some(match &*expr {
        "true" => Cow::Borrowed("True"),
        "false" => Cow::Borrowed("False"),
        text => number(text).map_or(expr, Cow::Owned),
    }))
}

/// What signature strings and stubs show for a default that means "nothing given".
pub(super) fn or_none(default: &str) -> &str {
    match default {
        "nullptr" | "::std::nullopt" | "std::nullopt" | "{}" => "None",
        other => other,
    }
}

/// The text in Python's spelling, if Python's `int` or `float` accepts it.
fn number(text: &str) -> Option<String> {
    let text = text.trim();
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    // Underscores are allowed only between digits.
    let misplaced = |i: usize| bytes[i] == b'_' && !(i > 0 && digit(bytes.get(i - 1)) && digit(bytes.get(i + 1)));
    if (0..bytes.len()).any(misplaced) {
        return None;
    }
    let text = text.replace('_', "");
    integer(&text).or_else(|| text.parse().ok().map(float))
}

/// An integer of any size without leading zeros.
fn integer(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    Some(if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") })
}

/// The shortest spelling that reads back, with a point or an exponent.
fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let fixed = value.to_string();
        return if fixed.contains('.') { fixed } else { format!("{fixed}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::number;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(number(text).as_deref(), expected, "{text}");
    }

    // The expected values are those of Python's `str` of `int(text)` or `float(text)`.
    #[test]
    fn numbers() {
        check("0", Some("0"));
        check("-007", Some("-7"));
        check("+1_000", Some("1000"));
        check("-0", Some("0"));
        check("1__0", None);
        check("1e-5", Some("1e-05"));
        check("1e-4", Some("0.0001"));
        check("10000.0", Some("10000.0"));
        check("1.", Some("1.0"));
        check(".5", Some("0.5"));
        check("1e16", Some("1e+16"));
        check("1.5e300", Some("1.5e+300"));
        check("-0.0", Some("-0.0"));
        check("inf", Some("inf"));
        check("-Infinity", Some("-inf"));
        check("nan", Some("nan"));
        check("c10::kLong", None);
        check("", None);
    }
}

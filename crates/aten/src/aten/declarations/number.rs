//! Numbers as Python reads them and PyYAML writes them.
//!
//! Invariant: text that reads as a number is written as PyYAML writes its value. Digits outside
//! ASCII, which Python also accepts, are not supported.

/// The text for a default: numbers that Python's `int` or `float` accept, in PyYAML's spelling;
/// `None` for anything else.
pub(crate) fn normalise(text: &str) -> Option<String> {
    let text = text.trim();
    integer(text).or_else(|| float(text).map(repr))
}

/// An integer of any size without leading zeros, so the digits are text.
fn integer(text: &str) -> Option<String> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = without_underscores(digits)?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    Some(match (digits, negative) {
        ("", _) => "0".to_owned(),
        (digits, true) => format!("-{digits}"),
        (digits, false) => digits.to_owned(),
    })
}

fn float(text: &str) -> Option<f64> {
    let text = without_underscores(text)?;
    // Rust parses the rest as Python does: a sign, digits with a point, an exponent, `inf`,
    // `infinity` and `nan` in any case.
    text.parse().ok()
}

/// Removes underscores, which are allowed only between digits.
fn without_underscores(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let digit = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit);
    let placed = (0..bytes.len()).all(|i| bytes[i] != b'_' || (digit(i.checked_sub(1)) && digit(Some(i + 1))));
    placed.then(|| text.replace('_', ""))
}

/// PyYAML's spelling of a float: Python's shortest one that reads back, always with a point.
fn repr(value: f64) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let shortest = format!("{value:e}");
    let digits = shortest.bytes().take_while(|&b| b != b'e').filter(u8::is_ascii_digit).count();
    // Of two equally short and near spellings, Python takes the one with the even digit, like its
    // rounding.
    let rounded = format!("{value:.*e}", digits.saturating_sub(1));
    let scientific = if rounded.parse() == Ok(value) { rounded } else { shortest };
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let decimals = digits as i32 - 1 - exponent;
        return format!("{value:.*}", decimals.max(1) as usize);
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(normalise(text).as_deref(), expected, "{text}");
    }

    // The expected values are what PyYAML dumps for int(text) or float(text).
    #[test]
    fn numbers() {
        check("0", Some("0"));
        check("-1", Some("-1"));
        check("+007", Some("7"));
        check("-000", Some("0"));
        check("9223372036854775808", Some("9223372036854775808"));
        check("1_000", Some("1000"));
        check("1__0", None);
        check("_1", None);
        check("1e-05", Some("1.0e-05"));
        check("1e-5", Some("1.0e-05"));
        check("0.0001", Some("0.0001"));
        check("0.333", Some("0.333"));
        check(".5", Some("0.5"));
        check("1.", Some("1.0"));
        check("1e15", Some("1000000000000000.0"));
        check("1e16", Some("1.0e+16"));
        check("1.5e300", Some("1.5e+300"));
        check("-0.0", Some("-0.0"));
        check("1948618974132290.25", Some("1948618974132290.2"));
        check("inf", Some(".inf"));
        check("-Infinity", Some("-.inf"));
        check("nan", Some(".nan"));
        check("", None);
        check("-", None);
        check("banana", None);
        check("0x10", None);
        check("at::kLong", None);
    }
}

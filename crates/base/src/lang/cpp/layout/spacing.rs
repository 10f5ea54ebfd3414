//! The parts of a line of code, with the spaces between them.

use crate::lang::is_word;

/// A token or comment of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part<'a> {
    pub text: &'a str,
    /// A space precedes it.
    pub(crate) spaced: bool,
}

/// Types that references are made to; templates end with `>`.
const TYPES: &[&str] = &[
    "Device",
    "Dimname",
    "Generator",
    "IOptTensorListRef",
    "ITensorListRef",
    "Layout",
    "Node",
    "QScheme",
    "Scalar",
    "ScalarType",
    "Storage",
    "Stream",
    "SymBool",
    "SymInt",
    "Tensor",
    "TensorBase",
    "TensorOptions",
    "auto",
    "string",
];

/// Operators of several characters.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "->*", "<=>", "::", "->", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "++", "--", "<<",
];

/// The parts of a line, in the style. Spaces that the style does not determine stay.
pub(super) fn parts(line: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = line;
    loop {
        let text = rest.trim_start();
        if text.is_empty() {
            return parts;
        }
        let (found, after) = text.split_at(part(text));
        let part = Part { text: found, spaced: text.len() < rest.len() };
        parts.push(Part { spaced: is_spaced(&parts, part), ..part });
        rest = after;
    }
}

fn is_spaced(before: &[Part], part: Part) -> bool {
    let Some(last) = before.last() else { return false };
    match (last.text, part.text) {
        (_, comment) if comment.starts_with("//") => true,
        (_, "," | ";" | ")" | "]") | ("(" | "[", _) => false,
        (",", _) => true,
        // Not the capture of a lambda, and not `operator=`.
        ("operator", "=") => false,
        ("=", "(") if before.iter().any(|part| part.text == "operator") => false,
        ("=", _) | (_, "=") => true,
        (_, "&" | "&&" | "*") if is_type(before) => false,
        ("&" | "&&" | "*", _) if is_type(&before[..before.len() - 1]) => !matches!(part.text, ">" | "(" | "..."),
        (comment, _) if comment.starts_with("/*") => !comment.ends_with("=*/"),
        _ => part.spaced,
    }
}

/// Whether these parts end with a type.
fn is_type(before: &[Part]) -> bool {
    match before {
        [.., last] if TYPES.contains(&last.text) => true,
        [.., inner, last] => last.text == ">" && !last.spaced && inner.text != "-",
        _ => false,
    }
}

/// The length of the first token or comment of a text.
fn part(text: &str) -> usize {
    if text.starts_with("//") {
        return text.len();
    }
    if let Some(comment) = text.strip_prefix("/*") {
        return comment.find("*/").map_or(text.len(), |end| end + 4);
    }
    let first = text.chars().next().unwrap_or(' ');
    if matches!(first, '"' | '\'') {
        return literal(text, first);
    }
    if is_word(first) {
        // With the point, exponent and sign of a number.
        let number = first.is_ascii_digit();
        let mut before = ' ';
        let end = text.find(|c: char| {
            let sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
            before = c;
            !(is_word(c) || (number && (c == '.' || sign)))
        });
        return end.unwrap_or(text.len());
    }
    let operator = OPERATORS.iter().find(|operator| text.starts_with(**operator));
    operator.map_or(first.len_utf8(), |operator| operator.len())
}

fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

//! What authors who come from Python write in formulas.
//!
//! Invariant: what is reported here is in no expression of C++.

use std::ops::Range;

use super::{Expr, Node, Problem};
use torchgen_base::lang::cpp::{Token, TokenKind, is_keyword};

/// The problem of the token that the parser did not expect.
pub(super) fn unexpected(formula: &str, tokens: &[Token], at: usize) -> Problem {
    let text = |i: usize| tokens.get(i).map_or("", |token| &formula[token.range.clone()]);
    let before = at.checked_sub(1).map_or("", text);
    let Some(token) = tokens.get(at) else {
        let end = formula.len();
        let start = tokens.last().map_or(end, |last| last.range.start);
        return match (tokens.is_empty(), before) {
            (true, _) => Problem::not_cpp(0..end, "the formula is empty"),
            // Brackets that nothing closes have an error of their own.
            _ => Problem::not_cpp(start..end, format!("an operand is missing after `{before}`")),
        };
    };
    let word = text(at);
    let range = token.range.clone();
    if let Some(help) = instead(word).filter(|_| word != "," || closes(tokens, at, formula)) {
        return Problem::not_cpp(range, format!("C++ has no `{word}` here")).help(help);
    }
    let is_operand =
        matches!(token.kind, TokenKind::Word | TokenKind::Number | TokenKind::Literal) && !is_keyword(word);
    let message = match word {
        _ if is_operand => format!("C++ has no `{word}` here"),
        ")" | "]" | "}" | "," | ";" if matches!(before, "(" | "[" | "{" | "," | "") => {
            format!("an operand is missing before `{word}`")
        }
        ")" | "]" | "}" | "," | ";" if is_keyword(before) || !closes(tokens, at, formula) => {
            format!("an operand is missing after `{before}`")
        }
        _ => format!("C++ has no `{word}` here"),
    };
    Problem::not_cpp(range, message).help("formulas are expressions of C++")
}

/// Whether an operand ends before the token.
fn closes(tokens: &[Token], at: usize, formula: &str) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|i| tokens.get(i)) else { return false };
    before.kind != TokenKind::Punct || matches!(before.mark(formula), Some(')' | ']' | '}'))
}

/// What C++ has for a word of Python.
fn instead(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" | "else" => "formulas are C++: write `condition ? yes : no`",
        "is" => "formulas are C++: write `x.defined()` for `x is not None`",
        "in" | "for" => "formulas are C++: write a function in derivatives_manual.h",
        "," => "a formula is one expression: write one for each input, or a function that returns a tuple",
        "@" => "formulas are C++: write `at::matmul(x, y)`",
        ":" => "formulas are C++: write `x.slice(dim, start, end)` for a slice",
        _ => return None,
    })
}

/// The problem of a star before something that has no value to take. `is_value` are names that are
/// certainly neither optionals nor pointers.
pub fn not_a_pointer(value: &Expr, place: &Range<usize>, is_value: impl Fn(&str) -> bool) -> Option<Problem> {
    let certain = match &value.node {
        Node::Number(_) | Node::Literal(_) => true,
        _ => value.single().is_some_and(is_value),
    };
    let (stars, help) = match (place.len(), &value.node) {
        (1, _) => ("`*` here", "`*x` is the value of an optional".to_owned()),
        (_, Node::Number(power)) => {
            ("`**`", format!("formulas are C++: write `x.pow({power})`, or `std::pow(x, {power})` for numbers"))
        }
        _ => ("`**`", "formulas are C++: write `x.pow(n)`, or `std::pow(x, n)` for numbers".to_owned()),
    };
    certain.then(|| Problem::not_cpp(place.clone(), format!("C++ has no {stars}")).help(help))
}

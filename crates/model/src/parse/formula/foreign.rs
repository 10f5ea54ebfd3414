//! What authors who come from Python write in formulas.
//!
//! Invariant: what is reported here is in no expression of C++. After a parenthesis that may be a
//! cast, only words that no expression has are reported.

use std::ops::Range;

use super::{Expr, Node, Problem};
use torchgen_base::lang::cpp::{Kind, Token, is_keyword};

/// The token that cannot be there, if that is certain. The parser did not expect it.
pub(super) fn unexpected(formula: &str, tokens: &[Token], at: usize) -> Option<Problem> {
    let text = |i: usize| tokens.get(i).map_or("", |token| &formula[token.range.clone()]);
    let token = tokens.get(at)?;
    let before = at.checked_sub(1).and_then(|i| tokens.get(i));
    let word = text(at);
    let behind_operand = before.is_some_and(|before| match before.kind {
        Kind::Number => true,
        Kind::Word => !is_keyword(text(at - 1)) && !text(at - 1).ends_with("_t"),
        _ => text(at - 1) == "]",
    });
    let closes = at > 0 && text(at - 1) == ")";
    let certain = match token.kind {
        Kind::Word => behind_operand || (closes && ["if", "else", "for", "while"].contains(&word)),
        Kind::Number => behind_operand,
        _ => word == "@" || (word == ":" && at > 0),
    };
    certain.then(|| not_cpp(token.range.clone(), format!("C++ has no `{word}` here"), instead(word)))
}

fn not_cpp(range: Range<usize>, message: String, help: Option<&str>) -> Problem {
    Problem { range, message, help: Some(help.unwrap_or("formulas are expressions of C++").to_owned()), not_cpp: true }
}

/// What C++ has for a word of Python.
fn instead(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" | "else" => "formulas are C++: write `condition ? yes : no`",
        "is" => "formulas are C++: write `x.defined()` for `x is not None`",
        "in" | "for" => "formulas are C++: write a function in derivatives_manual.h",
        "@" => "formulas are C++: write `at::matmul(x, y)`",
        ":" => "formulas are C++: write `x.slice(dim, start, end)` for a slice",
        _ => return None,
    })
}

/// The problem of a star before something that has no value to take. `is_value` are names that are
/// certainly neither optionals nor pointers.
pub fn not_a_pointer(value: &Expr, place: &Range<usize>, is_value: impl Fn(&str) -> bool) -> Option<Problem> {
    let certain = match &value.node {
        Node::Number(_) | Node::Text(_) => true,
        _ => value.single().is_some_and(is_value),
    };
    let (stars, help) = match place.len() {
        1 => ("`*` here", "`*x` is the value of an optional"),
        _ => ("`**`", "formulas are C++: write `x.pow(n)`, or `std::pow(x, n)` for numbers"),
    };
    certain.then(|| not_cpp(place.clone(), format!("C++ has no {stars}"), Some(help)))
}

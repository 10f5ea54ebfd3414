//! Whether a formula can stand where an expression of C++ stands: brackets match, and nothing in it reaches beyond it.
//!
//! Invariant: a formula that is refused would not compile, or would take in what the templates put behind it. Deliberately absent: everything
//! else that makes an expression; the compiler says that, with the names of the generated file.

use std::ops::Range;

use crate::diag::{Diagnostic, Fault, codes};
use crate::lang::cpp::{Token, tokens};
use crate::yaml::Text;

/// Checks one formula. Errors: the first fault.
pub(super) fn check(formula: &Text) -> Result<(), Box<Diagnostic>> {
    let Some((fault, open)) = fault(formula.as_str()) else { return Ok(()) };
    let diagnostic = fault.at_text(formula);
    Err(Box::new(match open {
        Some(open) => diagnostic.also(formula.sub_span(open), "opened here"),
        None => diagnostic,
    }))
}

/// The first fault, and the bracket that is closed by another kind of bracket if that is it.
fn fault(formula: &str) -> Option<(Fault, Option<Range<usize>>)> {
    let fault = |message: &str, range: Range<usize>| Some((Fault::new(&codes::FORMULA_SYNTAX, range, message), None));
    // A comment or a literal without an end takes in what stands behind the formula.
    let behind = format!("{formula},");
    let mut tokens = tokens(&behind);
    let last = tokens.pop();
    match &last {
        Some(last) if last.range.start == formula.len() => {}
        Some(last) if last.range.end > formula.len() => {
            return fault("this does not end in the formula", last.range.start..formula.len());
        }
        last => {
            let start = last.as_ref().map_or(0, |last| last.range.end);
            let start = formula.len() - formula[start..].trim_start().len();
            return fault("this comment does not end in the formula", start..formula.len());
        }
    }
    if tokens.is_empty() {
        return fault("the formula is empty", 0..formula.len());
    }
    let mut open: Vec<(char, &Token)> = Vec::new();
    for token in &tokens {
        let range = &token.range;
        match token.mark(formula) {
            Some(bracket @ ('(' | '[' | '{')) => open.push((bracket, token)),
            Some(mark @ (')' | ']' | '}')) => {
                let Some((bracket, opened)) = open.pop() else {
                    return fault(&format!("`{mark}` closes nothing"), range.clone());
                };
                if !matches!((bracket, mark), ('(', ')') | ('[', ']') | ('{', '}')) {
                    let message = format!("`{mark}` does not close `{bracket}`");
                    let fault = Fault::new(&codes::FORMULA_SYNTAX, range.clone(), message);
                    return Some((fault, Some(opened.range.clone())));
                }
            }
            Some(';') if !open.iter().any(|(bracket, _)| *bracket == '{') => {
                return fault("a formula is an expression, without semicolons", range.clone());
            }
            _ => {}
        }
    }
    let (bracket, unclosed) = open.pop()?;
    fault(&format!("`{bracket}` is not closed"), unclosed.range.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place and the words of the fault, if there is one.
    fn check(formula: &str, expected: Option<(&str, &str)>) {
        let found = fault(formula);
        let found = found.as_ref().map(|(fault, _)| (&formula[fault.range.clone()], fault.message.as_str()));
        assert_eq!(found, expected, "{formula}");
    }

    #[test]
    fn formulas() {
        check("grad * (self + 1) / f({a[0], b}, \")\", '(') /* ) */", None);
        check("fmap(xs, [](Tensor x) { auto y = -x; return y; })", None);
        check("grad // x\n", None);
        check("", Some(("", "the formula is empty")));
        check(" /* x */", Some((" /* x */", "the formula is empty")));
        check("f(x", Some(("(", "`(` is not closed")));
        check("f(x))", Some((")", "`)` closes nothing")));
        check("f(x[0)", Some((")", "`)` does not close `[`")));
        check("grad; g(x)", Some((";", "a formula is an expression, without semicolons")));
        check("grad + \"a", Some(("\"a", "this does not end in the formula")));
        check("grad // x", Some(("// x", "this comment does not end in the formula")));
        check("grad /* x", Some(("/* x", "this comment does not end in the formula")));
        check("# x", Some(("# x", "this does not end in the formula")));
        check("é(\\", Some(("(", "`(` is not closed")));
    }
}

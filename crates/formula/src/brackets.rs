//! Checks that the brackets of a formula match, and that nothing extends beyond its end.
//!
//! Invariant: a refused formula would not compile, or would swallow what the template puts after
//! it, or has more brackets in brackets than readers of formulas handle. The compiler checks
//! everything else, but shows names in the generated file.

use std::ops::Range;
use torchgen_base::diag::Help;

use super::Problem;
use torchgen_base::lang::cpp::{Token, tokens};

/// How deep brackets may be nested. Compilers allow 256.
const DEPTH: usize = 200;

/// The first error, and the bracket that the wrong kind of bracket closes, if there is one.
pub fn unmatched(formula: &str) -> Option<(Problem, Option<Range<usize>>)> {
    let error = |message: &str, range: Range<usize>| Some((Problem::not_cpp(range, message), None));
    // An unterminated comment or literal swallows what follows the formula.
    let behind = format!("{formula},");
    let mut tokens = tokens(&behind);
    let last = tokens.pop();
    match &last {
        Some(last) if last.range.start == formula.len() => {}
        Some(last) if last.range.end > formula.len() => {
            return error("this token is not terminated", last.range.start..formula.len());
        }
        last => {
            let start = last.as_ref().map_or(0, |last| last.range.end);
            let start = formula.len() - formula[start..].trim_start().len();
            return error("this comment is not terminated", start..formula.len());
        }
    }
    if tokens.is_empty() {
        return error("the formula is empty", 0..formula.len());
    }
    let is_return = |token: &&Token| &formula[token.range.clone()] == "return";
    if let Some(first) = tokens.first().filter(is_return) {
        let value = formula[first.range.end..].trim().trim_end_matches(';');
        let problem = Problem::not_cpp(first.range.clone(), "a formula is an expression, without `return`");
        return Some((problem.help(Help::new(format!("write `{value}`")).after("return ", "").certainly()), None));
    }
    let mut open: Vec<(char, &Token)> = Vec::new();
    for token in &tokens {
        let range = &token.range;
        match token.mark(formula) {
            Some('(' | '[' | '{') if open.len() == DEPTH => {
                return error(&format!("brackets are nested more than {DEPTH} levels deep"), range.clone());
            }
            Some(bracket @ ('(' | '[' | '{')) => open.push((bracket, token)),
            Some(mark @ (')' | ']' | '}')) => {
                let Some((bracket, opened)) = open.pop() else {
                    return error(&format!("unmatched `{mark}`"), range.clone());
                };
                if !matches!((bracket, mark), ('(', ')') | ('[', ']') | ('{', '}')) {
                    let message = format!("mismatched brackets: `{mark}` does not close `{bracket}`");
                    return Some((Problem::not_cpp(range.clone(), message), Some(opened.range.clone())));
                }
            }
            Some(';') if !open.iter().any(|(bracket, _)| *bracket == '{') => {
                let problem = Problem::not_cpp(range.clone(), "a formula is an expression, without semicolons");
                let is_last = formula[range.end..].trim().is_empty();
                return Some((
                    if is_last { problem.help(Help::new("delete it").instead("").certainly()) } else { problem },
                    None,
                ));
            }
            _ => {}
        }
    }
    let (bracket, unclosed) = open.pop()?;
    error(&format!("`{bracket}` is not closed"), unclosed.range.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place and the words of the error, if there is one.
    fn check(formula: &str, expected: Option<(&str, &str)>) {
        let found = unmatched(formula);
        let found = found.as_ref().map(|(error, _)| (&formula[error.range.clone()], error.message.as_str()));
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
        check("f(x))", Some((")", "unmatched `)`")));
        check("f(x[0)", Some((")", "mismatched brackets: `)` does not close `[`")));
        check("grad; g(x)", Some((";", "a formula is an expression, without semicolons")));
        check("grad + \"a", Some(("\"a", "this token is not terminated")));
        check("grad // x", Some(("// x", "this comment is not terminated")));
        check("grad /* x", Some(("/* x", "this comment is not terminated")));
        check("# x", Some(("# x", "this token is not terminated")));
        check("é(\\", Some(("(", "`(` is not closed")));
        let nested = |depth| format!("{}x{}", "(".repeat(depth), ")".repeat(depth));
        check(&nested(200), None);
        check(&nested(201), Some(("(", "brackets are nested more than 200 levels deep")));
    }
}

//! Names inside formulas: finds and replaces them as whole words. The tree of the formula finds
//! lambdas and gradients with an index.
//!
//! Invariant: this works on any text. Rule: torchgen/utils.py, `IDENT_REGEX`.
//!
//! The tree of `torchgen_formula` cannot find names, because what nodes save would change. The
//! reference also finds a name where C++ has something else, and saves the argument:
//!
//! - in a string: `not_implemented("native_dropout_backward: mask")` saves `mask`;
//! - as a function in a namespace: `at::real(grad)` saves `real`;
//! - as a method: `grad.to_dense().sparse_mask(result).values()` saves `values`.
//!
//! PyTorch's file has such formulas, and nodes are public C++ and Python (`_saved_mask`).
//! `tests/conformance/formula_words.txt` lists those in which words and the tree differ. Renaming
//! also depends on the text: in `a*a`, the reference replaces one name. Formulas of libraries are
//! read in the same way, so that an entry of PyTorch's file saves the same in both. Whether a
//! formula is C++, and what its types are, is a question for the tree (`syntax`).

use std::ops::Range;

use torchgen_base::lang::{replace_words, whole_words};
use torchgen_formula::{Node, parse};

/// Whether a formula uses the name as a word of its own.
pub fn uses(formula: &str, name: &str) -> bool {
    find(formula, name).is_some()
}

/// Whether a formula has a lambda. A text that is not an expression has none.
pub fn has_lambda(formula: &str) -> bool {
    let mut found = false;
    if let Ok(expr) = parse(formula) {
        expr.walk(&mut |part| found |= matches!(part.node, Node::Lambda(..)));
    }
    found
}

/// Where a formula first uses the name.
pub(super) fn find(formula: &str, name: &str) -> Option<Range<usize>> {
    whole_words(formula, name).next()
}

/// The formula with one name replaced by another.
///
/// As in the reference, the character after a replaced word cannot precede the next one: in `a*a`
/// only the first `a` is replaced, in `a * a` both are.
pub(super) fn rename(formula: &str, name: &str, with: &str) -> String {
    let mut taken = 0;
    replace_words(formula, name, |range| {
        let before = formula[..range.start].chars().next_back().map_or(0, char::len_utf8);
        let is_free = range.start == 0 || range.start - before >= taken;
        is_free.then(|| {
            taken = range.end + formula[range.end..].chars().next().map_or(0, char::len_utf8);
            with.to_owned()
        })
    })
}

/// The gradients used by index, `grads[0]`, and where. An index that overflows is the greatest
/// number. A text that is not an expression has none.
pub(super) fn gradient_indices(formula: &str) -> Vec<(usize, Range<usize>)> {
    let mut found = Vec::new();
    // Most formulas use none, and need not be read.
    let expr = uses(formula, "grads").then(|| parse(formula).ok()).flatten();
    if let Some(expr) = expr {
        expr.walk(&mut |part| {
            if let Node::Index(object, index) = &part.node
                && object.single() == Some("grads")
                && let Node::Number(number) = &index.node
                && number.bytes().all(|b| b.is_ascii_digit())
            {
                found.push((number.parse().unwrap_or(usize::MAX), part.range.clone()));
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formula: &str, renamed: &str) {
        assert_eq!(rename(formula, "a", "<b>"), renamed);
        assert_eq!(uses(formula, "a"), formula != renamed);
    }

    #[test]
    fn renaming() {
        check("a", "<b>");
        check("a * ba + ab + a_p", "<b> * ba + ab + a_p");
        check("a * a", "<b> * <b>");
        check("a*a", "<b>*a");
        check("a*a*a", "<b>*a*<b>");
        check("f(a, a)", "f(<b>, <b>)");
        check("f(a,a)", "f(<b>,a)");
        check("x.a(é, éa, a)", "x.<b>(é, éa, <b>)");
        check("", "");
    }

    #[test]
    fn words_that_are_not_names_of_cpp() {
        assert!(uses("not_implemented(\"native_dropout_backward: mask\")", "mask"));
        assert!(uses("at::real(grad)", "real"));
        assert!(uses("grad.to_dense().sparse_mask(result).values()", "values"));
    }

    #[test]
    fn indices() {
        let found =
            gradient_indices("grads[0] + f(grads, my_grads[1], grads[12]) + grads[i] + grads[99999999999999999999]");
        assert_eq!(found.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [0, 12, usize::MAX]);
        assert_eq!(found[1].1, 33..42);
        let found = |formula| gradient_indices(formula).into_iter().map(|(i, _)| i).collect::<Vec<_>>();
        assert_eq!(found("f(grads [1], \"grads[2]\") /* grads[3] */"), [1]);
        assert_eq!(found("grads[1] +"), [0; 0]);
    }
}

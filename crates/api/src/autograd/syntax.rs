//! Checks that a formula is an expression of C++.
//!
//! Invariant: a refused formula would not compile, or would swallow what the template puts after
//! it, or has more brackets in brackets than compilers allow. In PyTorch's own file, only brackets
//! are checked: the reference does not read formulas.

use torchgen_base::diag::{Diagnostic, TextError};
use torchgen_base::yaml::Text;
use torchgen_formula::{Problem, parse, unmatched};
use torchgen_model::codes;
use torchgen_model::model::Target;

/// Checks one formula.
///
/// # Errors
/// The first error.
pub(super) fn check(formula: &Text, target: Target) -> Result<(), Box<Diagnostic>> {
    if let Some((problem, open)) = unmatched(formula.as_str()) {
        let diagnostic = diagnostic(problem, formula);
        return Err(Box::new(match open {
            Some(open) => diagnostic.also(formula.sub_span(open), "opened here"),
            None => diagnostic,
        }));
    }
    match parse(formula.as_str()) {
        Err(problem) if target.refuses_what_cannot_compile && problem.not_cpp => {
            Err(Box::new(diagnostic(problem, formula)))
        }
        _ => Ok(()),
    }
}

fn diagnostic(problem: Problem, formula: &Text) -> Diagnostic {
    let mut error = TextError::new(&codes::FORMULA_SYNTAX, problem.range, problem.message);
    error.help = problem.help;
    error.at_text(formula)
}

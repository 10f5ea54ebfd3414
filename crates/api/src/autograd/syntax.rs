//! Checks that a formula is an expression of C++.
//!
//! Invariant: a refused formula would not compile, or would swallow what the template puts after
//! it, or has more brackets in brackets than compilers allow. In PyTorch's own file, only brackets
//! are checked: the reference does not read formulas.

use torchgen_base::diag::{Diagnostic, Severity, TextError};
use torchgen_base::yaml::Text;
use torchgen_formula::{Problem, parse, unmatched};
use torchgen_model::codes;
use torchgen_model::model::Target;
use torchgen_model::records::DerivativeRecord;

/// Checks one formula.
pub(super) fn check_formula_syntax(formula: &Text, target: Target) -> Result<(), Box<Diagnostic>> {
    if let Some((problem, open)) = unmatched(formula.as_str()) {
        let diagnostic = diagnostic(problem, formula);
        return Err(Box::new(match open {
            Some(open) => diagnostic.also(formula.sub_span(open), "opened here"),
            None => diagnostic,
        }));
    }
    if !target.refuses_what_cannot_compile {
        return Ok(());
    }
    match parse(formula.as_str()) {
        Err(problem) if problem.not_cpp => Err(Box::new(diagnostic(problem, formula))),
        _ => Ok(()),
    }
}

/// Warnings of the formulas and conditions of PyTorch's own file that are not expressions of C++.
/// The reference passes them on, and so the compiler reports them, with a place in the generated
/// file.
pub(super) fn unread(record: &DerivativeRecord, target: Target) -> Vec<Diagnostic> {
    if target.refuses_what_cannot_compile {
        return Vec::new();
    }
    let formulas = record.formulas.iter().flat_map(|keyed| &keyed.formulas).map(|one| &one.formula);
    let unread = formulas.chain(record.condition()).filter_map(|formula| {
        let problem = parse(formula.as_str()).err().filter(|problem| problem.not_cpp)?;
        // Unmatched brackets are an error.
        let is_error = unmatched(formula.as_str()).is_some();
        (!is_error).then(|| diagnostic(problem, formula).severity(Severity::Warning))
    });
    unread.collect()
}

fn diagnostic(problem: Problem, formula: &Text) -> Diagnostic {
    let mut error = TextError::new(&codes::FORMULA_SYNTAX, problem.range, problem.message);
    error.help = problem.help;
    error.at_text(formula)
}

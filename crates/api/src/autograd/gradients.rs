//! How the formulas of one entry name the gradients of outputs: `grad`, `grads[1]`, `grad_name`. An
//! entry uses one of these ways.
//!
//! Invariant: what is refused here would compile, and fail only when a function is differentiated
//! twice. Rule: torchgen/packaged/autograd/load_derivatives.py, `check_grad_usage`. Unlike there,
//! `f(grads,grads[0])` counts as two uses.

use super::Derivative;
use super::formula;
use torchgen_base::diag::Diagnostic;
use torchgen_base::lang::whole_words;
use torchgen_model::codes;

/// Checks the formulas of one entry for one key. If an input or output is called `grad`, the
/// gradient of a single output can only be `grads[0]`.
pub(super) fn check(operator: &str, grad_is_taken: bool, derivatives: &[Derivative]) -> Result<(), Diagnostic> {
    let first = |test: &dyn Fn(&str) -> bool| derivatives.iter().find(|d| test(&d.formula)).map(|d| d.span);
    let single = first(&|formula| formula::uses(formula, "grad"));
    let several = first(&|formula| formula::uses(formula, "grads"));
    let named = derivatives.iter().find(|d| !d.named_gradients.is_empty()).map(|d| d.span);
    let error = |message: String| Diagnostic::new(&codes::MIXED_GRADIENTS, message);
    if let (Some(single), Some(several)) = (single, several) {
        return Err(error(format!("the formulas of `{operator}` use both `grad` and `grads`"))
            .at_with(several, "`grads` here")
            .also(single, "`grad` here")
            .help("use `grads[0]` in place of `grad`"));
    }
    let uses = derivatives.iter().flat_map(|d| whole_words(&d.formula, "grads")).count();
    let indices: Vec<usize> =
        derivatives.iter().flat_map(|d| formula::gradient_indices(&d.formula)).map(|(index, _)| index).collect();
    if let Some(several) = several
        && uses == indices.len()
        && indices.iter().all(|index| *index == 0)
        && !grad_is_taken
    {
        return Err(error(format!("the formulas of `{operator}` use only the gradient `grads[0]`"))
            .at(several)
            .help("write `grad` if no other output is differentiable: otherwise the other gradients are ignored"));
    }
    if let (Some(named), Some(other)) = (named, single.or(several)) {
        return Err(error(format!("the formulas of `{operator}` use gradients both by name and not"))
            .at_with(named, "by name here")
            .also(other, "not by name here")
            .help("use `grad_NAME` for all of them, or for none"));
    }
    Ok(())
}

//! Forward formulas for inplace operators. Their own or borrowed formulas must not use overwritten
//! values.
//!
//! Invariant: in a finished formula `self_p` is the result, and `original_self_p` is `self` before
//! it was written. Rule: torchgen/api/autograd.py, `match_differentiability_info`.

use super::{Derivative, DifferentiabilityInfo, ForwardDerivative, formula};
use torchgen_base::diag::Diagnostic;
use torchgen_base::lang::is_word;
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;

/// Which operator derivatives were written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The one that uses them.
    Own,
    /// Another variant.
    Borrowed,
}

/// The formula for the only output of an inplace operator.
///
/// # Errors
/// The formula uses the overwritten value, or there are formulas for several outputs.
pub(super) fn forward(
    f: &NativeFunction,
    info: &DifferentiabilityInfo<'_>,
    origin: Origin,
) -> Result<ForwardDerivative, Box<Diagnostic>> {
    let [written] = &info.forward_derivatives[..] else {
        let message = format!("inplace operator `{}` has one output, but several forward formulas", f.func.name);
        let span = info.forward_derivatives.get(1).map_or(info.span, |second| second.span);
        return Err(Box::new(
            Diagnostic::new(&codes::NO_SUCH_INPUT, message).at(span).also(f.spans.func, "the operator"),
        ));
    };
    let mut formula = written.formula.clone();
    if formula::uses(&formula, "self_p") {
        if origin == Origin::Own {
            let message = format!("the formula uses `self_p`, which `{}` has overwritten", f.func.name);
            return Err(Box::new(
                Diagnostic::new(&codes::INPLACE_PRIMAL, message)
                    .at(written.span)
                    .help("use `result`, or `original_self_p` for a copy of the original value"),
            ));
        }
        formula = formula::rename(&formula, "self_p", "original_self_p");
        formula = formula::rename(&formula, "self_t", "original_self_t");
    }
    formula = formula::rename(&formula, "result", "self_p");
    let mut required_inputs_primal = written.required_inputs_primal.clone();
    if formula::uses(&formula, "self_p") {
        required_inputs_primal.push("self".to_owned());
    }
    if origin == Origin::Borrowed {
        formula = written_in_place(&formula, &info.name);
    }
    Ok(ForwardDerivative {
        required_original_self_value: formula::uses(&formula, "original_self_p")
            || formula::uses(&formula, "original_self_t"),
        formula,
        var_names: vec!["self".to_owned()],
        var_types: written.var_types.clone(),
        required_inputs_fw_grad: written.required_inputs_fw_grad.clone(),
        required_inputs_primal,
        is_reusing_outplace_formula: origin == Origin::Borrowed,
        span: written.span,
    })
}

/// The formula of the functional variant, changed to write an existing tangent. If it calls the
/// same operator on the tangent, it calls the inplace variant instead.
fn written_in_place(formula: &str, operator: &str) -> String {
    match method_on_tangent(formula) {
        Some((method, arguments)) if method == operator => {
            format!("self_t_raw.defined() ? self_t_raw.{method}_({arguments}) : {formula}")
        }
        _ => format!("self_t_raw.defined() ? self_t_raw.copy_({formula}) : {formula}"),
    }
}

/// Method and arguments of `self_t.method(arguments)`, where that is the whole formula.
fn method_on_tangent(formula: &str) -> Option<(&str, &str)> {
    // Any character matches the dot, as in the reference's regular expression.
    let mut rest = formula.strip_prefix("self_t")?.chars();
    rest.next().filter(|c| *c != '\n')?;
    let (method, arguments) = rest.as_str().split_once('(')?;
    let arguments = arguments.strip_suffix(')')?;
    let one_line = !arguments.contains('\n');
    (method.chars().all(is_word) && one_line && stays_open(arguments)).then_some((method, arguments))
}

/// Whether the parenthesis before a text is not closed inside it.
fn stays_open(text: &str) -> bool {
    let mut level = 1_usize;
    for c in text.chars() {
        match c {
            '(' => level += 1,
            ')' if level == 1 => return false,
            ')' => level -= 1,
            _ => {}
        }
    }
    true
}

/// Whether a formula for the gradient of `self` saves its strides, which an inplace operator may
/// change.
pub(super) fn uses_strides_of_self<'i>(info: &'i DifferentiabilityInfo<'_>) -> Option<&'i Derivative> {
    let of_self = |derivative: &&Derivative| derivative.var_names.iter().any(|name| name == "self");
    info.derivatives
        .iter()
        .filter(of_self)
        .find(|derivative| derivative.saved_inputs.iter().any(|saved| saved.expr.contains("strides_or_error")))
}

#[cfg(test)]
mod tests {
    use super::written_in_place;

    #[test]
    fn tangents_are_written_in_place() {
        for (formula, expected) in [
            ("self_t.mul(x.f(y))", "self_t_raw.defined() ? self_t_raw.mul_(x.f(y)) : self_t.mul(x.f(y))"),
            (
                "self_t.mul(x) + self_t.mul(y)",
                "self_t_raw.defined() ? self_t_raw.copy_(self_t.mul(x) + self_t.mul(y)) : self_t.mul(x) + self_t.mul(y)",
            ),
            ("self_t.div(x)", "self_t_raw.defined() ? self_t_raw.copy_(self_t.div(x)) : self_t.div(x)"),
            ("mul(self_t)", "self_t_raw.defined() ? self_t_raw.copy_(mul(self_t)) : mul(self_t)"),
        ] {
            assert_eq!(written_in_place(formula, "mul"), expected);
        }
    }
}

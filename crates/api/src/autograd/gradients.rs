//! How the formulas of one entry name the gradients of outputs: `grad`, `grads[1]`, `grad_name`. An
//! entry uses one of these ways.
//!
//! Invariant: what is refused here would compile, and fail only when a function is differentiated,
//! once or twice. Rule: torchgen/packaged/autograd/load_derivatives.py, `check_grad_usage`. Unlike
//! there, `f(grads,grads[0])` counts as two uses.

use super::Derivative;
use super::differentiable::differentiable;
use super::formula;
use torchgen_base::diag::{Diagnostic, plural};
use torchgen_base::lang::whole_words;
use torchgen_base::yaml::Text;
use torchgen_formula::{Node, parse};
use torchgen_model::codes;
use torchgen_model::model::{FunctionSchema, Return, Type, cpp_names};

/// The error for a gradient that a formula takes from `grads` and that may not be there: behind the
/// last one, or behind those of a list, which may be empty.
pub(super) fn beyond(formula: &Text, schema: &FunctionSchema, listed: Option<&[bool]>) -> Option<Diagnostic> {
    let outputs: Vec<&Return> = differentiable(schema, listed).collect();
    let list = outputs.iter().position(|ret| matches!(ret.ty, Type::List(..)));
    // Nothing is differentiated without an output, so that the first gradient is always there.
    let certain = list.map_or(outputs.len(), |before| before.max(1));
    let error =
        |message: String, range| Some(Diagnostic::new(&codes::NO_SUCH_GRADIENT, message).at(formula.sub_span(range)));
    let indices = formula::gradient_indices(formula.as_str());
    if let Some((_, range)) = indices.iter().find(|(index, _)| *index >= certain) {
        let name = &schema.name;
        let what = if outputs.len() == schema.returns.len() { "output" } else { "differentiable output" };
        let message = match outputs.len() {
            _ if list.is_some() => {
                format!("`{name}` returns a list, so that there may be no more than {}", plural(certain, "gradient"))
            }
            1 => format!("`{name}` has 1 {what}, whose gradient is `grads[0]`"),
            count => format!("`{name}` has {}, numbered from 0", plural(count, what)),
        };
        return error(message, range.clone());
    }
    if list.is_some() {
        let used = |ret: &&Return| formula::find(formula.as_str(), &cpp_names::gradient(ret.cpp_name()?));
        let (ret, range) = outputs[certain..].iter().find_map(|ret| Some((ret, used(ret)?)))?;
        let name = ret.name.as_deref()?;
        return error(format!("the gradient of `{name}` has no place of its own behind those of a list"), range);
    }
    let mut unknown = None;
    if formula::uses(formula.as_str(), "grads")
        && let Ok(expr) = parse(formula.as_str())
    {
        expr.walk(&mut |part| {
            if let Node::Index(object, index) = &part.node
                && object.single() == Some("grads")
                && !indices.iter().any(|(_, range)| *range == part.range)
            {
                unknown.get_or_insert(index.range.clone());
            }
        });
    }
    let error = error("the index of `grads` is not a number".to_owned(), unknown?)?;
    Some(error.help(format!("write one of 0 to {}", certain.saturating_sub(1))))
}

/// Checks the formulas of one entry for one key. If an input or output is called `grad`, the
/// gradient of a single output can only be `grads[0]`.
pub(super) fn check_entry_gradients(
    operator: &str,
    grad_is_taken: bool,
    derivatives: &[Derivative],
) -> Result<(), Diagnostic> {
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

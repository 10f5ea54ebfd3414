//! Inputs and outputs with names that mean something else in formulas.
//!
//! Invariant: a formula that passes has one meaning in C++ and in Python. This runs before names
//! are those of C++. The schema itself is legal: a name counts only where a formula uses it.

use std::ops::Range;

use super::formula;
use torchgen_base::diag::Diagnostic;
use torchgen_base::lang::cpp::tokens;
use torchgen_base::yaml::Text;
use torchgen_model::codes;
use torchgen_model::model::{Language, NativeFunction, Target};
use torchgen_model::records::{DerivativeRecord, OutputDifferentiability};

/// The formulas of an entry.
fn formulas(entry: &DerivativeRecord) -> impl Iterator<Item = &Text> {
    entry.formulas.iter().flat_map(|keyed| &keyed.formulas).map(|record| &record.formula)
}

/// An input with such a name. Names of gradients are ambiguous only where a formula uses them.
pub(super) fn input(f: &NativeFunction, entry: &DerivativeRecord) -> Option<Diagnostic> {
    let words = [
        ("grad_input_mask", "says which gradients are needed", false),
        ("result", "is the output", false),
        // The reference lets formulas for these mean the input.
        ("grad", "is the gradient of the output", true),
        ("grads", "is the list of the outputs' gradients", true),
    ];
    let is_input = |name: &str, library: bool| {
        f.func.schema_order_arguments().any(|a| a.schema_name() == name && (a.by_c10 || !library))
            && (!library || formulas(entry).any(|text| formula::uses(text, name)))
    };
    let (name, use_, _) = words.into_iter().find(|(name, _, library)| is_input(name, *library))?;
    let message = format!("`{}` has an input `{name}`, but in formulas `{name}` {use_}", f.func.name);
    let other = match name {
        "grad" => Some("or write `grads[0]` for the gradient of the output"),
        "grads" => Some("or write `grad` for the gradient of the output, if there is one output"),
        _ => None,
    };
    Some(
        Diagnostic::new(&codes::RESERVED_INPUT_NAME, message)
            .at(f.spans.func)
            .also(entry.name.span(), "its derivative")
            .help("give the input another name")
            .maybe_help(other),
    )
}

/// An output that has the name of a gradient, or an input that has the name of an output's
/// gradient, where a formula uses it. PyTorch's own formulas mean the output.
pub(super) fn output(f: &NativeFunction, entry: &DerivativeRecord, target: Target) -> Option<Diagnostic> {
    if target.language != Language::C10 {
        return None;
    }
    let names = || f.func.returns.iter().filter_map(|ret| ret.name.as_deref());
    let differentiable = |i: usize| match entry.output_differentiability.as_ref().and_then(|list| list.value.get(i)) {
        Some(OutputDifferentiability::Fixed(value)) => *value,
        Some(OutputDifferentiability::Condition(_)) | None => true,
    };
    let with_gradient =
        f.func.returns.iter().enumerate().filter(|(i, ret)| differentiable(*i) && ret.ty.is_tensor_like());
    let of: Vec<&str> = with_gradient.filter_map(|(_, ret)| ret.name.as_deref()).collect();
    let is_gradient_of = |name: &str| name.strip_prefix("grad_").and_then(|of_| of.iter().find(|one| **one == of_));
    let inputs = || f.func.schema_order_arguments().map(|a| a.schema_name());
    let clashing = |name: &&str| ["grad", "grads", "grad_input_mask"].contains(name) || is_gradient_of(name).is_some();
    let results = names().filter(clashing).map(|name| (name, "result"));
    let arguments = inputs().filter(|name| is_gradient_of(name).is_some()).map(|name| (name, "argument"));
    for (name, what) in results.chain(arguments) {
        let Some((text, range)) = formulas(entry).find_map(|text| Some((text, word(text.as_str(), name)?))) else {
            continue;
        };
        let (use_, help) = match (name, is_gradient_of(name)) {
            ("grad", _) => ("is the gradient".to_owned(), "write `grads[0]`, or rename the result".to_owned()),
            ("grads", _) => (
                "is the list of the gradients".to_owned(),
                "rename the result, or write `grad` if there is one gradient".to_owned(),
            ),
            (_, Some(one)) => (format!("is the gradient of `{one}`"), format!("rename the {what}")),
            _ => ("says which gradients are needed".to_owned(), format!("rename the {what}")),
        };
        let message = format!("`{}` has {} `{name}`, but in formulas `{name}` {use_}", f.func.name, with_article(what));
        let error = Diagnostic::new(&codes::GRADIENT_NAME, message).at(text.sub_span(range));
        return Some(error.also(f.spans.func, "the operator").help(help));
    }
    None
}

fn with_article(what: &str) -> String {
    let article = if what.starts_with('a') { "an" } else { "a" };
    format!("{article} {what}")
}

/// Where a formula has that word, not as a member or behind a namespace.
fn word(formula: &str, name: &str) -> Option<Range<usize>> {
    let tokens = tokens(formula);
    let text = |i: usize| tokens.get(i).map_or("", |token| &formula[token.range.clone()]);
    let qualified = |i: usize| i.checked_sub(1).is_some_and(|before| [".", "->", "::"].contains(&text(before)));
    let at = (0..tokens.len()).find(|i| text(*i) == name && !qualified(*i))?;
    Some(tokens[at].range.clone())
}

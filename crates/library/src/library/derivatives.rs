//! Lints on what an entry of derivatives.yaml leaves unsaid: the gradient of an input, and whether
//! its formulas hold for complex tensors.
//!
//! Invariant: what silences a lint is what its fix writes. Variants that share an entry get one
//! lint, since only the operator that carries the derivative is looked at.

use std::collections::{HashMap, HashSet};

use super::Inputs;
use torchgen_api::autograd::{DifferentiabilityInfo, formula_uses, is_differentiable};
use torchgen_base::diag::{Diagnostic, Help, Span};
use torchgen_base::yaml::Text;
use torchgen_generators::variable_type::no_kernel;
use torchgen_model::codes;
use torchgen_model::model::Argument;
use torchgen_model::records::{DerivativeRecord, KeyedFormulas};

/// The lints on the entries of one namespace, in the order of the file.
pub(super) fn lints(inputs: &Inputs<'_, '_>) -> Vec<Diagnostic> {
    let namespace = &inputs.context.namespaces.api;
    let own = |info: &&DifferentiabilityInfo<'_>| info.func.namespace == *namespace && !info.func.is_generated();
    let infos: Vec<&DifferentiabilityInfo<'_>> = inputs.autograd.derivatives.with_derivatives().filter(own).collect();
    let records: HashMap<Span, &DerivativeRecord> =
        inputs.derivatives.iter().map(|record| (record.name.span(), record)).collect();
    let mut found = Vec::new();
    let mut entries: HashSet<Span> = HashSet::new();
    for info in infos {
        let Some(record) = records.get(&info.span) else { continue };
        found.extend(without_formula(info, record));
        // Formulas of several keys are one entry.
        found.extend(complex_unsaid(info, record).filter(|_| entries.insert(info.span)));
    }
    found
}

/// The errors that operators with a derivative have no kernel below autograd.
pub(crate) fn without_kernels(inputs: &Inputs<'_, '_>) -> Vec<Diagnostic> {
    let namespace = &inputs.context.namespaces.api;
    let infos = inputs.autograd.derivatives.with_derivatives();
    let composite = infos.filter(|info| info.func.namespace == *namespace && !info.func.is_abstract);
    composite.map(|info| no_kernel(info.func, info.span)).collect()
}

/// Adds a line below the last formula of gradients, which a derivative has.
fn below_formulas(help: Help, info: &DifferentiabilityInfo<'_>, keyed: &KeyedFormulas, line: String) -> Help {
    let is_own = |span: Span| info.derivatives.iter().any(|derivative| derivative.span == span);
    match keyed.formulas.iter().rfind(|record| is_own(record.formula.span())) {
        Some(last) => help.key(last.raw_names.span(), last.formula.span(), line),
        None => help,
    }
}

/// The inputs with neither a formula nor a word about it: they must not require a gradient.
fn without_formula(info: &DifferentiabilityInfo<'_>, record: &DerivativeRecord) -> Option<Diagnostic> {
    let f = info.func;
    let is_open = |a: &&Argument| {
        let is_returned = f.func.name.name.inplace && a.schema_name() == "self";
        is_differentiable(&a.name, &a.ty, Some(info)) && !info.has_formula(a) && (!a.is_write() || is_returned)
    };
    let open: Vec<&Argument> = f.func.arguments.flat_non_out().filter(is_open).collect();
    let first = open.first()?;
    let span = info.derivatives.first().map(|derivative| derivative.span);
    let is_of_key = |keyed: &&KeyedFormulas| keyed.formulas.iter().any(|one| Some(one.formula.span()) == span);
    let keyed = record.formulas.iter().find(is_of_key)?;
    let names: Vec<&str> = open.iter().map(|a| a.schema_name()).collect();
    let message = format!("the derivative of `{}` has no formula for `{}`", f.func.name, names.join("`, `"));
    let word = format!("{}: non_differentiable", names.join(", "));
    let (it, has) = if names.len() == 1 { ("it", "it has") } else { ("one of them", "they have") };
    let help = format!("write `{word}` if {has} no gradient, as indices and masks");
    let lint = Diagnostic::new(&codes::NO_FORMULA, message)
        .at(f.spans.schema.argument(&first.name))
        .also(keyed.key.as_ref().map_or(info.span, Text::span), "the derivative")
        .note(format!("a call in which {it} requires a gradient raises an error"))
        .help(format!("write `{}:` with a formula", names[0]));
    Some(lint.help(below_formulas(Help::new(help), info, keyed, word)))
}

/// Words of formulas that are written for complex tensors.
const FOR_COMPLEX: [&str; 3] = ["conj", "conj_physical", "handle_r_to_c"];

/// An entry that is written for complex tensors, and does not say that it holds for them.
fn complex_unsaid(info: &DifferentiabilityInfo<'_>, record: &DerivativeRecord) -> Option<Diagnostic> {
    let uses = |word: &&str| info.derivatives.iter().any(|one| formula_uses(&one.original_formula, word));
    let word = FOR_COMPLEX.into_iter().find(uses).filter(|_| info.complex_gradients.is_none())?;
    let name = &info.func.func.name;
    let message = format!("the derivative of `{name}` uses `{word}`, but complex tensors have no gradient");
    let line = "complex_gradients: True";
    let help = Help::new(format!("write `{line}` if all its formulas hold for complex tensors"));
    let lint = Diagnostic::new(&codes::COMPLEX_UNSAID, message)
        .at(info.func.spans.name)
        .also(info.span, "its derivative")
        .help(help.key(record.span, record.name.span(), line));
    Some(lint.help("or `complex_gradients: False`"))
}

//! The `autograd.Function` of an operator: what it saves, and its gradients and tangents.
//!
//! Invariant: what is saved is exactly what the formulas use.

use serde::Serialize;

use super::formulas::{Scope, Source, Translated, gradient, is_tensor_list, tangent};
use super::outputs::Output;
use super::places::{Attribute, List, ORIGINAL, Places, PropertyOf, Saved, count, property_of, use_backward};
use super::tangents::{Jvp, covers, jvp};
use super::variables;
use crate::formula::python::names::{Used, property_variable};
use crate::library::python::signature::variable;
use torchgen_api::autograd::{DifferentiabilityInfo, ForwardDerivative, tests_gradient};
use torchgen_base::diag::{Diagnostic, gather};
use torchgen_generators::autograd_functions::optional_list;
use torchgen_model::codes;
use torchgen_model::model::{Argument, NativeFunction, Type};

#[derive(Serialize)]
pub(super) struct Class {
    pub(super) name: String,
    /// The parameters of `forward` after the dispatch keys, without the elements of lists.
    pub(super) parameters: Vec<String>,
    lists: Vec<List>,
    /// The variables of the outputs.
    results: Vec<String>,
    /// The only output is a list.
    pub(super) is_list: bool,
    /// The outputs that are mutated arguments.
    dirty: Vec<Dirty>,
    /// Some of these arguments may be `None`.
    some_missing: bool,
    /// The value of `self` before that is needed.
    pub(super) original: bool,
    not_differentiable: Vec<String>,
    /// Some of these may be `None`.
    some_optional: bool,
    attributes: Vec<Attribute>,
    /// The tensors that gradients need.
    saved: Vec<Saved>,
    /// The outputs with gradients, if not all have.
    selected: Option<Vec<usize>>,
    /// There is one gradient, `grad`.
    single: bool,
    /// There is one output, a tensor.
    alone: bool,
    /// The gradients are made a list.
    lists_gradients: bool,
    /// Whether no gradient is defined.
    undefined: String,
    /// What `backward` returns, if its length is known.
    returned: Option<Vec<String>>,
    /// Those that a formula computes together with others, needed or not.
    joint: Vec<String>,
    /// Undefined gradients that formulas get as zeros.
    zeros: Vec<Zero>,
    gradients: Vec<Gradient>,
    jvp: Option<Jvp>,
}

/// An output that is a mutated argument, unless that is `None`.
#[derive(Serialize)]
struct Dirty {
    output: String,
    argument: String,
    optional: bool,
}

#[derive(Serialize)]
struct Zero {
    index: usize,
    variable: String,
}

/// A formula for gradients.
#[derive(Serialize)]
struct Gradient {
    /// Expressions that are true if the gradient of an input is needed.
    needs: Vec<String>,
    uses_mask: bool,
    /// The places of the gradients among all.
    targets: Vec<String>,
    text: String,
}

/// The error for a list beside other outputs: `torch.autograd.Function` takes it for a plain value,
/// and its elements would have no gradient, without a message.
fn list_beside_others(f: &NativeFunction, info: &DifferentiabilityInfo<'_>, list: &Output) -> Diagnostic {
    let message = format!(
        "autograd in Python cannot follow the list `{}` that `{}` returns beside other results",
        list.name, f.func.name
    );
    Diagnostic::new(&codes::STABLE_FORMULA, message)
        .at(info.span)
        .also(f.spans.name, "the operator")
        .help("make the list the only result, or write `output_differentiability:` with `False` for it")
}

/// The class.
///
/// # Errors
/// All formulas without a translation, a list among several outputs, or an optional list with a
/// formula.
pub(super) fn class(
    f: &NativeFunction,
    name: String,
    info: &DifferentiabilityInfo<'_>,
    tangents: &[ForwardDerivative],
    outputs: &[Output],
    source: &Source<'_>,
) -> Result<Class, Vec<Diagnostic>> {
    if let Some(list) = outputs.iter().find(|output| outputs.len() > 1 && output.is_list && output.differentiable) {
        return Err(vec![list_beside_others(f, info, list)]);
    }
    if let Some(error) = optional_list(info, "autograd in Python", &codes::STABLE_FORMULA) {
        return Err(vec![error]);
    }
    let inplace = f.func.name.name.inplace;
    let scope = Scope { f, outputs, original: inplace.then_some(ORIGINAL), zeros: &info.gradients_as_zeros() };
    let derivatives = gather(info.derivatives.iter().map(|one| gradient(one, &scope, source)));
    let forward = gather(tangents.iter().map(|one| tangent(one, &scope, source, inplace)));
    let (derivatives, forward) = match (derivatives, forward) {
        (Ok(derivatives), Ok(forward)) => (derivatives, forward),
        (one, other) => return Err(one.err().into_iter().chain(other.err()).flatten().collect()),
    };
    let original = inplace
        && (derivatives.iter().any(|one| one.used.values.contains("self"))
            || forward.iter().flat_map(|one| &one.used.values).any(|name| name.starts_with("original_self")));
    let places = Places::new(f, original);
    let differentiable: Vec<usize> =
        outputs.iter().enumerate().filter(|(_, output)| output.differentiable).map(|(i, _)| i).collect();
    let mut attributes = Vec::new();
    let mut saved = kept(f, &derivatives, outputs, original, &mut attributes);
    for one in &mut saved {
        if one.count.is_none() {
            one.needed = needed(f, &one.variable, &derivatives, outputs, original, &places);
        }
        let is_input = property_of(&one.variable, outputs) == PropertyOf::Input;
        one.watched = f.func.is_mutable() && is_input && one.variable != ORIGINAL;
    }
    let zeros = zeros(info, &derivatives, outputs, &differentiable, &mut attributes);
    let jvp = (!forward.is_empty() && covers(&forward, outputs, inplace))
        .then(|| jvp(f, &forward, outputs, &places, original, &mut attributes));
    let is_list = matches!(outputs, [one] if one.is_list);
    let without_gradient =
        || outputs.iter().filter(|output| output.is_tensor && !output.is_list && !output.differentiable);
    let all = differentiable.len() == outputs.len();
    let single = differentiable.len() == 1 && !is_list;
    let selected = (!all && !is_list).then(|| differentiable.clone());
    let gradients: Vec<Gradient> = derivatives.iter().map(|one| gradient_view(f, one, &places)).collect();
    let targets: Vec<String> = gradients.iter().flat_map(|one| one.targets.iter().cloned()).collect();
    let joint = gradients.iter().filter(|one| one.targets.len() > 1).flat_map(|one| one.targets.iter().cloned());
    let joint = joint.collect();
    let dirty = dirty(f, outputs);
    let undefined = match (single, is_list) {
        (true, _) => "_grad is None".to_owned(),
        (_, true) => "not _any_defined(_grads)".to_owned(),
        (false, false) => {
            let each: Vec<String> = (0..differentiable.len()).map(|i| format!("_grads[{i}] is None")).collect();
            each.join(" and ")
        }
    };
    Ok(Class {
        name,
        parameters: places.fixed.keys().cloned().chain(counts(f)).collect(),
        returned: places.returned(&targets),
        joint,
        gradients,
        lists: places.lists,
        results: outputs.iter().map(|output| output.variable.clone()).collect(),
        is_list,
        some_missing: dirty.iter().any(|one| one.optional),
        dirty,
        original,
        not_differentiable: without_gradient().map(|output| output.variable.clone()).collect(),
        some_optional: without_gradient().any(|output| output.is_optional),
        attributes,
        saved,
        alone: single && outputs.len() == 1,
        lists_gradients: is_list
            || !zeros.is_empty()
            || (selected.is_some() && !single)
            || derivatives.iter().any(|one| one.used.all_gradients),
        selected,
        single,
        undefined,
        zeros,
        jvp,
    })
}

/// The outputs that are mutated arguments. Without a mark, `torch.autograd.Function` returns a view
/// of the argument, which gets no gradient.
fn dirty(f: &NativeFunction, outputs: &[Output]) -> Vec<Dirty> {
    let returned = outputs.iter().zip(&f.func.returns);
    let mutated = returned.filter(|(output, _)| output.is_tensor && !output.is_list).filter_map(|(output, ret)| {
        let argument = f.func.mutated_argument(ret)?;
        let optional = argument.ty.is_nullable();
        Some(Dirty { output: output.variable.clone(), argument: variable(argument), optional })
    });
    mutated.collect()
}

fn counts(f: &NativeFunction) -> Vec<String> {
    f.func.schema_order_arguments().filter(|a| is_tensor_list(&a.ty)).map(count).collect()
}

/// The argument or the output of a name.
enum Origin<'s> {
    Input(&'s Argument),
    Output(&'s Output),
}

fn origin<'s>(f: &'s NativeFunction, outputs: &'s [Output], name: &str) -> Option<Origin<'s>> {
    // In formulas, the name of an output hides that of an input.
    let output = outputs.iter().find(|output| output.name == name).map(Origin::Output);
    let input = || f.func.schema_order_arguments().find(|a| a.schema_name() == name);
    output.or_else(|| input().map(Origin::Input))
}

/// The tensors that formulas for gradients need, and what else they need.
fn kept(
    f: &NativeFunction,
    derivatives: &[Translated],
    outputs: &[Output],
    original: bool,
    attributes: &mut Vec<Attribute>,
) -> Vec<Saved> {
    let mut saved: Vec<Saved> = Vec::new();
    for used in derivatives.iter().map(|one| &one.used) {
        for name in &used.values {
            let found = match origin(f, outputs, name) {
                Some(Origin::Input(a)) if is_tensor_list(&a.ty) => {
                    Saved::new(variable(a), format!("*{}", variable(a)), Some(count(a)))
                }
                Some(Origin::Input(a)) if a.ty.is_tensor_like() => {
                    let variable =
                        if original && a.schema_name() == "self" { ORIGINAL.to_owned() } else { variable(a) };
                    Saved::new(variable.clone(), variable, None)
                }
                Some(Origin::Input(a)) => {
                    use_backward(attributes, variable(a), variable(a), PropertyOf::Input);
                    continue;
                }
                Some(Origin::Output(output)) if output.is_list => {
                    let count = variables::result_count(&output.name);
                    Saved::new(output.variable.clone(), format!("*{}", output.variable), Some(count))
                }
                Some(Origin::Output(output)) if output.is_tensor => {
                    Saved::new(output.variable.clone(), output.variable.clone(), None)
                }
                Some(Origin::Output(output)) => {
                    use_backward(attributes, output.variable.clone(), output.variable.clone(), PropertyOf::Output);
                    continue;
                }
                None => continue,
            };
            if let Some(count) = &found.count {
                let value = format!("_builtins.len({})", found.variable);
                let of = property_of(&found.variable, outputs);
                use_backward(attributes, count.clone(), value, of);
            }
            if saved.iter().all(|other| other.variable != found.variable) {
                saved.push(found);
            }
        }
        properties(f, used, outputs, attributes);
    }
    saved
}

/// Properties that are kept without their tensors.
fn properties(f: &NativeFunction, used: &Used, outputs: &[Output], attributes: &mut Vec<Attribute>) {
    for (name, property) in &used.properties {
        let (tensor, optional, of) = match origin(f, outputs, name) {
            Some(Origin::Input(a)) => (variable(a), matches!(a.ty, Type::Optional(_)), PropertyOf::Input),
            Some(Origin::Output(output)) => (output.variable.clone(), output.is_optional, PropertyOf::Output),
            None => continue,
        };
        let value = property.expression_of(&tensor);
        let undefined = property.of_undefined().unwrap_or("None");
        let value = if optional { format!("{undefined} if {tensor} is None else {value}") } else { value };
        use_backward(attributes, property_variable(name, *property), value, of);
    }
}

/// The gradients that formulas use and do not test.
fn zeros(
    info: &DifferentiabilityInfo<'_>,
    derivatives: &[Translated],
    outputs: &[Output],
    differentiable: &[usize],
    attributes: &mut Vec<Attribute>,
) -> Vec<Zero> {
    // The only gradient is defined if anything is computed.
    if differentiable.len() < 2 || derivatives.iter().any(|one| one.used.all_gradients) {
        return Vec::new();
    }
    let mut zeros = Vec::new();
    for (index, output) in differentiable.iter().filter_map(|i| outputs.get(*i)).enumerate() {
        let is_used = derivatives.iter().any(|one| one.used.gradients.contains(&index));
        let tests = [&output.name, &output.cpp_name].map(|name| tests_gradient(&info.derivatives, index, name));
        if !is_used || tests.contains(&true) {
            continue;
        }
        let variable = variables::like(&output.name);
        use_backward(attributes, variable.clone(), format!("_like({})", output.variable), PropertyOf::Output);
        zeros.push(Zero { index, variable });
    }
    zeros
}

/// Whether a gradient is needed whose formula uses a saved tensor; `None` if one always is.
fn needed(
    f: &NativeFunction,
    saved: &str,
    derivatives: &[Translated],
    outputs: &[Output],
    original: bool,
    places: &Places,
) -> Option<String> {
    let is_it = |name: &String| match origin(f, outputs, name) {
        Some(Origin::Input(a)) if original && a.schema_name() == "self" => saved == ORIGINAL,
        Some(Origin::Input(a)) => saved == variable(a),
        Some(Origin::Output(output)) => saved == output.variable,
        None => false,
    };
    let (using, others): (Vec<&Translated>, Vec<&Translated>) =
        derivatives.iter().partition(|one| one.used.values.iter().any(is_it));
    let needs: Vec<String> = using.iter().flat_map(|one| needs(f, one, places)).collect();
    (!others.is_empty()).then(|| needs.join(" or "))
}

/// Expressions that are true if the gradient of an input is needed.
fn needs(f: &NativeFunction, one: &Translated, places: &Places) -> Vec<String> {
    let of = |name: &String| {
        let index = places.index(f, name);
        let is_list = index.starts_with("_ctx.");
        if is_list { format!("_builtins.any(_needs[{index}])") } else { format!("_needs[{index}]") }
    };
    one.names.iter().map(of).collect()
}

fn gradient_view(f: &NativeFunction, one: &Translated, places: &Places) -> Gradient {
    Gradient {
        needs: needs(f, one, places),
        uses_mask: one.used.values.contains("grad_input_mask"),
        targets: one.names.iter().map(|name| places.target(f, name)).collect(),
        text: one.text.clone(),
    }
}

//! The part of a kernel that makes a node and adds it to the history.
//!
//! Invariant: only for operators that gradients can flow through. Rule:
//! tools/autograd/gen_variable_type.py, `emit_body`.

use serde::Serialize;

use super::forward::{self, Flagged};
use super::operator::{DispatchedOperator, Input};
use super::saved::{self, Save};
use crate::ItemError;
use crate::shown::ShownArgument;
use torchgen_api::{BaseCppType, CType};
use torchgen_model::model::Argument;

/// The values for the templates.
#[derive(Debug, Serialize)]
pub(crate) struct Gradient<'s> {
    /// The arguments, any of which may require a gradient.
    any_of: Vec<&'s str>,
    /// A further condition for the outputs to require one.
    condition: Option<&'s str>,
    /// The possible tangents.
    tangents: Vec<Flagged<'s>>,
    /// Outputs that an inplace operator writes.
    written: Vec<&'s str>,
    /// Mutable arguments that are not outputs.
    unreturned: Vec<&'s str>,
    /// The flags of tangents that need the original `self`.
    original_needed: Vec<String>,
    /// The class of the node.
    node: String,
    /// The node only reports that there is no derivative.
    not_implemented: bool,
    /// All differentiable inputs.
    inputs: Vec<&'s str>,
    /// Inputs that must not require a gradient, since there is no formula for them.
    no_gradient: Vec<ShownArgument<'s>>,
    /// The targets of the node's edges.
    edges: Vec<String>,
    /// Lists whose size is saved.
    lists: Vec<&'s str>,
    saved_inputs: Vec<Save>,
    saved_outputs: Vec<Save>,
    /// The differentiable outputs.
    outputs: Vec<&'s str>,
    /// Outputs that must not be complex.
    complex_refused: Vec<&'s str>,
    /// The library's operator that refuses complex tensors, for messages.
    real: Option<String>,
    /// The namespace of a library's types, which no argument's name can hide.
    types: Option<String>,
    /// The outputs have a history already.
    rebases: bool,
}

/// The view. `nodes` is the namespace of the nodes, where it must be written.
///
/// # Errors
/// Something cannot be saved, or a forward formula does not match.
pub(crate) fn view<'s>(op: &'s DispatchedOperator<'s, '_>, nodes: Option<&str>) -> Result<Gradient<'s>, ItemError> {
    let names = |inputs: &[Input<'s>]| inputs.iter().map(|input| input.name).collect::<Vec<_>>();
    let with_derivatives = &op.with_derivatives;
    let outputs: Vec<&str> = op.outputs.iter().map(|output| output.name.as_str()).collect();
    let conditions = op.info.and_then(|info| info.output_differentiability_conditions.as_ref());
    let lists = with_derivatives.iter().filter(|input| input.own_is_list()).map(|input| input.name);
    let class = op.backward().and_then(|info| info.op.as_deref());
    Ok(Gradient {
        any_of: with_derivatives.iter().map(|input| input.own.name.as_str()).collect(),
        condition: conditions.and_then(|conditions| conditions.first()).map(String::as_str),
        tangents: forward::flagged(op)?,
        written: if op.inplace { outputs.clone() } else { Vec::new() },
        unreturned: if op.writes_without_derivative() { argument_names(&op.written) } else { Vec::new() },
        original_needed: if op.inplace { forward::original_needed(op) } else { Vec::new() },
        node: match (class, nodes) {
            _ if op.out => "Node".to_owned(),
            (None, _) => "NotImplemented".to_owned(),
            (Some(class), None) => class.to_owned(),
            (Some(class), Some(nodes)) => format!("{nodes}::{class}"),
        },
        not_implemented: op.backward().is_none(),
        inputs: names(&op.inputs),
        no_gradient: without_formula(op),
        edges: with_derivatives.iter().filter(|input| has_edges(op, input)).map(|input| edge(op, input)).collect(),
        lists: if op.backward().is_some() { lists.collect() } else { Vec::new() },
        saved_inputs: if op.out { Vec::new() } else { saved::inputs(op)? },
        saved_outputs: saved::outputs(op)?,
        complex_refused: complex_refused(op),
        real: (op.traits.refuses_complex && op.target.authors_read).then(|| op.f.full_name()),
        types: nodes.filter(|_| op.target.authors_read).map(|nodes| format!("::{nodes}")),
        outputs,
        rebases: op.rebases(),
    })
}

/// The names of arguments.
pub(crate) fn argument_names<'s>(arguments: &[&'s Argument]) -> Vec<&'s str> {
    arguments.iter().map(|a| a.name.as_str()).collect()
}

/// Whether libtorch can follow an input. It has no edges for a list that may be `None`, which only
/// operators without a derivative have here.
fn has_edges(op: &DispatchedOperator, input: &Input) -> bool {
    !(op.target.refuses_what_cannot_compile && input.own.ty.is_optional_list())
}

/// The target of an edge; for an inplace foreach operator, that of one tensor.
fn edge(op: &DispatchedOperator, input: &Input) -> String {
    match op.info {
        _ if !op.foreach_inplace() => input.name.to_owned(),
        None if input.name != "self" => input.name.to_owned(),
        _ => saved::element(input.own),
    }
}

/// Inputs without a formula. Formulas of double derivatives may omit `output`, although it is an
/// input there.
fn without_formula<'s>(op: &DispatchedOperator<'s, '_>) -> Vec<ShownArgument<'s>> {
    let has_formula = |name: &str| op.with_derivatives.iter().any(|input| input.name == name);
    op.inputs
        .iter()
        .map(|input| input.name)
        .filter(|name| !(has_formula(name) || *name == "output" && op.target.known_by_name))
        .map(ShownArgument::from)
        .collect()
}

/// Outputs that must not be complex, since the gradient may be wrong for them.
fn complex_refused<'s>(op: &'s DispatchedOperator<'s, '_>) -> Vec<&'s str> {
    // As in the reference, a returned list is not checked.
    let is_checked = |ty: &CType| ty.is(BaseCppType::Tensor);
    let refused = op.outputs.iter().filter(|output| op.traits.refuses_complex && is_checked(&output.cpp_type));
    refused.map(|output| output.name.as_str()).collect()
}

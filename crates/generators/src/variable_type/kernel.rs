//! One kernel of VariableType: unpack, make a node, call the kernel below autograd, save, set
//! tangents.
//!
//! Invariant: the view is complete; the template only decides the text. Rule:
//! tools/autograd/gen_variable_type.py, `emit_body`.

use std::borrow::Cow;

use serde::Serialize;

use super::forward::{self, Forward};
use super::gradient::{self, Gradient};
use super::operator::{DispatchedOperator, is_tensor_type, is_unpacked, unpacked_name};
use super::{Style, checks, name_for_key};
use crate::autograd_common::modifies_arguments;
use crate::shown::ShownArgument;
use crate::{AutogradContext, ItemError};
use torchgen_api::autograd::{has_lambda, is_differentiable};
use torchgen_api::cpp::Spelling;
use torchgen_api::{CType, Locals, SymInts, cpp, wrapper};
use torchgen_model::model::NativeFunction;
use torchgen_model::model::rules::Rules;

/// The values for `definition.j2`.
#[derive(Debug, Serialize)]
pub(crate) struct AutogradKernel<'s> {
    /// The operator's schema, if authors read the text.
    schema: Option<String>,
    returns_type: CType,
    /// The kernel's own name.
    name: String,
    /// The parameters after the dispatch key set.
    parameters: Vec<String>,
    /// The operator's C++ name, for messages.
    cpp_name: &'s str,
    base_name: &'s str,
    foreach: bool,
    inplace: bool,
    out: bool,
    unpacked: Vec<Unpacked<'s>>,
    /// Arguments that must not require a gradient, because they are overwritten.
    overwritten: Vec<ShownArgument<'s>>,
    gradient: Option<Gradient<'s>>,
    checks: Option<checks::Checks<'s>>,
    /// The function that calls the operator below autograd.
    redispatch: String,
    arguments: Vec<Cow<'s, str>>,
    /// The call also goes below ADInplaceOrView.
    below_inplace_or_view: bool,
    /// The call returns something new.
    fresh_results: bool,
    /// The arguments whose versions are counted here.
    counted: Vec<&'s str>,
    decomposition: Option<Decomposition<'s>>,
    returns_tensors: bool,
    /// The declaration of the results.
    declared: String,
    /// The names of several results, if a formula has a lambda: those of C++17 cannot capture what
    /// `declared` declares. PyTorch's own text has it nevertheless.
    apart: Vec<Cow<'s, str>>,
    returned: Option<String>,
    /// Without forward mode: the condition that an argument has a tangent.
    no_forward: Option<Vec<String>>,
    /// PyTorch is where to request it.
    of_pytorch: bool,
    forward: Option<Forward<'s>>,
    resets_accumulator: bool,
    /// What the version of torch decides.
    rules: Rules,
}

/// A tensor or a list that must be defined.
#[derive(Debug, Serialize)]
pub(super) struct Unpacked<'s> {
    #[serde(flatten)]
    argument: ShownArgument<'s>,
    position: usize,
    /// A tensor, which can be bound to a reference.
    reference: bool,
}

/// Forward mode through one of libtorch's decompositions.
#[derive(Debug, Serialize)]
struct Decomposition<'s> {
    /// The condition that an argument has a tangent.
    any_of: Vec<String>,
    /// The namespace in which the operator is looked up.
    namespace: &'s str,
    overload: &'s str,
    returns_type: String,
    arguments: Vec<&'s str>,
}

/// The view.
///
/// # Errors
/// Derivatives do not match the operator, or something has no C++ form.
pub(crate) fn view<'s>(
    ctx: &AutogradContext<'_, 's>,
    style: Style,
    op: &'s DispatchedOperator<'s, '_>,
) -> Result<AutogradKernel<'s>, ItemError> {
    let f = op.f;
    let returns = &f.func.returns;
    let fresh_results = !modifies_arguments(f) && !returns.is_empty();
    let without_forward = op.requires_derivative && op.forward.is_empty();
    let decomposed = without_forward && fresh_results && style.jvp_decompositions;
    let gradient = match op.requires_derivative {
        true => Some(gradient::view(op, ctx.namespaces.nodes.as_deref())?),
        false => None,
    };
    let signature = wrapper::signature(f)?;
    Ok(AutogradKernel {
        rules: *Rules::of_tables(ctx.target.tables),
        schema: ctx.target.authors_read.then(|| f.qualified_schema()),
        returns_type: signature.returns_type,
        parameters: signature.parameters(),
        name: name_for_key(signature.name, op.key),
        cpp_name: &op.cpp_name,
        base_name: f.root_name(),
        foreach: op.foreach,
        inplace: op.inplace,
        out: op.out,
        unpacked: unpacked(f),
        overwritten: op.overwritten(ctx.target).into_iter().map(ShownArgument::from).collect(),
        gradient,
        checks: checks::view(op, ctx.target)?,
        redispatch: redispatch(ctx, style, f),
        arguments: f.func.schema_order_arguments().map(unpacked_name).collect(),
        below_inplace_or_view: op.view.is_none() && !modifies_arguments(f),
        fresh_results,
        counted: match style.counts_versions && f.has_composite_implicit_autograd_kernel {
            true => f.func.schema_order_arguments().filter(|a| a.is_write()).map(|a| a.name.as_str()).collect(),
            false => Vec::new(),
        },
        decomposition: match decomposed {
            true => Some(decomposition(ctx, op)?),
            false => None,
        },
        returns_tensors: returns.iter().any(|r| r.ty.is_tensor_like()),
        declared: wrapper::declared(f)?,
        apart: match returns.len() > 1 && op.forward.iter().any(|of| has_lambda(&of.formula)) {
            true => cpp::return_names(f, "result")?,
            false => Vec::new(),
        },
        returned: wrapper::returned(f)?,
        no_forward: (op.out || (without_forward && !decomposed)).then(|| has_tangents(op)),
        of_pytorch: ctx.target.issues_go_to_pytorch,
        forward: match op.requires_derivative && !op.out && !op.forward.is_empty() {
            true => Some(forward::view(op)?),
            false => None,
        },
        resets_accumulator: op.traits.resets_grad_accumulator,
    })
}

/// The function that calls an operator below autograd, with all arguments of its schema.
fn redispatch(ctx: &AutogradContext, style: Style, f: &NativeFunction) -> String {
    if style.calls_operators {
        return format!("{}::{}::redispatch", ctx.namespaces.operators, f.func.name.unambiguous_name());
    }
    let sym_ints = SymInts::kept_if(f.func.has_symint());
    let name = cpp::name_as(&f.func, Spelling { faithful: true, sym_ints, ..Spelling::default() });
    format!("{}::{name}", ctx.namespaces.redispatch)
}

pub(super) fn unpacked(f: &NativeFunction) -> Vec<Unpacked<'_>> {
    let arguments = f.func.schema_order_arguments().enumerate().filter(|(_, a)| is_unpacked(a));
    arguments.map(|(position, a)| Unpacked { argument: a.into(), position, reference: is_tensor_type(&a.ty) }).collect()
}

/// For each differentiable argument, including out arguments, the condition that it has a tangent.
fn has_tangents(op: &DispatchedOperator) -> Vec<String> {
    let arguments = op.plain_arguments().chain(&op.f.func.arguments.out);
    arguments.filter(|a| is_differentiable(&a.name, &a.ty, op.info)).map(forward::has_tangent).collect()
}

fn decomposition<'s>(
    ctx: &AutogradContext<'_, 's>,
    op: &DispatchedOperator<'s, '_>,
) -> Result<Decomposition<'s>, ItemError> {
    let f = op.f;
    let mut types = Vec::with_capacity(f.func.returns.len());
    for ret in &f.func.returns {
        types.push(cpp::return_type(ret, Locals::for_operator(f))?.to_string());
    }
    Ok(Decomposition {
        any_of: has_tangents(op),
        namespace: ctx.schema_namespace(f),
        overload: &f.func.name.overload_name,
        returns_type: match types.as_slice() {
            [single] => single.clone(),
            several => format!("std::tuple<{}>", several.join(", ")),
        },
        arguments: f.func.schema_order_arguments().map(|a| a.name.as_str()).collect(),
    })
}

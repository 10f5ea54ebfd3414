//! The view of one backward node.
//!
//! Invariant: saved inputs are sorted by name, then saved outputs; formulas are in the order of the
//! names in derivatives.yaml. Rule: tools/autograd/gen_autograd_functions.py, `process_function`.

use serde::Serialize;

use super::saved::Saved;
use crate::AutogradContext;
use crate::autograd_common::is_tracked_view;
use torchgen_api::autograd::{Derivative, DifferentiabilityInfo, SavedAttribute, SavedFrom, formula_uses};
use torchgen_api::{BaseCppType, Binding, CType};
use torchgen_base::diag::{CodeInfo, Diagnostic, gather};
use torchgen_model::codes;
use torchgen_model::model::{Target, Type, cpp_names};

/// A backward node.
#[derive(Debug, Serialize)]
pub(crate) struct Node<'a> {
    /// Its class.
    op: &'a str,
    /// The operator, for comments that lead a compiler's error back to its formula; `None` for
    /// PyTorch's own.
    source: Option<String>,
    /// Its schema, likewise.
    schema: Option<String>,
    /// The macro that exports the class from its shared library.
    export: &'a str,
    /// Whether it can be traced.
    traceable: bool,
    /// Its formulas are for one tensor of lists.
    is_foreach: bool,
    /// It must be locked while saved values are read or released.
    locks: bool,
    /// Formulas check whether saved values are still needed afterwards.
    retains: bool,
    /// The inputs that gradients are for.
    inputs: Vec<Input<'a>>,
    saved: Vec<Saved<'a>>,
    /// The arguments of formulas besides gradients.
    arguments: Vec<Argument<'a>>,
    /// Formulas use the gradient of the first output by the name `grad`.
    single_grad: bool,
    named_grads: Vec<NamedGradient<'a>>,
    /// Some formula is computed only if any gradient is defined.
    any_grad_defined: bool,
    /// The namespace of a library's types, which no argument's name can hide.
    types: Option<String>,
    /// The namespace of what the nodes of a library or a backend share; `None` for PyTorch's own.
    support: Option<String>,
    /// Gradients of one call may be undefined beside others.
    partial: bool,
    /// The gradients that formulas get as zeros if they are undefined. The formulas of PyTorch test
    /// them themselves.
    zeros: Vec<usize>,
    derivatives: Vec<Formula<'a>>,
}

#[derive(Debug, Serialize)]
struct Input<'a> {
    name: &'a str,
    is_list: bool,
}

#[derive(Debug, Serialize)]
struct Argument<'a> {
    name: String,
    ty: &'a str,
    by_ref: bool,
    /// A tensor of a library that may be `None`, which functions that formulas call get as that.
    is_optional: bool,
}

#[derive(Debug, Serialize)]
struct NamedGradient<'a> {
    name: &'a str,
    index: usize,
}

#[derive(Debug, Serialize)]
struct Formula<'a> {
    formula: &'a str,
    /// The inputs it is for.
    inputs: Vec<InputIndex<'a>>,
    /// It is for several inputs and returns a tuple.
    several: bool,
    /// It needs to know which gradients are needed.
    masked: bool,
    /// It is computed only if any gradient is defined, which the formula itself tests (PyTorch's
    /// text) or a statement (a library's).
    if_any_defined: bool,
    guarded: bool,
}

#[derive(Debug, Serialize)]
struct InputIndex<'a> {
    name: &'a str,
    /// Its name in comments.
    shown: &'a str,
    index: usize,
}

impl<'a> Node<'a> {
    /// The node of a class.
    ///
    /// # Errors
    /// A formula for a list that may be `None`, or everything that it cannot save.
    pub(super) fn new(
        ctx: &'a AutogradContext,
        info: &'a DifferentiabilityInfo<'_>,
        op: &'a str,
    ) -> Result<Self, Vec<Diagnostic>> {
        if ctx.target.refuses_what_cannot_compile
            && let Some(error) = optional_list(info, "autograd", &codes::NOT_DIFFERENTIABLE)
        {
            return Err(vec![error]);
        }
        let views: Vec<Input> =
            info.args_with_derivatives.iter().map(|a| Input { name: &a.name, is_list: is_list(a) }).collect();
        let saved = saved(info, ctx.target)?;
        let retains = info.uses_retain_variables();
        let sizes = views.iter().filter(|input| input.is_list).map(|input| Argument {
            name: format!("{}_size_", input.name),
            ty: "size_t",
            by_ref: false,
            is_optional: false,
        });
        let own = ctx.target.authors_read;
        let values = saved.iter().map(|s| Argument {
            name: s.name.to_owned(),
            ty: s.unpacked_type(),
            by_ref: true,
            is_optional: own && s.is_optional_tensor(),
        });
        let retained =
            retains.then(|| Argument { name: RETAIN.to_owned(), ty: "bool", by_ref: false, is_optional: false });
        let arguments = sizes.chain(values).chain(retained).collect();
        let single_grad = info.uses_single_grad();
        let named = info
            .used_named_gradients
            .iter()
            .filter(|_| !single_grad)
            .map(|name| NamedGradient { name, index: info.place_of_gradient(name, ctx.target) });
        let derivatives: Vec<Formula> = info.derivatives.iter().map(|d| formula(info, d, own)).collect();
        Ok(Node {
            op,
            source: ctx.target.outside_at.then(|| info.func.full_name()),
            schema: ctx.target.authors_read.then(|| info.func.qualified_schema()),
            export: &ctx.namespaces.export,
            traceable: !is_tracked_view(info, ctx.target),
            is_foreach: info.is_foreach(),
            locks: saved.iter().any(Saved::is_released),
            retains,
            inputs: views,
            arguments,
            saved,
            single_grad,
            named_grads: named.collect(),
            any_grad_defined: derivatives.iter().any(|d| d.if_any_defined || d.guarded),
            support: ctx.target.outside_at.then(|| format!("::{}", ctx.namespaces.support())),
            types: own.then(|| format!("::{}", ctx.namespaces.autograd)),
            partial: own && info.has_partial_gradients(),
            zeros: if own { info.gradients_as_zeros() } else { Vec::new() },
            derivatives,
        })
    }
}

const RETAIN: &str = "retain_variables";
const MASK: &str = "grad_input_mask";
const NOT_IMPLEMENTED: &str = "not_implemented";
const NOT_IMPLEMENTED_LIST: &str = "not_implemented_list";

/// Whether the input's gradients are for a list of tensors.
fn is_list(input: &Binding) -> bool {
    let ty = &input.nctype.ty;
    let tensor = CType::base(BaseCppType::Tensor);
    ty.is(BaseCppType::TensorList)
        || *ty == tensor.optional().list().const_ref()
        || *ty == CType::base(BaseCppType::ITensorListRef).const_ref()
}

/// The error for a formula for a list that may be `None`: what follows gradients has no form for
/// it, so its elements would have none.
pub fn optional_list(info: &DifferentiabilityInfo<'_>, follower: &str, code: &'static CodeInfo) -> Option<Diagnostic> {
    let named = |name: &String| info.func.func.schema_order_arguments().find(|a| a.name == *name);
    let find =
        |one: &Derivative| Some((one.span, one.var_names.iter().filter_map(named).find(|a| a.ty.is_optional_list())?));
    let (span, argument) = info.derivatives.iter().find_map(find)?;
    let message = format!("{follower} cannot follow the `{}` of `{}`", argument.ty, info.func.func.name);
    let error = Diagnostic::new(code, message).at(span).also(info.func.spans.name, "the operator");
    Some(
        error.help(format!(
            "declare `Tensor[] {}`, or delete the formula: it then has no gradient",
            argument.schema_name()
        )),
    )
}

/// The fields.
///
/// # Errors
/// All values that cannot be one.
fn saved<'a>(info: &'a DifferentiabilityInfo<'_>, target: Target) -> Result<Vec<Saved<'a>>, Vec<Diagnostic>> {
    let sorted = |list: &'a [SavedAttribute]| {
        let mut list: Vec<&SavedAttribute> = list.iter().collect();
        list.sort_by(|a, b| a.name.cmp(&b.name));
        list
    };
    let of_inputs = sorted(&info.all_saved_inputs).into_iter().map(|s| (s, SavedFrom::Input));
    let of_outputs = sorted(&info.all_saved_outputs).into_iter().map(|s| (s, SavedFrom::Output));
    gather(of_inputs.chain(of_outputs).map(|(attribute, from)| Saved::new(info, attribute, from, target)))
}

/// Whether one of the fields, of which none has an error, is neither a tensor nor a list of them.
pub(super) fn saves_values(info: &DifferentiabilityInfo<'_>, target: Target) -> bool {
    saved(info, target).is_ok_and(|all| all.iter().any(|one| !one.is_tensors()))
}

/// A formula; the `own` ones of a library need not test whether any gradient is defined.
fn formula<'a>(info: &'a DifferentiabilityInfo<'_>, derivative: &'a Derivative, own: bool) -> Formula<'a> {
    let place = |name: &str| info.args_with_derivatives.iter().position(|a| a.name == name).unwrap_or_default();
    let inputs: Vec<InputIndex> = derivative
        .var_names
        .iter()
        .map(|name| InputIndex { name, shown: cpp_names::written(name), index: place(name) })
        .collect();
    let several = inputs.len() > 1;
    let input =
        derivative.var_names.first().map(|name| &info.args_with_derivatives[place(name)..]).and_then(<[_]>::first);
    let is_tensor = input
        .and_then(|a| a.argument.argument())
        .is_some_and(|a| a.ty == Type::TENSOR || a.ty == Type::optional_tensor());
    // In the reference any text with the word counts; a library's names can contain it.
    let is_implemented = match own {
        true => ![NOT_IMPLEMENTED, NOT_IMPLEMENTED_LIST].iter().any(|word| formula_uses(&derivative.formula, word)),
        false => !derivative.formula.contains(NOT_IMPLEMENTED),
    };
    Formula {
        formula: &derivative.formula,
        inputs,
        several,
        masked: several && derivative.formula.contains(MASK),
        if_any_defined: !own && !several && is_tensor && is_implemented,
        guarded: own && is_implemented,
    }
}

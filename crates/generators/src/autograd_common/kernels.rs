//! The operators that VariableType, ADInplaceOrView and TraceType treat specially:
//! `data/torch/autograd_kernels.yaml` and queries on it.
//!
//! Invariant: in operator libraries names have no meaning; the schema and the entry decide. Rule:
//! tools/autograd/gen_trace_type.py and gen_inplace_or_view_type.py.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use crate::AutogradContext;
use torchgen_api::autograd::{
    DifferentiabilityInfo, DispatchStrategy, NativeFunctionWithDifferentiabilityInfo, dispatch_strategy,
};
use torchgen_api::cpp;
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::data::Table;
use torchgen_model::codes;
use torchgen_model::model::Target;
use torchgen_model::model::{Argument, NativeFunction, Return, SchemaKind, Type};

#[derive(Deserialize)]
struct Special {
    manual_backend: FxHashSet<String>,
    manual_autograd_and_tracer: FxHashSet<String>,
    views_with_metadata_change: FxHashSet<String>,
    views: FxHashMap<String, String>,
    returns_views_of_input: FxHashSet<String>,
    untracked_views: FxHashMap<String, String>,
}

impl Table for Special {
    const PATH: &'static str = "torch/autograd_kernels.yaml";
}

const SELF: &str = "self";

/// Its kernels for autograd and tracing are registered by hand.
pub fn is_manual(f: &NativeFunction, target: Target) -> bool {
    if !target.known_by_name {
        return f.manual_kernel_registration;
    }
    let name = cpp::name(&f.func);
    let table: &Special = target.tables.get();
    table.manual_backend.contains(&name) || table.manual_autograd_and_tracer.contains(&name)
}

/// Its kernels for backends are registered by hand.
pub(crate) fn is_manual_backend(f: &NativeFunction, target: Target) -> bool {
    if target.known_by_name {
        target.tables.get::<Special>().manual_backend.contains(&cpp::name(&f.func))
    } else {
        f.manual_kernel_registration
    }
}

/// The argument that all outputs are views of, or may be; `None` for an operator that is not a
/// view.
pub(crate) fn view_info<'a>(f: &'a NativeFunction, target: Target<'a>) -> Option<&'a str> {
    if !target.known_by_name {
        return viewed_argument(f);
    }
    let table: &Special = target.tables.get();
    let base = f.root_name();
    let or_self = || {
        let known = |names: &FxHashSet<String>| names.contains(base);
        (known(&table.views_with_metadata_change) || known(&table.returns_views_of_input)).then_some(SELF)
    };
    table.views.get(base).map(String::as_str).or_else(or_self)
}

/// The derivatives are those of a tracked view. Its node calls `as_strided`, which cannot be
/// traced.
///
/// Rule: gen_autograd_functions.py, `UNTRACEABLE_FUNCTIONS`.
pub(crate) fn is_tracked_view(info: &DifferentiabilityInfo<'_>, target: Target) -> bool {
    let name = info.name.as_str();
    if target.known_by_name {
        let table: &Special = target.tables.get();
        table.views.contains_key(name) || table.views_with_metadata_change.contains(name)
    } else {
        info.func.is_view_op()
    }
}

/// The name of the argument that a view is of.
///
/// # Errors
/// The operator is not a view, or lacks the argument that ATen's views have.
pub(crate) fn viewed<'a>(f: &'a NativeFunction, target: Target<'a>) -> Result<&'a str, Diagnostic> {
    let base = view_info(f, target).unwrap_or(SELF);
    if f.func.schema_order_arguments().any(|a| a.name == base && a.ty.is_tensor_like()) {
        return Ok(base);
    }
    let message = format!("`{}` has the name of a view, but no tensor `{base}` to be a view of", f.func.name);
    Err(Diagnostic::new(&codes::BAD_SHAPE, message).at(f.spans.func))
}

/// The argument that all outputs are views of, tracked as such or not; `None` for an operator that
/// is not a view, or only may be one.
pub(crate) fn storage_view_info<'a>(f: &'a NativeFunction, target: Target<'a>) -> Option<&'a str> {
    if !target.known_by_name {
        return viewed_argument(f);
    }
    let table: &Special = target.tables.get();
    let base = f.root_name();
    let changes_metadata = || table.views_with_metadata_change.contains(base).then_some(SELF);
    let named = table.views.get(base).or_else(|| table.untracked_views.get(base));
    named.map(String::as_str).or_else(changes_metadata)
}

/// The argument that an output aliases without being the same tensor.
fn viewed_argument(f: &NativeFunction) -> Option<&str> {
    f.func.returns.iter().find_map(|ret| viewed_by(f, ret)).map(|argument| argument.name.as_str())
}

/// The argument that an output is a view of, by its annotation alone.
fn viewed_by<'a>(f: &'a NativeFunction, ret: &'a Return) -> Option<&'a Argument> {
    ret.annotation.as_ref().filter(|annotation| !annotation.is_write)?;
    f.func.viewed_arguments(ret).next()
}

/// The name of the tensor that an output of a library's operator is a view of; `None` if it is not
/// a view.
///
/// # Errors
/// The viewed argument may be something other than a tensor.
pub fn viewed_output<'a>(f: &'a NativeFunction, ret: &'a Return) -> Result<Option<&'a str>, Diagnostic> {
    let Some(argument) = viewed_by(f, ret) else { return Ok(None) };
    if argument.ty == Type::TENSOR {
        return Ok(Some(&argument.name));
    }
    let message = format!(
        "`{}` is a view of `{}`, a `{}`, but only single tensors have views",
        f.func.name,
        argument.schema_name(),
        argument.ty
    );
    Err(Diagnostic::new(&codes::BAD_SHAPE, message)
        .at(f.spans.func)
        .help("use single tensors as argument and result, or add a CompositeImplicitAutograd kernel"))
}

/// The tensors that the operator mutates, in order, if the schema counts. For ATen's operators
/// their kind and outputs decide.
pub(crate) fn written_arguments<'a>(f: &'a NativeFunction, target: Target) -> Vec<&'a Argument> {
    if target.known_by_name { Vec::new() } else { f.func.schema_order_arguments().filter(|a| a.is_write()).collect() }
}

/// The positions of the arguments that a library's operator writes to, if templates in
/// `torch/library/autograd` have the code around its kernels: it makes no view, and a list that it
/// writes to has all of its tensors.
pub(crate) fn shared_kernel(f: &NativeFunction, target: Target) -> Option<Vec<usize>> {
    let written = written_arguments(f, target);
    let is_plain = |a: &&Argument| a.ty.is_list_like().is_none() || !a.ty.is_nullable();
    if written.is_empty() || !written.iter().all(is_plain) || view_info(f, target).is_some() {
        return None;
    }
    let is_written = |a: &Argument| written.iter().any(|own| std::ptr::eq(*own, a));
    let arguments = f.func.schema_order_arguments().enumerate();
    Some(arguments.filter(|(_, a)| is_written(a)).map(|(position, _)| position).collect())
}

/// The name of such a kernel: that of the class template, for the operator and the positions.
pub(crate) fn of_all_operators(ctx: &AutogradContext, f: &NativeFunction, class: &str, written: &[usize]) -> String {
    let operator = format!("{}::{}", ctx.namespaces.operators, f.func.name.unambiguous_name());
    let written: String = written.iter().map(|position| format!(", {position}")).collect();
    format!("{class}<{operator}{written}>::kernel")
}

/// The view is more than other strides of its base, so it must be replayed by calling it again.
///
/// Nothing is known about a library's views, so they always are.
pub(crate) fn is_view_with_metadata_change(f: &NativeFunction, target: Target) -> bool {
    !target.known_by_name || target.tables.get::<Special>().views_with_metadata_change.contains(&cpp::name(&f.func))
}

/// It gets kernels that redispatch below autograd.
pub(crate) fn use_derived(fn_: &NativeFunctionWithDifferentiabilityInfo<'_>, target: Target) -> bool {
    !is_manual(fn_.func, target) && dispatch_strategy(fn_) == DispatchStrategy::UseDerived
}

/// It mutates `self` or out arguments. Rule: gen_inplace_or_view_type.py, `modifies_arguments`,
/// which excludes mutable operators.
pub(crate) fn modifies_arguments(f: &NativeFunction) -> bool {
    matches!(f.func.kind(), SchemaKind::Inplace | SchemaKind::Out)
}

#[cfg(test)]
mod tests {
    use super::Special;
    use torchgen_kit::driver::data::Tables;

    #[test]
    fn the_embedded_table() {
        let table: &Special = Tables::embedded().get();
        assert_eq!(table.views["sparse_coo_tensor_with_dims_and_tensors"], "values");
        assert_eq!(table.untracked_views["_unsafe_view"], "self");
        assert!(table.views.keys().all(|name| !table.views_with_metadata_change.contains(name)));
    }
}

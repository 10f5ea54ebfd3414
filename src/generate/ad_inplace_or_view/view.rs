//! What the templates of kernels for written arguments and views need.

use serde::Serialize;

use crate::api::autograd::view::{Captured, captured, view_func_name};
use crate::api::autograd::{DEFAULT_KEY, NativeFunctionWithDifferentiabilityInfo, gen_differentiable_outputs};
use crate::api::{CType, Locals, cpp, dispatcher, functionalization, wrapper};
use crate::diag::{Diagnostic, codes};
use crate::generate::autograd_common::{is_view_with_metadata_change, modifies_arguments, viewed};
use crate::generate::{AutogradContext, ItemFault};
use crate::model::NativeFunction;

/// The kernel of an operator.
#[derive(Serialize)]
pub(super) struct Kernel<'a> {
    name: String,
    returns_type: CType,
    /// The parameters after the set of dispatch keys.
    parameters: Vec<String>,
    arguments: Vec<&'a str>,
    /// The operator and its overload, as registered.
    operator_name: String,
    /// The kernel's name where it is registered.
    registered: String,
    /// The namespace of the Operators API.
    ops: &'a str,
    /// The operator's name there.
    unambiguous_name: String,
    returned: Option<String>,
    /// The results that are written arguments, if they are.
    written: Vec<String>,
    /// How the results are tracked as views; none if they are written arguments.
    view: Option<View<'a>>,
}

#[derive(Serialize)]
struct View<'a> {
    /// The tensor that is viewed.
    base: &'a str,
    /// What the results are declared as.
    declared: String,
    /// How the view is replayed; none if no gradient flows through it.
    replay: Option<Replay<'a>>,
}

#[derive(Serialize)]
struct Replay<'a> {
    /// Each output is a view of its own.
    is_indexed: bool,
    /// Strides alone do not give the view back.
    changes_metadata: bool,
    /// The class that replays the view.
    class: String,
    /// What it keeps.
    arguments: Vec<&'a str>,
    /// The function that undoes the view.
    inverse: String,
    /// What the closure around that keeps.
    captured: Vec<Captured>,
}

impl<'a> Kernel<'a> {
    pub(super) fn new(
        ctx: &AutogradContext<'a, '_>,
        fn_: &NativeFunctionWithDifferentiabilityInfo<'a>,
        scope: &str,
    ) -> Result<Self, ItemFault> {
        let f = fn_.func;
        let writes = modifies_arguments(f);
        let written = if writes { cpp::return_names(f, "result")? } else { Vec::new() };
        let name = wrapper::name(f);
        Ok(Kernel {
            returns_type: wrapper::returns_type(f)?,
            parameters: wrapper::parameters(f)?,
            arguments: f.func.schema_order_arguments().map(|a| a.name.as_str()).collect(),
            operator_name: f.func.name.to_string(),
            registered: format!("{scope}{name}"),
            ops: &ctx.namespaces.operators,
            unambiguous_name: f.func.name.unambiguous_name(),
            returned: wrapper::returned(f)?,
            written: written.into_iter().map(String::from).collect(),
            view: if writes { None } else { Some(View::new(ctx, fn_)?) },
            name,
        })
    }
}

impl<'a> View<'a> {
    fn new(
        ctx: &AutogradContext<'a, '_>,
        fn_: &NativeFunctionWithDifferentiabilityInfo<'a>,
    ) -> Result<Self, ItemFault> {
        let f = fn_.func;
        let base = viewed(f, ctx.dialect)?;
        let fault = |message: String| Diagnostic::new(&codes::BAD_SHAPE, message).at(f.spans.func);
        let replay = match &*gen_differentiable_outputs(fn_, DEFAULT_KEY)? {
            [] => None,
            [output] if output.ty.is_tensor_like() => {
                Some(Replay::new(ctx, f, base, output.ty.is_list_like().is_some())?)
            }
            [_] => {
                let message = format!("view `{}` has a differentiable output that is no tensor", f.func.name);
                return Err(fault(message).into());
            }
            _ => {
                let message = format!("view `{}` has several differentiable outputs", f.func.name);
                return Err(fault(message).help("let it give one tensor, or a list of tensors").into());
            }
        };
        Ok(View { base, declared: wrapper::declared(f)?, replay })
    }
}

impl<'a> Replay<'a> {
    fn new(
        ctx: &AutogradContext<'a, '_>,
        f: &'a NativeFunction,
        base: &str,
        is_indexed: bool,
    ) -> Result<Self, ItemFault> {
        let bindings = dispatcher::arguments(&f.func, true, Locals::of(f))?;
        let others = bindings.iter().filter(|binding| binding.name != base);
        let namespaces = ctx.namespaces;
        Ok(Replay {
            is_indexed,
            changes_metadata: is_view_with_metadata_change(f, ctx.dialect),
            class: format!("{}::{}", namespaces.autograd, view_func_name(&f.func)),
            arguments: f.func.schema_order_arguments().map(|a| a.name.as_str()).filter(|name| *name != base).collect(),
            inverse: functionalization::reverse_name(&f.func, Some(&namespaces.view_inverses)),
            captured: others.map(|binding| captured(binding, ctx.dialect)).collect::<Result<_, _>>()?,
        })
    }
}

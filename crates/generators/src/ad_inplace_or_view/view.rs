//! What the templates of kernels for mutable arguments and views need.

use serde::Serialize;

use crate::autograd_common::{
    is_view_with_metadata_change, modifies_arguments, of_all_operators, shared_kernel, viewed, viewed_output,
    written_arguments,
};
use crate::{AutogradContext, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::autograd::view::{Captured, captured, view_func_name};
use torchgen_api::autograd::{DEFAULT_KEY, NativeFunctionWithDifferentiabilityInfo, gen_differentiable_outputs};
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{CType, Locals, cpp, functionalization, wrapper};
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::model::Target;
use torchgen_model::model::{NativeFunction, Return};

/// The kernel of an operator.
#[derive(Serialize)]
pub(crate) struct InplaceOrViewKernel<'a> {
    /// The operator's schema, if authors read the text.
    schema: Option<String>,
    name: String,
    returns_type: CType,
    /// The parameters after the dispatch key set.
    parameters: Vec<String>,
    arguments: Vec<&'a str>,
    /// The operator and its overload, as registered.
    operator_name: String,
    /// The kernel's name in its registration.
    pub(super) registered: String,
    /// The namespace of the Operators API.
    ops: &'a str,
    /// The operator's name in it.
    unambiguous_name: String,
    returned: Option<String>,
    /// The declaration of the results, if they are new.
    fresh: Option<String>,
    /// The mutable arguments.
    written: Vec<MutableArgument>,
    /// How the results are tracked as views; `None` if no result is one.
    view: Option<ViewedResults<'a>>,
}

/// A mutable argument.
#[derive(Serialize)]
struct MutableArgument {
    name: String,
    is_list: bool,
    is_optional: bool,
}

#[derive(Serialize)]
struct ViewedResults<'a> {
    /// The declaration of the results.
    declared: String,
    /// Results are replaced one by one at their places.
    in_place: bool,
    /// The results that are views.
    outputs: Vec<Output<'a>>,
}

/// A result that is a view, or a list of views.
#[derive(Serialize)]
struct Output<'a> {
    /// The expression of it.
    value: String,
    /// The tensor that is viewed.
    base: &'a str,
    is_list: bool,
    /// How the view is replayed; `None` if no gradient flows through it.
    replay: Option<Replay<'a>>,
}

#[derive(Serialize)]
struct Replay<'a> {
    /// Each element is a view of its own.
    is_indexed: bool,
    /// Strides alone do not reproduce the view.
    changes_metadata: bool,
    /// The class that replays the view.
    class: String,
    /// What it stores.
    arguments: Vec<&'a str>,
    /// The function that undoes the view; `None` if the strides of its base do.
    inverse: Option<String>,
    /// What the closure around it stores.
    captured: Vec<Captured>,
}

impl<'a> InplaceOrViewKernel<'a> {
    pub(super) fn new(
        ctx: &AutogradContext<'a, '_>,
        fn_: &NativeFunctionWithDifferentiabilityInfo<'a>,
        scope: &str,
    ) -> Result<Self, ItemError> {
        let f = fn_.func;
        let view = match modifies_arguments(f) {
            true => None,
            false => ViewedResults::new(ctx, fn_)?,
        };
        let is_fresh = !modifies_arguments(f) && view.is_none() && !f.func.returns.is_empty();
        let signature = wrapper::signature(f)?;
        Ok(InplaceOrViewKernel {
            schema: ctx.target.authors_read.then(|| f.qualified_schema()),
            returns_type: signature.returns_type,
            parameters: signature.parameters(),
            arguments: f.func.schema_order_arguments().map(|a| a.name.as_str()).collect(),
            operator_name: f.func.name.to_string(),
            registered: match shared_kernel(f, ctx.target) {
                Some(written) => of_all_operators(ctx, f, "CountsVersions", &written),
                None => format!("{scope}{}", signature.name),
            },
            ops: &ctx.namespaces.operators,
            unambiguous_name: f.func.name.unambiguous_name(),
            returned: wrapper::returned(f)?,
            fresh: match is_fresh {
                true => Some(wrapper::declared(f)?),
                false => None,
            },
            written: written(f, ctx.target)?,
            view,
            name: signature.name,
        })
    }
}

/// The mutable arguments. For ATen's operators, those that are returned.
fn written(f: &NativeFunction, target: Target) -> Result<Vec<MutableArgument>, ItemError> {
    if target.known_by_name {
        let returned = if modifies_arguments(f) { cpp::return_names(f, "result")? } else { Vec::new() };
        let written = |name| MutableArgument { name: String::from(name), is_list: false, is_optional: false };
        return Ok(returned.into_iter().map(written).collect());
    }
    let written = written_arguments(f, target).into_iter().map(|a| MutableArgument {
        name: a.name.clone(),
        is_list: a.ty.is_list_like().is_some(),
        is_optional: a.ty.is_nullable(),
    });
    Ok(written.collect())
}

impl<'a> ViewedResults<'a> {
    /// The views among the results; empty if there are none.
    fn new(
        ctx: &AutogradContext<'a, '_>,
        fn_: &NativeFunctionWithDifferentiabilityInfo<'a>,
    ) -> Result<Option<Self>, ItemError> {
        let f = fn_.func;
        let outputs = match ctx.target.views_of_any_form {
            false => vec![Output::aten(ctx, fn_)?],
            true => Output::library(ctx, fn_)?,
        };
        let untracked_list = |output: &Output| output.is_list && output.replay.is_none();
        let in_place = ctx.target.views_of_any_form && (f.func.returns.len() > 1 || outputs.iter().any(untracked_list));
        Ok((!outputs.is_empty()).then_some(ViewedResults { declared: wrapper::declared(f)?, in_place, outputs }))
    }
}

impl<'a> Output<'a> {
    /// The only output of one of ATen's views.
    fn aten(
        ctx: &AutogradContext<'a, '_>,
        fn_: &NativeFunctionWithDifferentiabilityInfo<'a>,
    ) -> Result<Self, ItemError> {
        let f = fn_.func;
        let base = viewed(f, ctx.target)?;
        let error = |message: String| Diagnostic::new(&codes::BAD_SHAPE, message).at(f.spans.func);
        let replay = match &*gen_differentiable_outputs(fn_, DEFAULT_KEY)? {
            [] => None,
            [output] if output.ty.is_tensor_like() => {
                Some(Replay::new(ctx, f, base, output.ty.is_list_like().is_some(), view_func_name(&f.func))?)
            }
            [_] => {
                let message = format!("view `{}` has a differentiable output that is not a tensor", f.func.name);
                return Err(error(message).into());
            }
            _ => {
                let message = format!("view `{}` has several differentiable outputs", f.func.name);
                return Err(error(message).help("the output must be one tensor or a list of tensors").into());
            }
        };
        let is_list = replay.as_ref().is_some_and(|replay| replay.is_indexed);
        Ok(Output { value: TMP.to_owned(), base, is_list, replay })
    }

    /// All outputs of a library's operator that are views, by their annotations.
    fn library(
        ctx: &AutogradContext<'a, '_>,
        fn_: &NativeFunctionWithDifferentiabilityInfo<'a>,
    ) -> Result<Vec<Self>, ItemError> {
        let f = fn_.func;
        let returns = &f.func.returns;
        let differentiable = gen_differentiable_outputs(fn_, DEFAULT_KEY)?;
        let names = cpp::return_names(f, "result")?;
        let mut outputs = Vec::new();
        for (index, (ret, name)) in returns.iter().zip(names).enumerate() {
            let Some(base) = viewed_output(f, ret)? else { continue };
            let (value, class) = match returns.len() {
                1 => (TMP.to_owned(), view_func_name(&f.func)),
                _ => (format!("std::get<{index}>({TMP})"), format!("{}{index}", view_func_name(&f.func))),
            };
            let is_indexed = is_list(ret);
            let replay = match differentiable.iter().any(|output| output.name == name) {
                true => Some(Replay::new(ctx, f, base, is_indexed, class)?),
                false => None,
            };
            outputs.push(Output { value, base, is_list: is_indexed, replay });
        }
        Ok(outputs)
    }
}

fn is_list(ret: &Return) -> bool {
    ret.ty.is_list_like().is_some()
}

/// The kernel's name for the results before they are tracked as views.
const TMP: &str = "_tmp";

impl<'a> Replay<'a> {
    fn new(
        ctx: &AutogradContext<'a, '_>,
        f: &'a NativeFunction,
        base: &str,
        is_indexed: bool,
        class: String,
    ) -> Result<Self, ItemError> {
        let namespaces = ctx.namespaces;
        let (inverse, captured) = match ctx.target.has_view_inverses {
            true => {
                let bindings = Dispatcher::symbolic(Locals::for_operator(f)).arguments(&f.func)?;
                let others = bindings.iter().filter(|binding| binding.name != base);
                let inverse = functionalization::reverse_name(&f.func, Some(&namespaces.view_inverses));
                (Some(inverse), others.map(captured).collect::<Result<_, _>>()?)
            }
            // A view shares its base's storage, so the strides of the base reproduce it.
            false => (None, Vec::new()),
        };
        Ok(Replay {
            is_indexed,
            changes_metadata: is_view_with_metadata_change(f, ctx.target),
            class: format!("{}::{class}", namespaces.autograd),
            arguments: f.func.schema_order_arguments().map(|a| a.name.as_str()).filter(|name| *name != base).collect(),
            inverse,
            captured,
        })
    }
}

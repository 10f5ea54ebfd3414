//! ADInplaceOrView: kernels that count versions of mutable arguments and track views. Writes
//! ADInplaceOrViewType_{0,1,Everything}.cpp.
//!
//! Invariant: only operators that redispatch below autograd have such a kernel. An operator that
//! mutates an argument without returning it has none. Rule:
//! tools/autograd/gen_inplace_or_view_type.py.

mod view;

use self::view::InplaceOrViewKernel;
use super::autograd_common::{modifies_arguments, shared_kernel, use_derived, view_info, written_arguments};
use super::guard::{guarded, together};
use super::{AutogradContext, Errors, ItemError, Outcome, per_item};
use torchgen_api::autograd::NativeFunctionWithDifferentiabilityInfo;
use torchgen_base::render::{About, Fragment};
use torchgen_model::model::{DispatchKey, NativeFunction, Target};

/// How many files the kernels are split over.
const SHARDS: u32 = 2;
const FILE: &str = "ADInplaceOrViewType.cpp";
const KEYS: [&str; 3] = ["ops_headers", "inplace_or_view_method_definitions", "inplace_or_view_wrapper_registrations"];
/// Where the file's template puts the kernels.
pub const SCOPE: &str = "ADInplaceOrView::";

/// The kernel of one operator.
#[derive(Debug, Clone)]
pub struct Kernels<'a> {
    /// The operator.
    pub(crate) f: &'a NativeFunction,
    /// The include of its header.
    pub header: Fragment,
    /// The function; `None` if it is that of all operators that only mutate arguments.
    pub definition: Option<Fragment>,
    /// Its registration with the dispatcher.
    pub registration: Fragment,
}

/// The kernels of all operators that have one, in their order. `scope` precedes their names in
/// registrations.
pub fn kernels<'a>(ctx: &AutogradContext<'a, '_>, scope: &str) -> Result<Vec<Kernels<'a>>, Errors> {
    let has_own = |fn_: &&NativeFunctionWithDifferentiabilityInfo| {
        use_derived(fn_, ctx.target) && has_kernel(fn_.func, ctx.target)
    };
    let functions: Vec<_> = ctx.matched.functions.iter().filter(has_own).collect();
    per_item(&functions, |fn_| kernel(ctx, fn_, scope))
}

/// Whether an operator has something to count or to track.
pub fn has_kernel(f: &NativeFunction, target: Target) -> bool {
    let writes = (modifies_arguments(f) && !f.func.returns.is_empty()) || !written_arguments(f, target).is_empty();
    writes || view_info(f, target).is_some()
}

/// The kernel of an operator that [has one](has_kernel).
///
/// # Errors
/// Something has no C++ form.
pub fn kernel<'a>(
    ctx: &AutogradContext<'a, '_>,
    fn_: &NativeFunctionWithDifferentiabilityInfo<'a>,
    scope: &str,
) -> Result<Kernels<'a>, ItemError> {
    let template = |reference, readable| ctx.target.template(reference, readable);
    let definition = template("torch/ad_inplace_or_view/definition.j2", "torch/library/autograd/inplace_or_view.j2");
    let definition = shared_kernel(fn_.func, ctx.target).is_none().then_some(definition);
    let registration = template("torch/ad_inplace_or_view/registration.j2", "torch/library/autograd/registered.j2");
    let view = InplaceOrViewKernel::new(ctx, fn_, scope)?;
    let condition = together(fn_.func, &[]);
    let registering = ctx.renderer.registering(fn_.func, DispatchKey::ADInplaceOrView.as_str(), &view.registered);
    let text = |about: About, template| -> Result<Fragment, ItemError> {
        Ok(guarded(ctx.renderer, condition.as_ref(), about.fragment(template, &view)?.into())?)
    };
    Ok(Kernels {
        f: fn_.func,
        header: ctx.header(fn_.func, "_ops.h")?,
        definition: definition.map(|template| text(ctx.renderer.about([fn_.func]), template)).transpose()?,
        registration: text(registering, registration)?,
    })
}

/// Makes all files.
pub fn run(ctx: &AutogradContext) -> Outcome {
    let items = kernels(ctx, SCOPE)?.into_iter().map(|Kernels { f, header, definition, registration }| {
        (f.root_name().to_owned(), [header, definition.unwrap_or_default(), registration])
    });
    Ok(ctx.sharded(FILE, SHARDS, KEYS, items)?)
}

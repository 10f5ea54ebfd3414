//! The sections of a source that have no module of their own: schemas, entry points, and wrappers
//! of kernels.
//!
//! Invariant: a section is valid C++ outside all namespaces.

use super::view::Skeleton;
use torchgen_base::render::{Fragment, RenderError};
use torchgen_generators::register_dispatch_key::backend::Backend;
use torchgen_generators::register_dispatch_key::definitions::texts;
use torchgen_generators::register_dispatch_key::frame::library_helpers;
use torchgen_generators::{Context, Errors, composite_kernels};
use torchgen_model::group::Grouped;
use torchgen_model::model::{DispatchKey, NativeFunction};

/// The schemas.
pub(super) fn schema(ctx: &Context, skeleton: &Skeleton) -> Result<Option<Fragment>, Errors> {
    let defines = (skeleton.defines_operators() && !ctx.functions.is_empty()) || !ctx.schema_only.is_empty();
    if !defines || ctx.flags.skip_dispatcher_op_registration {
        return Ok(None);
    }
    Ok(Some(section(ctx, "RegisterSchema.cpp", &skeleton.with_schemas(ctx))?))
}

/// The symbol that names the version of torch. A library has one.
pub(super) fn built_with_torch(ctx: &Context, skeleton: &Skeleton) -> Result<Fragment, Errors> {
    Ok(section(ctx, "built_with_torch", skeleton)?)
}

/// The entry points of the operators.
pub(super) fn operators(ctx: &Context, skeleton: &Skeleton) -> Result<Option<Fragment>, Errors> {
    if !skeleton.defines_operators() {
        return Ok(None);
    }
    let definitions = torchgen_generators::operators::definitions(ctx)?;
    let view = skeleton.with_definitions(&definitions);
    (!definitions.is_empty()).then(|| Ok(section(ctx, "Operators.cpp", &view)?)).transpose()
}

/// The kernels of generated variants.
pub(super) fn composite(ctx: &Context, skeleton: &Skeleton) -> Result<Option<Fragment>, Errors> {
    if !skeleton.defines_operators() {
        return Ok(None);
    }
    let definitions = composite_kernels::generated_kernels(ctx)?;
    let view = skeleton.with_definitions(&definitions);
    (!definitions.is_empty()).then(|| Ok(section(ctx, "CompositeKernels.cpp", &view)?)).transpose()
}

/// The wrappers of the kernels for a dispatch key.
pub(super) struct KernelSection {
    /// Only a build with CUDA has it. Kernels for autocast and autograd of CUDA call operators.
    pub(super) needs_cuda: bool,
    /// Some kernels are structured.
    pub(super) structured: bool,
    pub(super) text: Fragment,
}

/// One for each dispatch key that has kernels, but for those that headers register.
pub(super) fn kernels(ctx: &Context, skeleton: &Skeleton) -> Result<Vec<KernelSection>, Errors> {
    let mut sections = Vec::new();
    let without = ctx.functions.iter().any(NativeFunction::is_included).then(|| without_included(ctx.grouped));
    let items = without.as_deref().unwrap_or(ctx.grouped);
    for key in ctx.dispatch_keys {
        let backend = Backend::library(ctx, *key);
        let Some((wrappers, registrations)) = wrapped(ctx, &backend, items)? else { continue };
        let helpers = library_helpers(ctx, &backend)?;
        let of_key = skeleton.for_key(*key);
        let view = of_key.with_kernels(&wrappers, &registrations, helpers.as_ref());
        let name = key.as_str();
        sections.push(KernelSection {
            needs_cuda: name.ends_with("CUDA") && !name.starts_with("Auto"),
            structured: helpers.is_some(),
            text: section(ctx, "Register.cpp", &view)?,
        });
    }
    Ok(sections)
}

/// The items, without the functions whose kernels headers register.
fn without_included<'a>(items: &[Grouped<'a>]) -> Vec<Grouped<'a>> {
    let kept = |item: &Grouped<'a>| match item.functions().iter().any(|f| f.is_included()) {
        true => item.functions().into_iter().filter(|f| !f.is_included()).map(Grouped::Function).collect(),
        false => vec![*item],
    };
    items.iter().flat_map(kept).collect()
}

/// Wrappers of kernels, and what registers them.
type Wrapped = (Vec<Fragment>, Vec<Fragment>);

/// Those of some items' kernels for a key; `None` if there are none.
fn wrapped<'a>(ctx: &Context<'a>, backend: &Backend<'a>, items: &[Grouped<'a>]) -> Result<Option<Wrapped>, Errors> {
    let texts = ctx.per_item(items, |item| texts(ctx, backend, item))?.into_iter().flatten();
    let (wrappers, registrations): (Vec<_>, Vec<_>) = texts.map(|texts| (texts.wrappers, texts.registrations)).unzip();
    let is_used = !wrappers.is_empty() && !ctx.flags.skip_dispatcher_op_registration;
    Ok(is_used.then_some((wrappers, registrations)))
}

/// What registers the kernel of an operator for a key, in the source that defines it.
pub(super) struct Included<'a> {
    pub(super) function: &'a NativeFunction,
    pub(super) key: DispatchKey,
    pub(super) text: Fragment,
}

/// All of them.
pub(super) fn included<'a>(ctx: &Context<'a>, skeleton: &Skeleton) -> Result<Vec<Included<'a>>, Errors> {
    let mut all = Vec::new();
    for function in ctx.functions.iter().filter(|f| f.is_included()) {
        let items = [Grouped::Function(function)];
        for key in ctx.dispatch_keys {
            let Some((wrappers, registrations)) = wrapped(ctx, &Backend::library(ctx, *key), &items)? else { continue };
            let of_key = skeleton.for_key(*key);
            let text = section(ctx, "Register.cpp", &of_key.with_kernels(&wrappers, &registrations, None))?;
            all.push(Included { function, key: *key, text });
        }
    }
    Ok(all)
}

/// A part of a source.
fn section(ctx: &Context, name: &str, view: &Skeleton) -> Result<Fragment, RenderError> {
    ctx.renderer.fragment(&format!("torch/library/{name}.j2"), view).map(Fragment::of_template)
}

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

/// One for each dispatch key that has kernels.
pub(super) fn kernels(ctx: &Context, skeleton: &Skeleton) -> Result<Vec<KernelSection>, Errors> {
    let mut sections = Vec::new();
    for key in ctx.dispatch_keys {
        let backend = Backend::library(ctx, *key);
        let texts = ctx.per_item(ctx.grouped, |item| texts(ctx, &backend, item))?;
        let (mut wrappers, mut registrations) = (Vec::new(), Vec::new());
        for texts in texts.into_iter().flatten() {
            wrappers.push(texts.wrappers);
            registrations.push(texts.registrations);
        }
        if wrappers.is_empty() || ctx.flags.skip_dispatcher_op_registration {
            continue;
        }
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

/// A part of a source.
fn section(ctx: &Context, name: &str, view: &Skeleton) -> Result<Fragment, RenderError> {
    ctx.renderer.fragment(&format!("torch/library/{name}.j2"), view).map(Fragment::of_template)
}

//! CompositeViewCopyKernels.cpp: kernels that call another variant of the same operator. Copies of
//! views call the view, generated functional variants the mutable one, generated out= variants the
//! functional one.
//!
//! Invariant: a generated kernel never calls itself, even indirectly, since functional variants
//! call only operators with an entry. Rule: torchgen/gen_functionalization_type.py,
//! `GenCompositeViewCopyKernel`; torchgen/native_function_generation.py.

mod generated;
mod view_copy;

use serde::Serialize;

use super::{Context, Errors, Outcome};
use crate::managers;
use torchgen_base::render::{Env, Fragment, RenderError};
use torchgen_model::model::NativeFunction;

const FILE: &str = "CompositeViewCopyKernels.cpp";

#[derive(Serialize)]
struct Headers<'a> {
    names: Vec<&'a str>,
}

/// Makes CompositeViewCopyKernels.cpp.
pub fn run(ctx: &Context) -> Outcome {
    let (view_copies, functional, out) = (
        ctx.per_item(ctx.view_groups, |g| view_copy::kernel(ctx, g)),
        ctx.per_item(ctx.groups, |g| generated::functional(ctx, g)),
        ctx.per_item(ctx.groups, |g| generated::out(ctx, g)),
    );
    let mut errors = Errors::default();
    let mut env = Env::from_iter([("ops_headers", headers(ctx)?)]);
    for (name, kernels) in [
        ("CompositeViewCopyKernel_Definitions", view_copies),
        ("GeneratedCompositeFunctional_Definitions", functional),
        ("GeneratedCompositeOut_Definitions", out),
    ] {
        match kernels {
            Ok(kernels) => {
                env.set(name, kernels.into_iter().flatten().map(Fragment::new).collect::<Vec<_>>());
            }
            Err(Errors(found)) => found.into_iter().for_each(|error| errors.add(error)),
        }
    }
    if !errors.0.is_empty() {
        return Err(errors);
    }
    Ok(vec![ctx.file(managers::CPU, FILE, FILE, &env)?])
}

/// The kernels of all generated variants in the namespace of kernels.
pub fn generated_kernels(ctx: &Context) -> Result<Vec<Fragment>, Errors> {
    let functional = ctx.per_item(ctx.groups, |g| generated::functional(ctx, g))?;
    let out = ctx.per_item(ctx.groups, |g| generated::out(ctx, g))?;
    Ok(functional.into_iter().chain(out).flatten().map(Fragment::new).collect())
}

/// For each view group and group, the headers of the callees, and the headers that declare the
/// kernels and so export them.
fn headers(ctx: &Context) -> Result<Vec<Fragment>, RenderError> {
    let of = |operators: &[Option<&NativeFunction>]| {
        let names = operators.iter().flatten().map(|f| f.root_name()).collect();
        ctx.renderer.fragment("torch/composite_kernels/headers.j2", &Headers { names }).map(Fragment::new)
    };
    let views = ctx.view_groups.iter().map(|g| of(&[Some(g.view), g.view_copy]));
    let written = |f: &NativeFunction| !f.is_generated();
    let groups = ctx.groups.iter().map(|g| {
        let [inplace, mutable, functional] =
            [g.inplace, g.mutable, Some(g.functional)].map(|f| f.filter(|f| written(f)));
        of(&[inplace, mutable, functional])
    });
    views.chain(groups).collect()
}

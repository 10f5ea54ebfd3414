//! Lists of includes, for several generators.

use serde::Serialize;

use crate::Context;
use crate::managers;
use torchgen_base::render::{Env, Fragment, RenderError};
use torchgen_base::write::OutputFile;
use torchgen_model::model::DispatchKey;

#[derive(Serialize)]
struct Names<'a> {
    names: &'a [&'a str],
    suffix: &'a str,
}

/// Includes of one header per operator.
pub(crate) fn many(ctx: &Context, names: &[&str], suffix: &str) -> Result<Vec<Fragment>, RenderError> {
    ctx.renderer.fragment("torch/operators/includes.j2", &Names { names, suffix }).map(|text| Fragment::lines_of(&text))
}

/// The include of one operator's header.
pub(crate) fn one(ctx: &Context, name: &str, suffix: &str) -> Result<Fragment, RenderError> {
    ctx.renderer.fragment("torch/operators/includes.j2", &Names { names: &[name], suffix }).map(Fragment::of_template)
}

#[derive(Serialize)]
struct Header<'a> {
    header: &'a str,
}

/// The include of one of ATen's own headers.
pub(crate) fn aggregate(ctx: &Context, header: &str) -> Result<Fragment, RenderError> {
    ctx.renderer.fragment("torch/operators/aggregate_include.j2", &Header { header }).map(Fragment::of_template)
}

/// `<Category>.h`, which includes one header per name, in the given order.
pub(crate) fn list(ctx: &Context, category: &str, names: &[&str], suffix: &str) -> Result<OutputFile, RenderError> {
    let mut env = Env::new();
    env.set(format!("{category}_includes"), many(ctx, names, suffix)?);
    env.set(format!("{category}_declarations"), Vec::<Fragment>::new());
    let file = format!("{category}.h");
    ctx.file(managers::CPU, &file, &file, &env)
}

#[derive(Serialize)]
struct Keys {
    keys: Vec<&'static str>,
}

/// The headers of all keys that static dispatch can call. Rule: torchgen/gen.py,
/// `static_dispatch_extra_headers`.
pub(crate) fn static_dispatch(ctx: &Context) -> Result<Vec<Fragment>, RenderError> {
    if ctx.static_dispatch.is_empty() {
        return Ok(Vec::new());
    }
    use DispatchKey::*;
    let composites = [
        CompositeImplicitAutograd,
        CompositeImplicitAutogradNestedTensor,
        CompositeExplicitAutograd,
        CompositeExplicitAutogradNonFunctional,
    ];
    let backends = ctx.static_dispatch.iter().map(|index| index.dispatch_key);
    let keys = backends.chain(composites).map(DispatchKey::as_str).collect();
    Ok(Fragment::lines_of(&ctx.renderer.fragment("torch/operators/key_includes.j2", &Keys { keys })?))
}

//! Wrappers of a few operators, in full.

use super::backend::Backend;
use super::definitions::texts;
use crate::Context;
use crate::testing::{cases, with_operators};
use torchgen_model::model::{BackendIndex, DispatchKey};

/// A name starts with the dispatch key; with `outside`, its kernels are those of CPU, functional
/// ones first, in a class.
#[test]
fn wrappers() {
    cases("src/register_dispatch_key/tests/cases.txt", |name, yaml| {
        let key = DispatchKey::parse(name.split(' ').next().unwrap()).unwrap();
        with_operators(yaml, &[], |ctx| {
            let backend = if name.contains("outside") { outside(&ctx, key) } else { Backend::aten(&ctx, key) };
            show(&ctx, &backend)
        })
    });
}

fn outside<'a>(ctx: &Context<'a>, key: DispatchKey) -> Backend<'a> {
    let kernels = ctx.indices.get(DispatchKey::CPU).clone();
    let index = BackendIndex { dispatch_key: key, use_out_as_primary: false, external: true, ..kernels };
    // Tests may leak it.
    Backend { index: Box::leak(Box::new(index)), kernel_class: Some("XLANativeFunctions"), ..Backend::aten(ctx, key) }
}

fn show<'a>(ctx: &Context<'a>, backend: &Backend<'a>) -> Result<String, crate::Errors> {
    let all = ctx.per_item(ctx.grouped, |item| texts(ctx, backend, item))?;
    let shown = all.into_iter().flatten().map(|texts| {
        let functions = texts.functions.as_str();
        format!("{}{}{}\n", texts.wrappers.as_str(), texts.registrations.as_str(), functions)
    });
    Ok(shown.collect())
}

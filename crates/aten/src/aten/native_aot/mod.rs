//! Native-AOT: kernels compiled ahead of time that an operator's wrapper may run in place of its
//! implementation.
//!
//! Declarations (`<op>/aot.py`) show which operators have such kernels for which key. Each gets a
//! dispatch stub, declared and defined here; the wrapper that calls it is in `Register<Key>.cpp`,
//! made by `register_dispatch_key`.
//!
//! Invariant: a declaration is parsed, never run. Parts for the tools that compile the kernels are
//! ignored. Rule: torchgen/native_aot.py.

mod declaration;
mod directory;

use std::collections::HashSet;

use serde::Serialize;

use torchgen_api::structured;
use torchgen_base::render::Env;
use torchgen_generators::names::fixed;
use torchgen_generators::native_aot::Manifest;
use torchgen_generators::{Context, ItemError, Outcome, managers};

pub(super) use directory::read_native_aot;

/// A stub and the function type of its kernels.
#[derive(Serialize)]
struct Stub {
    name: String,
    function_type: String,
    /// The parameters of the structured implementation. Definitions need none.
    parameters: Vec<String>,
}

/// The files of a generator, for dry runs.
pub(crate) fn names(ctx: &Context, name: &str) -> Outcome {
    if is_left_out(ctx, name) { Ok(Vec::new()) } else { fixed(&[(managers::CPU, name)]) }
}

/// Whether there is nothing to write: torch before 2.15 does not have the templates.
fn is_left_out(ctx: &Context, template: &str) -> bool {
    !ctx.renderer.has_template(template) && ctx.native_aot.iter().next().is_none()
}

/// Makes NativeAotStubs.h.
///
/// # Errors
/// The template or a declaration cannot be rendered.
pub(crate) fn headers(ctx: &Context) -> Outcome {
    if is_left_out(ctx, "NativeAotStubs.h") {
        return Ok(Vec::new());
    }
    let mut stubs = Vec::new();
    for manifest in operators(ctx) {
        // A declaration without a group is reported by `Manifests::check_groups`.
        let Some(group) = ctx.groups.iter().find(|group| group.structured() && manifest.matches(group)) else {
            continue;
        };
        let stub = ctx.per_item(&[*group], |group| {
            let parameters = structured::impl_arguments(group.out).map_err(ItemError::from)?;
            Ok(Stub {
                parameters: parameters.iter().map(|parameter| parameter.defn()).collect(),
                ..Stub::from_manifest(manifest)
            })
        })?;
        stubs.extend(stub);
    }
    file(ctx, "NativeAotStubs.h", "native_aot_stub_declarations", "torch/native_aot/declaration.j2", stubs)
}

/// Makes NativeAotStubs.cpp.
///
/// # Errors
/// The template or a definition cannot be rendered.
pub(crate) fn sources(ctx: &Context) -> Outcome {
    if is_left_out(ctx, "NativeAotStubs.cpp") {
        return Ok(Vec::new());
    }
    let stubs = operators(ctx).map(Stub::from_manifest).collect();
    file(ctx, "NativeAotStubs.cpp", "native_aot_stub_definitions", "torch/native_aot/definition.j2", stubs)
}

/// The first manifest of each operator: all keys share a stub.
fn operators<'a>(ctx: &'a Context) -> impl Iterator<Item = &'a Manifest> {
    let mut seen = HashSet::new();
    ctx.native_aot.iter().filter(move |manifest| seen.insert(&manifest.op))
}

fn file(ctx: &Context, name: &str, key: &str, fragment: &str, stubs: Vec<Stub>) -> Outcome {
    let stubs: Result<Vec<String>, _> = stubs.iter().map(|stub| ctx.renderer.fragment(fragment, stub)).collect();
    Ok(vec![ctx.file(managers::CPU, name, name, &Env::from_iter([(key, stubs?)]))?])
}

impl Stub {
    fn from_manifest(manifest: &Manifest) -> Stub {
        Stub { name: manifest.stub_name(), function_type: manifest.fn_type_name(), parameters: Vec::new() }
    }
}

#[cfg(test)]
mod tests;

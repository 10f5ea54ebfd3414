//! The text before the definitions in a key's sources: includes and the functions that make and
//! check outputs.
//!
//! Rule: torchgen/dest/register_dispatch_key.py, `gen_registration_headers` and
//! `gen_registration_helpers`; torchgen/gen.py, `gen_source_files`.

use std::collections::BTreeSet;

use serde::Serialize;

use super::backend::{Backend, Empty};
use super::structured::{has_native_aot, is_elementwise_iterator};
use crate::Context;
use torchgen_base::render::{Env, Fragment, RenderError, Renderer};
use torchgen_model::group::{Grouped, NativeFunctionsGroup};
use torchgen_model::model::DispatchKey;

#[derive(Serialize)]
struct Device {
    rocm: bool,
}

/// The headers for making outputs.
#[derive(Serialize)]
struct Outputs<'a> {
    per_operator_headers: bool,
    /// The header below `ATen` of the functions that make outputs.
    empty_header: Option<&'a str>,
    native_aot: bool,
}

#[derive(Serialize)]
struct Includes {
    /// Headers below `ATen`.
    headers: Vec<String>,
}

/// The functions that structured wrappers call.
#[derive(Serialize)]
struct Helpers<'a> {
    empty: Option<&'a Empty>,
    resizes: bool,
    at: &'static str,
}

/// The functions that a library's structured wrappers call.
#[derive(Serialize)]
struct LibraryHelpers<'a> {
    empty: &'a Empty,
    /// Outputs are made on the meta device.
    meta: bool,
    resizes: bool,
    /// The type of sizes.
    arrays: Vec<Array>,
    /// Some symbolic sizes must be hidden from the meta function.
    stand_ins: bool,
}

#[derive(Serialize)]
struct Array {
    ty: &'static str,
    symbolic: bool,
}

/// What all sources of a key have in common.
pub(crate) fn env(ctx: &Context, backend: &Backend) -> Result<Env, RenderError> {
    let render_device =
        || ctx.renderer.fragment("torch/register_dispatch_key/cuda_headers.j2", &Device { rocm: ctx.flags.rocm });
    let mut env = Env::new();
    let device = if backend.key.is_cuda() { render_device()? } else { String::new() };
    env.set("extra_cuda_headers", Fragment::of_template(device));
    env.set("external_backend_headers", "");
    env.set("dispatch_headers", Fragment::lines_of(&headers(ctx, backend, has_native_aot(ctx, backend))?));
    env.set("ops_headers", Fragment::lines_of(&includes(ctx.renderer, operator_headers(ctx, backend))?));
    env.set("dispatch_helpers", helpers(ctx, backend)?);
    Ok(env)
}

/// The includes of headers below `ATen`.
pub fn includes(renderer: &Renderer, headers: Vec<String>) -> Result<String, RenderError> {
    renderer.fragment("torch/register_dispatch_key/includes.j2", &Includes { headers })
}

/// The headers for making outputs. Those of kernels that are compiled ahead of time are CUDA's.
pub fn headers(ctx: &Context, backend: &Backend, native_aot: bool) -> Result<String, RenderError> {
    let outputs = Outputs {
        per_operator_headers: ctx.flags.per_operator_headers,
        empty_header: backend.empty_header,
        native_aot: backend.index.dispatch_key == DispatchKey::CUDA && native_aot,
    };
    ctx.renderer.fragment("torch/register_dispatch_key/headers.j2", &outputs)
}

/// A part of what [`helper`] shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Helper {
    /// The line before all functions.
    Begin,
    /// The function that makes an output.
    CreateOut,
    /// The function that resizes an output.
    ResizeOut,
    /// The function that checks an output that is an input too.
    CheckInplace,
    /// The function that makes an output with other strides.
    MaybeCreateProxy,
    /// The line after all functions.
    End,
}

impl Helper {
    /// All of them, in order.
    const ALL: [Helper; 6] = [
        Helper::Begin,
        Helper::CreateOut,
        Helper::ResizeOut,
        Helper::CheckInplace,
        Helper::MaybeCreateProxy,
        Helper::End,
    ];
}

/// A function that structured wrappers call, or a line around all of them; `None` for one that the
/// key does not need. `empty` names the functions that make a tensor, without strides and with
/// them.
pub fn helper(
    ctx: &Context,
    backend: &Backend,
    empty: Option<(String, String)>,
    which: Helper,
) -> Result<Option<String>, RenderError> {
    let options = backend.empty.as_ref().map_or(OPTIONS, |empty| empty.options);
    let empty = empty.map(|(empty, empty_strided)| Empty { empty, empty_strided, options });
    let is_needed = match which {
        Helper::CreateOut | Helper::MaybeCreateProxy => empty.is_some(),
        Helper::ResizeOut => backend.resizes,
        Helper::Begin | Helper::CheckInplace | Helper::End => true,
    };
    let template = match which {
        Helper::Begin => "torch/register_dispatch_key/helpers_begin.j2",
        Helper::CreateOut => "torch/register_dispatch_key/create_out.j2",
        Helper::ResizeOut => "torch/register_dispatch_key/resize_out.j2",
        Helper::CheckInplace => "torch/register_dispatch_key/check_inplace.j2",
        Helper::MaybeCreateProxy => "torch/register_dispatch_key/maybe_create_proxy.j2",
        Helper::End => "torch/register_dispatch_key/helpers_end.j2",
    };
    let view = Helpers { empty: empty.as_ref(), resizes: backend.resizes, at: backend.at };
    is_needed.then(|| ctx.renderer.fragment(template, &view)).transpose()
}

/// The names of the functions that make a tensor, without strides and with them, if they are known.
pub fn empty_names<'b>(backend: &'b Backend) -> Option<(&'b str, &'b str)> {
    backend.empty.as_ref().map(|empty| (empty.empty.as_str(), empty.empty_strided.as_str()))
}

/// The options of a new tensor.
const OPTIONS: &str = "options";

/// The beginning of a source for a backend outside ATen, without the backend's own header.
pub fn external_env(ctx: &Context, backend: &Backend) -> Result<Env, RenderError> {
    let mut env = env(ctx, backend)?;
    let headers = if ctx.flags.per_operator_headers { Vec::new() } else { vec!["Functions.h".to_owned()] };
    env.set("extra_cuda_headers", "");
    env.set("ops_headers", vec![includes(ctx.renderer, headers)?]);
    Ok(env)
}

/// The helpers of a key's wrappers; none for a key that does not use them, since an unused function
/// is an error.
fn helpers(ctx: &Context, backend: &Backend) -> Result<Vec<Fragment>, RenderError> {
    if backend.key == DispatchKey::CompositeImplicitAutogradNestedTensor {
        return Ok(Vec::new());
    }
    let mut made = Vec::new();
    let named = || empty_names(backend).map(|(empty, strided)| (empty.to_owned(), strided.to_owned()));
    for which in Helper::ALL {
        made.extend(helper(ctx, backend, named(), which)?.map(|text| match which {
            Helper::Begin | Helper::End => Fragment::of_template(text),
            _ => Fragment::new(text),
        }));
    }
    Ok(made)
}

/// The helpers of a key's wrappers in a library; `None` if none of them makes outputs.
pub fn library_helpers(ctx: &Context, backend: &Backend) -> Result<Option<Fragment>, RenderError> {
    let structured = |g: &&NativeFunctionsGroup| {
        g.structured() && (backend.needs_no_kernels() || g.get_kernel(backend.index).is_some_and(|k| k.structured))
    };
    let groups: Vec<_> = ctx.groups.iter().filter(structured).collect();
    let Some(empty) = backend.empty.as_ref().filter(|_| !groups.is_empty()) else { return Ok(None) };
    let inherits = |g: &&NativeFunctionsGroup| g.out.structured_inherits.is_some();
    let stand_ins = backend.key == DispatchKey::Meta && groups.iter().any(|g| is_elementwise_iterator(g));
    let mut arrays = Vec::new();
    if !backend.symbolic || groups.iter().any(inherits) {
        arrays.push(Array { ty: "at::IntArrayRef", symbolic: false });
    }
    if backend.symbolic && (stand_ins || !groups.iter().all(inherits)) {
        arrays.push(Array { ty: "c10::SymIntArrayRef", symbolic: true });
    }
    let meta = backend.key == DispatchKey::Meta;
    let view = LibraryHelpers { empty, meta, resizes: backend.resizes, arrays, stand_ins };
    ctx.renderer.fragment("torch/library/kernels/helpers.j2", &view).map(|text| Some(Fragment::new(text)))
}

/// The headers below `ATen` of all operators with a wrapper.
fn operator_headers(ctx: &Context, backend: &Backend) -> Vec<String> {
    let key = backend.key;
    let calls_operators = key == DispatchKey::CompositeExplicitAutogradNonFunctional;
    let has_functions = ctx.functions_keys.contains(&key);
    if !ctx.flags.per_operator_headers {
        let mut headers = vec!["NativeFunctions.h".to_owned()];
        headers.extend(calls_operators.then(|| "Functions.h".to_owned()));
        headers.extend(has_functions.then(|| format!("{key}Functions.h")));
        return headers;
    }
    let namespace = backend.namespace();
    let mut headers = BTreeSet::new();
    for item in ctx.grouped.iter().filter(|item| is_registered(backend, item)) {
        let name = item.root_name();
        headers.insert(format!("ops/{name}_native.h"));
        if calls_operators {
            headers.insert(format!("ops/{name}.h"));
        }
        if has_functions {
            headers.insert(format!("ops/{name}_{namespace}_dispatch.h"));
        }
    }
    headers.into_iter().collect()
}

/// The item counts as one with wrappers, although it may have none.
fn is_registered(backend: &Backend, item: &Grouped) -> bool {
    let generated = matches!(backend.key, DispatchKey::Meta | DispatchKey::CompositeExplicitAutogradNonFunctional);
    let structured = match item {
        Grouped::Function(f) => f.structured,
        Grouped::Group(g) => g.structured(),
    };
    item.functions().iter().any(|f| backend.index.has_kernel(f)) || (structured && generated)
}

//! `<Key>NativeFunctions.h`: the class whose members are the kernels.
//!
//! Invariant: a kernel is declared once, however many operators use it. Rule:
//! torchgen/gen_backend_stubs.py, `gen_dispatchkey_nativefunc_headers`.

use std::collections::BTreeSet;

use serde::Serialize;

use super::External;
use torchgen_api::CallingConvention;
use torchgen_api::meta::Meta;
use torchgen_api::{Binding, Locals, kernel_signature, structured};
use torchgen_base::render::{Env, Fragment, RenderError, Renderer};
use torchgen_base::write::OutputFile;
use torchgen_generators::managers;
use torchgen_generators::{Context, Errors};
use torchgen_model::model::DispatchKey;
use torchgen_model::records::KernelRecord;

#[derive(Serialize)]
struct Declarations<'a> {
    /// The kernels of the backend's key, then those of its autograd key, each in order.
    declarations: Vec<&'a str>,
    /// Structured kernels.
    structured: Vec<Structured>,
}

/// The operators whose meta functions are declared, by the base names of their headers.
#[derive(Serialize)]
struct MetaHeaders<'a> {
    operators: BTreeSet<&'a str>,
}

/// A structured kernel.
#[derive(Serialize)]
struct Structured {
    /// The operator without its overload.
    operator: String,
    name: String,
    /// PyTorch's meta function.
    parent: String,
    /// The parameters of the kernel.
    parameters: String,
    /// Those of the backend's own meta function, if it has one.
    meta: Option<String>,
    /// The meta function computes values for the kernel.
    precomputes: bool,
}

#[derive(Serialize)]
struct Namespace<'a> {
    levels: Vec<&'a str>,
}

#[derive(Serialize)]
struct Comment {}

#[derive(Serialize)]
struct Includes<'a> {
    paths: Vec<&'a str>,
}

/// The comment of a header.
pub(super) fn header_comment(renderer: &Renderer) -> Result<String, RenderError> {
    renderer.fragment("torch/backend/header_comment.j2", &Comment {})
}

/// Statements that include headers.
pub(crate) fn includes(ctx: &Context, paths: Vec<&str>) -> Result<String, RenderError> {
    ctx.renderer.fragment("torch/lazy/includes.j2", &Includes { paths })
}

/// The header.
pub(super) fn file(
    ctx: &Context,
    external: &External,
    kernels: &[KernelRecord],
    backend_name: &str,
) -> Result<OutputFile, Errors> {
    let structured = structured(ctx, kernels)?;
    let below = declarations(ctx, external.key)?;
    let autograd = external.autograd_key.map(|key| declarations(ctx, key)).transpose()?.unwrap_or_default();
    let declarations = below.iter().chain(&autograd).map(String::as_str).collect();
    let operators = structured.iter().map(|kernel| kernel.operator.as_str()).collect();
    let meta_headers = ctx.renderer.fragment("torch/backend/meta_headers.j2", &MetaHeaders { operators })?;
    let view = Declarations { declarations, structured };
    let (opened, closed) = namespace(ctx, &external.cpp_namespace)?;
    let mut env = Env::new();
    env.set("generated_comment", header_comment(ctx.renderer)?);
    env.set("namespace_prologue", vec![Fragment::new(meta_headers), opened]);
    env.set("class_name", external.class_name.as_str());
    env.set("namespace_epilogue", closed);
    env.set("dispatch_declarations", vec![ctx.renderer.fragment("torch/backend/declarations.j2", &view)?]);
    env.set("BackendName", backend_name);
    env.set("DispatchKey", external.key.as_str());
    let name = format!("{}NativeFunctions.h", external.name);
    Ok(ctx.file(managers::CPU, &name, "DispatchKeyNativeFunctions.h", &env)?)
}

/// The code that opens a namespace, and the code that closes it.
pub(crate) fn namespace(ctx: &Context, name: &str) -> Result<(Fragment, Fragment), Errors> {
    let view = Namespace { levels: name.split("::").collect() };
    let opened = ctx.renderer.fragment("torch/register_dispatch_key/namespace_opened.j2", &view)?;
    let view = Namespace { levels: name.rsplit("::").collect() };
    let closed = ctx.renderer.fragment("torch/register_dispatch_key/namespace_closed.j2", &view)?;
    Ok((Fragment::new(opened), Fragment::new(closed)))
}

/// The kernels of a key, as declared.
fn declarations(ctx: &Context, key: DispatchKey) -> Result<BTreeSet<String>, Errors> {
    let index = ctx.indices.get(key);
    let declared = ctx.per_item(ctx.grouped, |item| {
        let mut declared = Vec::new();
        for f in item.functions() {
            if let Some(kernel) = index.get_kernel(f).filter(|kernel| !kernel.structured) {
                declared.push(kernel_signature(f, index, Locals::for_operator(f))?.decl_as(&kernel.kernel));
            }
        }
        Ok(declared)
    })?;
    Ok(declared.into_iter().flatten().collect())
}

/// The backend's structured kernels, in the order of their operators.
fn structured(ctx: &Context, kernels: &[KernelRecord]) -> Result<Vec<Structured>, Errors> {
    let made = ctx.per_item(ctx.groups, |g| {
        let name = g.out.func.name.to_string();
        let is_it = |kernel: &&KernelRecord| kernel.structured && kernel.name.as_str() == name;
        let Some(kernel) = kernels.iter().find(is_it).filter(|kernel| !kernel.reuse_impl) else { return Ok(None) };
        let parameters = |bindings: Vec<Binding>| bindings.iter().map(Binding::decl).collect::<Vec<_>>().join(", ");
        let meta = match kernel.define_meta {
            true => Some(parameters(Meta::default().arguments(&g.functional.func)?)),
            false => None,
        };
        Ok(Some(Structured {
            operator: g.root_name().to_owned(),
            name: g.out.func.name.unambiguous_name(),
            parent: format!("at::meta::structured_{}", Meta::default().name(&g.functional.func)),
            parameters: parameters(structured::impl_arguments(g.out)?),
            meta,
            precomputes: g.out.precomputed.is_some(),
        }))
    })?;
    Ok(made.into_iter().flatten().collect())
}

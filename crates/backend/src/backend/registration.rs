//! `Register<Key>.cpp`: wrappers around the kernels of a key, and their registration.
//!
//! Invariant: the operators are PyTorch's, so registrations name `aten`, whatever namespace the
//! operators are declared in. Rule: torchgen/gen_backend_stubs.py, `gen_dispatcher_registrations`.

use serde::Serialize;

use super::header::{includes, namespace};
use super::{Decided, External};
use torchgen_base::render::{Env, Fragment};
use torchgen_base::write::OutputFile;
use torchgen_generators::hooks::Hooks;
use torchgen_generators::managers;
use torchgen_generators::register_dispatch_key::{self as wrappers, Registration};
use torchgen_generators::{Context, Errors};
use torchgen_model::model::DispatchKey;
use torchgen_model::records::{GuardsRecord, KernelRecord};

/// The differences between a backend's stubs and a lazy backend.
pub(crate) struct Style<'a> {
    /// The directory of the header in includes.
    pub(crate) directory: &'a str,
    /// The header is included in angle brackets: the backend is built with PyTorch.
    pub(crate) in_tree: bool,
    /// The suffix of the function that registers the kernels; without it they are registered when
    /// the library is loaded.
    pub(crate) deferred: Option<&'a str>,
    /// The program in comments.
    pub(crate) generator: &'a str,
    /// Text that the backend adds to files.
    pub hooks: Hooks<'a>,
    /// What wrappers call to check devices and switch between them.
    pub guards: &'a GuardsRecord,
    /// Settings of single kernels.
    pub kernels: &'a [KernelRecord],
    /// What the caller of the program decided, if it was asked.
    pub decided: Option<&'a Decided>,
}

#[derive(Serialize)]
struct Comment<'a> {
    generator: &'a str,
    template: &'a str,
}

/// The comment of a file from that template.
pub(crate) fn comment(ctx: &Context, generator: &str, template: &str) -> Result<Fragment, Errors> {
    let text = ctx.renderer.fragment("write/generated_comment.j2", &Comment { generator, template })?;
    Ok(Fragment::new(text))
}

#[derive(Serialize)]
pub(super) struct Include<'a> {
    pub(super) directory: &'a str,
    pub(super) name: &'a str,
    pub(super) in_tree: bool,
}

#[derive(Serialize)]
pub(super) struct Registrations<'a> {
    pub(super) backend_name: &'a str,
    pub(super) key: &'static str,
    pub(super) registrations: &'a [Registration],
    /// Statements after them.
    pub(super) after: Vec<&'a str>,
}

const TEMPLATE: &str = "RegisterDispatchKey.cpp";
const SKELETON: &str = "RegisterDispatchDefinitions.ini";

/// The source of one key.
///
/// # Errors
/// Wrappers do not support the shape of a kernel.
pub(super) fn file(ctx: &Context, external: &External, key: DispatchKey, style: &Style) -> Result<OutputFile, Errors> {
    let name = match Some(key) == external.autograd_key {
        true => format!("RegisterAutograd{}.cpp", external.name),
        false => format!("Register{}.cpp", external.name),
    };
    let backend = wrappers::backend::Backend::external(ctx, key, &external.class_name).guarded_by(style.guards);
    let given = style.decided.map(|decided| decided.wrappers(key)).unwrap_or_default();
    let items = ctx.per_item(ctx.grouped, |item| wrappers::definitions::external(ctx, &backend, item, &given))?;
    let (texts, registrations): (Vec<Fragment>, Vec<Vec<Registration>>) = items.into_iter().flatten().unzip();
    let registrations: Vec<Registration> = registrations.into_iter().flatten().collect();
    let view = Registrations {
        backend_name: style.deferred.unwrap_or_default(),
        key: key.as_str(),
        registrations: &registrations,
        after: style.hooks.registrations(&name),
    };
    let render = |template: &str| ctx.renderer.fragment(template, &view);
    let (at_load, on_call) = match style.deferred {
        None => (render("torch/backend/registrations.j2")?, String::new()),
        Some(_) => (String::new(), render("torch/backend/deferred_registrations.j2")?),
    };
    let (opened, closed) = namespace(ctx, "at")?;
    let mut env = Env::new();
    env.set("ns_prologue", opened);
    env.set("ns_epilogue", closed);
    env.set("static_init_dispatch_registrations", at_load);
    env.set("deferred_dispatch_registrations", on_call);
    env.set("dispatch_namespace", key.lower());
    env.set("dispatch_namespaced_definitions", "");
    env.set("dispatch_anonymous_definitions", texts);
    let definitions = wrappers::definitions::list_of_lines(&ctx.contents(SKELETON, &env)?);

    let include = Include { directory: style.directory, name: &external.name, in_tree: style.in_tree };
    let mut env = wrappers::frame::external_env(ctx, &backend)?;
    env.set("generated_comment", comment(ctx, style.generator, TEMPLATE)?);
    let mut headers = vec![ctx.renderer.fragment("torch/backend/include.j2", &include)?];
    let own = style.decided.map(|decided| decided.includes(key)).unwrap_or_default();
    if !own.is_empty() {
        headers.push(includes(ctx, own)?);
    }
    env.set("external_backend_headers", headers.concat());
    env.set("DispatchKey", key.as_str());
    env.set("dispatch_namespace", key.lower());
    env.set("dispatch_definitions", vec![definitions]);
    Ok(ctx.file(managers::CPU, &name, TEMPLATE, &env)?)
}

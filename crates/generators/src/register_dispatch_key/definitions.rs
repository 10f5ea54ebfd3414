//! The definitions of one item for one key: wrappers, their registration, and functions that bypass
//! the dispatcher.
//!
//! Invariant: the template is the source path's `RegisterDispatchDefinitions.ini`, filled per item,
//! and blank lines are dropped. Rule: torchgen/gen.py, `get_native_function_definitions`.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::backend::Backend;
use super::members::{Member, members};
use super::wrapper::{Function, Registration, Wrapper, Wrappers};
use crate::guard::Guard;
use crate::size_check::SizeCheck;
use crate::{Context, ItemError};
use torchgen_base::render::{Contents, Env, Fragment, RenderError, View};
use torchgen_model::group::Grouped;
use torchgen_model::model::native_function::DEFAULT_KERNEL_NAMESPACE;
use torchgen_model::model::{NativeFunction, OperatorName};

const SKELETON: &str = "RegisterDispatchDefinitions.ini";
const WRAPPERS: &str = "torch/register_dispatch_key/wrappers.j2";

#[derive(Serialize)]
struct Namespace<'a> {
    levels: Vec<&'a str>,
}

#[derive(Serialize)]
struct Registrations<'a> {
    /// The namespace of the operators.
    library: &'a str,
    key: &'static str,
    wrappers: &'a [Wrapper<'a>],
    registrations: &'a [Registration],
    functions: &'a [Function],
    /// The operators' schemas, in the order of the wrappers.
    schemas: Vec<String>,
    /// The builds that have each of the wrappers.
    guards: &'a [Option<Guard>],
    /// What each of them compares first.
    size_checks: Vec<Option<SizeCheck>>,
}

/// The texts of an item's wrappers.
pub struct Texts {
    /// The wrappers themselves, for an anonymous namespace.
    pub wrappers: Fragment,
    /// The block that registers them; empty if none is registered.
    pub registrations: Fragment,
    /// The functions that call them, for a namespace of the key's own.
    pub functions: Fragment,
}

/// The wrappers of an item; `None` if it has none for the key.
///
/// # Errors
/// Wrappers do not support the shape of an operator.
pub fn texts<'a>(ctx: &Context<'a>, backend: &Backend<'a>, item: &Grouped<'a>) -> Result<Option<Texts>, ItemError> {
    let members = members(backend, item)?;
    if members.is_empty() {
        return Ok(None);
    }
    let Wrappers { wrappers, registrations, functions, guards } = Wrappers::new(ctx, backend, &members)?;
    let schema = |f: &NativeFunction| ctx.renderer.about([f]).marked(f.qualified_schema());
    // Only the templates of libraries have the schemas and the checks.
    let read: &[_] = if ctx.target.authors_read { &members } else { &[] };
    let view = View::new(&Registrations {
        library: item.namespace(),
        key: backend.key.as_str(),
        wrappers: &wrappers,
        registrations: &registrations,
        functions: &functions,
        schemas: read.iter().map(|member| schema(member.f)).collect(),
        guards: &guards,
        size_checks: read.iter().map(|member| SizeCheck::new(ctx, member.f, |_, a| a.name.clone())).collect(),
    });
    let target = ctx.target;
    let render = |name: &str| ctx.renderer.fragment_of(name, &view).map(Fragment::new);
    Ok(Some(Texts {
        wrappers: render(target.template(WRAPPERS, "torch/library/kernels/wrappers.j2"))?,
        registrations: match registrations.is_empty() {
            true => Fragment::default(),
            false => render(
                target
                    .template("torch/register_dispatch_key/registrations.j2", "torch/library/kernels/registrations.j2"),
            )?,
        },
        functions: render("torch/register_dispatch_key/functions.j2")?,
    }))
}

/// The namespaces of a key's kernels, shared by most items.
pub(crate) struct Frames(BTreeMap<String, Frame>);

struct Frame {
    opened: Fragment,
    closed: Fragment,
}

impl Frames {
    /// The namespaces for all items.
    pub(crate) fn new(ctx: &Context, backend: &Backend) -> Result<Self, RenderError> {
        let mut frames = BTreeMap::new();
        for item in ctx.grouped {
            let namespace = namespace(backend, item);
            if !frames.contains_key(namespace) {
                let without = namespace.replace("::native", "");
                let frame = Frame { opened: opened(ctx, &without)?, closed: closed(ctx, &without)? };
                frames.insert(namespace.to_owned(), frame);
            }
        }
        Ok(Frames(frames))
    }
}

/// The namespace of an item's kernel.
fn namespace<'b>(backend: &'b Backend, item: &Grouped) -> &'b str {
    item.get_kernel(backend.index).map_or(DEFAULT_KERNEL_NAMESPACE, |kernel| &kernel.cpp_namespace)
}

/// The definitions of an item from ATen's template.
pub(crate) fn definitions<'a>(
    ctx: &Context<'a>,
    backend: &Backend<'a>,
    frames: &Frames,
    item: &Grouped<'a>,
) -> Result<Option<Fragment>, ItemError> {
    let Some(texts) = texts(ctx, backend, item)? else { return Ok(None) };
    let frame = frames.0.get(namespace(backend, item)).expect("made for all items");
    let mut env = Env::new();
    env.set("ns_prologue", frame.opened.clone());
    env.set("ns_epilogue", frame.closed.clone());
    env.set("dispatch_anonymous_definitions", vec![texts.wrappers]);
    env.set("static_init_dispatch_registrations", texts.registrations);
    env.set("deferred_dispatch_registrations", "");
    env.set("dispatch_namespace", backend.namespace());
    env.set("dispatch_namespaced_definitions", vec![texts.functions]);
    Ok(Some(list_of_lines(&ctx.contents(SKELETON, &env)?)))
}

/// The text from a template, as a list of lines in another.
pub fn list_of_lines(contents: &Contents) -> Fragment {
    let mut text = String::with_capacity(contents.len());
    contents.pieces().for_each(|piece| text.push_str(piece));
    Fragment::lines(&text)
}

#[derive(Serialize)]
struct WrapperList<'a> {
    wrappers: &'a [Wrapper<'a>],
}

/// Wrappers that the caller of the program wrote, by the names of their operators.
pub type Given = HashMap<OperatorName, String>;

/// The wrappers of an item for a backend outside ATen, and their registrations; `None` if it has
/// none. Wrappers that are `given` replace those that would be made.
pub fn external<'a>(
    ctx: &Context<'a>,
    backend: &Backend<'a>,
    item: &Grouped<'a>,
    given: &Given,
) -> Result<Option<(Fragment, Vec<Registration>)>, ItemError> {
    let members = members(backend, item)?;
    if members.is_empty() {
        return Ok(None);
    }
    let Wrappers { mut wrappers, registrations, .. } = Wrappers::new(ctx, backend, &members)?;
    if !given.is_empty() {
        for (wrapper, member) in wrappers.iter_mut().zip(&members) {
            if let Some(text) = given.get(&member.f.func.name) {
                *wrapper = Wrapper::Given { text: text.clone() };
            }
        }
    }
    if !ctx.renderer.knows_operators() {
        return Ok(Some((Fragment::new(list(ctx, &wrappers)?), registrations)));
    }
    let mut text = String::new();
    for (wrapper, member) in wrappers.chunks(1).zip(&members) {
        text += &ctx.renderer.fragment_for(WRAPPERS, &WrapperList { wrappers: wrapper }, &member.f.full_name())?;
    }
    Ok(Some((Fragment::new(text), registrations)))
}

/// Wrappers as text.
pub(super) fn list(ctx: &Context, wrappers: &[Wrapper<'_>]) -> Result<String, RenderError> {
    ctx.renderer.fragment(WRAPPERS, &WrapperList { wrappers })
}

/// The operators of an item that have wrappers for a backend outside ATen, each with its wrapper.
pub fn single<'a>(
    ctx: &Context<'a>,
    backend: &Backend<'a>,
    item: &Grouped<'a>,
) -> Result<Vec<(&'a NativeFunction, String)>, ItemError> {
    let members = members(backend, item)?;
    let Wrappers { wrappers, .. } = Wrappers::new(ctx, backend, &members)?;
    let one = |(member, wrapper): (&Member<'a>, _)| Ok((member.f, list(ctx, std::slice::from_ref(wrapper))?));
    members.iter().zip(&wrappers).map(one).collect()
}

fn opened(ctx: &Context, namespace: &str) -> Result<Fragment, RenderError> {
    let view = Namespace { levels: namespace.split("::").collect() };
    ctx.renderer.fragment("torch/register_dispatch_key/namespace_opened.j2", &view).map(Fragment::of_template)
}

fn closed(ctx: &Context, namespace: &str) -> Result<Fragment, RenderError> {
    let view = Namespace { levels: namespace.rsplit("::").collect() };
    ctx.renderer.fragment("torch/register_dispatch_key/namespace_closed.j2", &view).map(Fragment::of_template)
}

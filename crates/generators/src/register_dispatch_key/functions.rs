//! Headers of the functions that bypass the dispatcher: `<Key>Functions.h`, `<Key>Functions_inl.h`
//! and, per operator, `ops/<name>_<key>_dispatch.h`.
//!
//! Invariant: the headers declare what the sources define, selected or not. Rule: torchgen/gen.py,
//! `get_namespaced_declaration`.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::Serialize;

use super::backend::Backend;
use super::members::members;
use super::wrapper::cpp_signatures;
use crate::managers;
use crate::names::file_named;
use crate::operators::{by_root_name, include};
use crate::{Context, Errors, ItemError, Outcome};
use torchgen_base::render::{Env, Fragment, RenderError};
use torchgen_base::write::OutputFile;
use torchgen_model::group::Grouped;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::native_function::DEFAULT_KERNEL_NAMESPACE;

/// The functions of some operators, each with its overloads, in one namespace or in none.
#[derive(Serialize)]
pub(super) struct Declarations<'a> {
    levels: Vec<&'a str>,
    export: &'a str,
    functions: Vec<Vec<String>>,
}

/// The names of [`headers`].
pub(crate) fn names(ctx: &Context, backend: &Backend) -> Outcome {
    let key = backend.key;
    let mut files = Vec::new();
    if ctx.flags.per_operator_headers {
        let suffix = suffix(backend);
        let with_wrappers =
            ctx.per_item(ctx.grouped, |item| Ok((item.root_name(), !members(backend, item)?.is_empty())))?;
        for (name, members) in by_root_name(with_wrappers, |(name, _)| name) {
            if members.iter().any(|(_, with_wrapper)| *with_wrapper) {
                files.push(file_named(managers::OPS, format!("{name}{suffix}")).made_for(name));
            }
        }
    }
    files.extend(["Functions.h", "Functions_inl.h"].map(|end| file_named(ctx.manager_of(key), format!("{key}{end}"))));
    Ok(files)
}

/// The suffix of the names of a key's headers.
fn suffix(backend: &Backend) -> String {
    format!("_{}_dispatch.h", backend.namespace())
}

/// The headers of a key.
pub(crate) fn headers(ctx: &Context, backend: &Backend) -> Outcome {
    let key = backend.key;
    let manager = ctx.manager_of(key);
    let mut files = Vec::new();
    let (includes, declarations) = match ctx.flags.per_operator_headers {
        true => (per_operator(ctx, backend, &mut files)?, Vec::new()),
        false => (Vec::new(), aggregated(ctx, backend)?),
    };
    let inl = format!("{key}Functions_inl.h");
    let mut env = Env::new();
    env.set("dispatch_key", key.as_str());
    env.set("inline_headers", include::aggregate(ctx, &inl)?);
    files.push(ctx.file(manager, &format!("{key}Functions.h"), "DispatchKeyFunctions.h", &env)?);
    let mut env = Env::new();
    env.set("DispatchKeyFunctions_inl_includes", includes);
    env.set("dispatch_namespace", backend.namespace());
    let lines = declarations.iter().flat_map(|text| Fragment::lines_of(text)).collect::<Vec<_>>();
    env.set("dispatch_namespaced_declarations", lines);
    files.push(ctx.file(manager, &inl, "DispatchKeyFunctions_inl.h", &env)?);
    Ok(files)
}

/// The functions of an operator.
struct Functions<'a> {
    f: &'a NativeFunction,
    /// The overloads.
    declarations: Vec<String>,
}

/// The declarations of an operator's functions.
fn overloads(backend: &Backend, f: &NativeFunction) -> Result<Vec<String>, ItemError> {
    Ok(cpp_signatures(f)?.spelled(backend.sym_ints).map(|signature| signature.decl()).collect())
}

/// The declarations of an operator's functions, in no namespace.
pub(super) fn declared<'a>(backend: &'a Backend, f: &NativeFunction) -> Result<Declarations<'a>, ItemError> {
    Ok(Declarations { levels: Vec::new(), export: backend.export, functions: vec![overloads(backend, f)?] })
}

/// The declarations of an item's functions, by operator.
fn declarations<'a>(backend: &Backend<'a>, item: &Grouped<'a>) -> Result<Vec<Functions<'a>>, ItemError> {
    let declarations = |member: super::members::Member<'a>| -> Result<Functions<'a>, ItemError> {
        Ok(Functions { f: member.f, declarations: overloads(backend, member.f)? })
    };
    members(backend, item)?.into_iter().map(declarations).collect()
}

/// All functions, by namespace; identical ones are declared once.
fn aggregated(ctx: &Context, backend: &Backend) -> Result<Vec<Fragment>, Errors> {
    let items = ctx.per_item(ctx.grouped, |item| declarations(backend, item))?;
    let mut namespaces: IndexMap<String, IndexMap<Vec<String>, Vec<&NativeFunction>, FxBuildHasher>> = IndexMap::new();
    for (item, functions) in ctx.grouped.iter().zip(items) {
        let kernel = item.get_kernel(backend.index);
        let namespace = kernel.map_or(DEFAULT_KERNEL_NAMESPACE, |kernel| &kernel.cpp_namespace);
        let known = namespaces.entry(namespace.replace("native", &backend.namespace())).or_default();
        for Functions { f, declarations } in functions {
            known.entry(declarations).or_default().push(f);
        }
    }
    let mut fragments = Vec::new();
    for (namespace, functions) in namespaces.into_iter().filter(|(_, functions)| !functions.is_empty()) {
        fragments.push(render(ctx, backend, namespace.split("::").collect(), functions)?);
    }
    Ok(fragments)
}

/// Headers per operator. Returns the includes of all of them.
fn per_operator(ctx: &Context, backend: &Backend, files: &mut Vec<OutputFile>) -> Result<Vec<Fragment>, Errors> {
    let items = ctx.per_item(ctx.grouped, |item| Ok((item.root_name(), declarations(backend, item)?)))?;
    let namespace = backend.namespace();
    let suffix = suffix(backend);
    let mut names = Vec::new();
    for (name, members) in by_root_name(items, |(name, _)| name) {
        let functions = members.into_iter().flat_map(|(_, functions)| functions);
        let functions: Vec<_> = functions.map(|Functions { f, declarations }| (declarations, vec![f])).collect();
        if functions.is_empty() {
            continue;
        }
        names.push(name);
        let mut env = Env::new();
        env.set("dispatch_namespace", namespace.as_str());
        let each = functions.into_iter().map(|one| render(ctx, backend, Vec::new(), [one]));
        env.set("dispatch_namespaced_declarations", each.collect::<Result<Vec<_>, _>>()?);
        let file = ctx.file(managers::OPS, &format!("{name}{suffix}"), "DispatchKeyFunction.h", &env)?;
        files.push(file.made_for(name));
    }
    names.sort_unstable();
    Ok(include::many(ctx, &names, &suffix)?)
}

fn render<'a>(
    ctx: &Context,
    backend: &Backend,
    levels: Vec<&str>,
    functions: impl IntoIterator<Item = (Vec<String>, Vec<&'a NativeFunction>)>,
) -> Result<Fragment, RenderError> {
    let marked = |(declarations, operators): (Vec<String>, Vec<&NativeFunction>)| -> Vec<String> {
        let about = ctx.renderer.about(operators);
        declarations.into_iter().map(|declaration| about.marked(declaration)).collect()
    };
    let functions = functions.into_iter().map(marked).collect();
    let view = Declarations { levels, export: backend.export, functions };
    ctx.renderer.fragment("torch/register_dispatch_key/declarations.j2", &view).map(Fragment::new)
}

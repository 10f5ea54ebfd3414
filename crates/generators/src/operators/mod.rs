//! The Operators API: per operator a struct with its name, its schema, `call` and `redispatch`.
//! Writes `Operators.h`, `MethodOperators.h`, `Operators*.cpp` and, per operator,
//! `ops/<name>_ops.h`.
//!
//! Invariant: signatures follow the dispatcher's convention, without defaults. The public functions
//! are in [`functions`](super::functions). Rule: torchgen/gen.py, `ComputeOperators`.

pub(crate) mod include;
pub(crate) mod static_dispatch;
mod view;

use indexmap::IndexMap;
use serde::Serialize;

use self::static_dispatch::StaticDispatch;
use super::names::{file_named, parts};
use super::{Context, Errors, ItemError, Outcome};
use crate::managers;
use torchgen_api::Signature;
use torchgen_base::render::{Env, Fragment, Sharded};
use torchgen_base::write::OutputFile;
use torchgen_model::model::NativeFunction;

/// The number of shards of `Operators.cpp`. Rule: torchgen/gen.py, `gen_source_files`.
const SHARDS: u32 = 5;

/// The struct of every operator.
pub fn declarations(ctx: &Context) -> Result<Vec<Fragment>, Errors> {
    let template = ctx.target.template("torch/operators/declaration.j2", "torch/library/operator_declaration.j2");
    ctx.fragments(ctx.functions, |f| Ok(ctx.renderer.fragment(template, &view::declaration(ctx, f)?)?))
}

/// The entry points of every operator.
pub fn definitions(ctx: &Context) -> Result<Vec<Fragment>, Errors> {
    let template = ctx.target.template("torch/operators/definition.j2", "torch/library/operator_definition.j2");
    ctx.fragments(ctx.functions, |f| Ok(ctx.renderer.fragment(template, &view::definition(ctx, f)?)?))
}

/// A call that replaces the dispatcher, by itself.
#[derive(Serialize)]
struct StaticCall {
    static_dispatch: StaticDispatch,
}

/// The statements that call a backend that is known when code is compiled, in a function of a
/// signature; empty without such backends.
///
/// # Errors
/// The arguments cannot be passed on.
pub fn static_call<'a>(ctx: &Context, f: &'a NativeFunction, signature: &Signature<'a>) -> Result<String, ItemError> {
    let Some(static_dispatch) = static_dispatch::static_dispatch(ctx, f, signature)? else { return Ok(String::new()) };
    let text = ctx.renderer.fragment("torch/operators/static_dispatch.j2", &StaticCall { static_dispatch })?;
    // Several statements have lines of their own.
    Ok(if text.starts_with('\n') { text.trim_end() } else { text.trim() }.to_owned())
}

/// The headers.
pub fn headers(ctx: &Context) -> Outcome {
    let declarations = declarations(ctx)?;
    if ctx.flags.per_operator_headers { per_operator(ctx, declarations) } else { aggregated(ctx, declarations) }
}

fn aggregated(ctx: &Context, declarations: Vec<Fragment>) -> Outcome {
    let (methods, functions): (Vec<_>, Vec<_>) =
        ctx.functions.iter().zip(declarations).partition(|(f, _)| f.variants.method);
    let declarations =
        |members: Vec<(&NativeFunction, Fragment)>| members.into_iter().map(|(_, d)| d).collect::<Vec<_>>();
    let mut method_env = Env::new();
    method_env.set("MethodOperators_includes", Vec::<Fragment>::new());
    method_env.set("MethodOperators_declarations", declarations(methods));
    let mut env = Env::new();
    env.set("Operators_includes", vec![include::aggregate(ctx, "MethodOperators.h")?]);
    env.set("Operators_declarations", declarations(functions));
    Ok(vec![
        ctx.file(managers::CPU, "MethodOperators.h", "MethodOperators.h", &method_env)?,
        ctx.file(managers::CPU, "Operators.h", "Operators.h", &env)?,
    ])
}

fn per_operator(ctx: &Context, declarations: Vec<Fragment>) -> Outcome {
    let mut files = Vec::new();
    let mut method_names = Vec::new();
    let by_root_name = by_root_name(ctx.functions.iter().zip(declarations), |(f, _)| f.root_name());
    for (name, members) in &by_root_name {
        if members.iter().any(|(f, _)| f.variants.method) {
            method_names.push(*name);
        }
        let declarations: Vec<Fragment> = members.iter().map(|(_, d)| d.clone()).collect();
        let env = Env::from_iter([("declarations", declarations)]);
        files.push(ctx.file(managers::OPS, &format!("{name}_ops.h"), "Operator.h", &env)?.made_for(*name));
    }
    let mut names: Vec<&str> = by_root_name.keys().copied().collect();
    names.sort_unstable();
    files.push(include::list(ctx, "Operators", &names, "_ops.h")?);
    // The reference sorts these as whole lines, where `_` sorts after letters but `.` before.
    method_names.sort_unstable_by_key(|name| format!("{name}_ops.h"));
    files.push(include::list(ctx, "MethodOperators", &method_names, "_ops.h")?);
    Ok(files)
}

/// Operators and their values by root name, in order of first appearance.
pub fn by_root_name<'a, T>(
    items: impl IntoIterator<Item = T>,
    root_name: impl Fn(&T) -> &'a str,
) -> IndexMap<&'a str, Vec<T>> {
    let mut groups: IndexMap<&str, Vec<T>> = IndexMap::new();
    for item in items {
        groups.entry(root_name(&item)).or_default().push(item);
    }
    groups
}

/// The names of [`sources`].
pub fn source_names(_: &Context) -> Outcome {
    Ok(parts(managers::CPU, "Operators.cpp", SHARDS).collect())
}

/// The names of [`headers`].
pub fn header_names(ctx: &Context) -> Outcome {
    let mut files = Vec::new();
    if ctx.flags.per_operator_headers {
        let names = by_root_name(ctx.functions, |f| f.root_name());
        files.extend(names.keys().map(|name| file_named(managers::OPS, format!("{name}_ops.h")).made_for(*name)));
        files.extend(["Operators.h", "MethodOperators.h"].map(|name| file_named(managers::CPU, name)));
    } else {
        files.extend(["MethodOperators.h", "Operators.h"].map(|name| file_named(managers::CPU, name)));
    }
    Ok(files)
}

/// The sources.
pub fn sources(ctx: &Context) -> Outcome {
    let mut items = Vec::with_capacity(ctx.functions.len());
    for (f, definition) in ctx.functions.iter().zip(definitions(ctx)?) {
        let header = include::one(ctx, f.root_name(), ".h")?;
        let env = Env::from_iter([("operator_headers", vec![header]), ("definitions", vec![definition])]);
        items.push((f.root_name().to_owned(), env));
    }
    let extra = include::static_dispatch(ctx)?;
    let sharded = Sharded {
        file: "Operators.cpp".into(),
        template: "Operators.cpp".into(),
        shards: SHARDS,
        base: Env::from_iter([("static_dispatch_extra_headers", extra)]),
        keys: ["operator_headers", "definitions", "static_dispatch_extra_headers"].map(str::to_owned).into(),
        items,
    };
    let files: Vec<OutputFile> = ctx.sharded(managers::CPU, &sharded)?;
    Ok(files)
}

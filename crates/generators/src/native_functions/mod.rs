//! Declarations of hand-written kernels and meta functions: `NativeFunctions.h`,
//! `NativeMetaFunctions.h` and, per operator, `ops/<name>_native.h` and `ops/<name>_meta.h`.
//!
//! Invariant: a kernel is declared once, however many keys use it.
//! [`register_dispatch_key`](super::register_dispatch_key) makes the wrappers that call them. Rule:
//! torchgen/dest/native_functions.py; torchgen/gen.py, `get_native_function_declarations`.

mod declaration;
mod export;
mod meta;

use indexmap::IndexMap;
use serde::Serialize;

use super::names::file_named;
use super::operators::{by_root_name, include};
use super::{Context, Errors, ItemError, Outcome};
use crate::managers;
use torchgen_base::render::{Env, Fragment, RenderError};
use torchgen_model::group::{Grouped, NativeFunctionsGroup};
use torchgen_model::model::BackendIndex;

pub(crate) use declaration::Declaration;
pub use declaration::other_keys_matter;
pub(crate) use export::of_key as export_of_key;
pub(crate) use meta::declaration as meta_declaration;

/// The names of [`headers`].
pub fn names(ctx: &Context) -> Outcome {
    let mut files = Vec::new();
    if ctx.flags.per_operator_headers {
        for (name, members) in by_root_name(ctx.grouped, |item| item.root_name()) {
            if members.iter().any(|item| matches!(item, Grouped::Group(g) if g.structured())) {
                files.push(file_named(managers::OPS, format!("{name}_meta.h")).made_for(name));
            }
            files.push(file_named(managers::OPS, format!("{name}_native.h")).made_for(name));
        }
    }
    files.extend(["NativeMetaFunctions.h", "NativeFunctions.h"].map(|name| file_named(managers::CPU, name)));
    Ok(files)
}

/// The headers.
pub fn headers(ctx: &Context) -> Outcome {
    if ctx.flags.per_operator_headers { per_operator(ctx) } else { aggregated(ctx) }
}

fn aggregated(ctx: &Context) -> Outcome {
    let mut meta_env = Env::new();
    meta_env.set("NativeMetaFunctions_includes", Vec::<Fragment>::new());
    meta_env.set("NativeMetaFunctions_declarations", meta_declarations(ctx)?);
    let mut env = Env::new();
    env.set("NativeFunctions_includes", vec![include::aggregate(ctx, "NativeMetaFunctions.h")?]);
    env.set("NativeFunctions_declarations", lines_of(&kernels_by_namespace(ctx)?));
    Ok(vec![
        ctx.file(managers::CPU, "NativeMetaFunctions.h", "NativeMetaFunctions.h", &meta_env)?,
        ctx.file(managers::CPU, "NativeFunctions.h", "NativeFunctions.h", &env)?,
    ])
}

/// The lines of all texts, as one list.
fn lines_of(texts: &[Fragment]) -> Vec<Fragment> {
    texts.iter().flat_map(|text| Fragment::lines_of(text)).collect()
}

/// The meta functions of all structured groups, outside any namespace.
pub fn meta_declarations(ctx: &Context) -> Result<Vec<Fragment>, Errors> {
    let declarations = ctx.per_item(ctx.groups, |g| match g.structured() {
        true => meta_declaration(ctx, g).map(|text| Some(Fragment::new(text))),
        false => Ok(None),
    })?;
    Ok(declarations.into_iter().flatten().collect())
}

/// All kernels, one text per namespace.
pub fn kernels_by_namespace(ctx: &Context) -> Result<Vec<Fragment>, Errors> {
    let kernels = ctx.per_item(ctx.grouped, |item| declaration::by_namespace(ctx, item))?;
    Ok(namespaces(ctx, declaration::merge(ctx, kernels))?)
}

/// What an author must write for the operators of one root name.
pub struct OfOperator {
    /// The meta functions, outside any namespace.
    pub meta_functions: Vec<Fragment>,
    /// The kernels, one text per namespace.
    pub kernels: Vec<Fragment>,
}

/// Meta functions and kernels by root name, in order of first appearance.
pub fn by_operator<'a>(ctx: &Context<'a>) -> Result<IndexMap<&'a str, OfOperator>, Errors> {
    let kernels = ctx.per_item(ctx.grouped, |item| {
        let meta_function = match item {
            Grouped::Group(g) if g.structured() => Some(Fragment::new(meta_declaration(ctx, g)?)),
            _ => None,
        };
        Ok((item.root_name(), meta_function, declaration::by_namespace(ctx, item)?))
    })?;
    let mut operators = IndexMap::new();
    for (name, members) in by_root_name(kernels, |(root_name, ..)| root_name) {
        let (mut meta_functions, mut kernels) = (Vec::new(), Vec::new());
        for (_, meta_function, by_namespace) in members {
            meta_functions.extend(meta_function);
            kernels.push(by_namespace);
        }
        let kernels = namespaces(ctx, declaration::merge(ctx, kernels))?;
        operators.insert(name, OfOperator { meta_functions, kernels });
    }
    Ok(operators)
}

fn per_operator(ctx: &Context) -> Outcome {
    let mut files = Vec::new();
    let operators = by_operator(ctx)?;
    let mut names: Vec<&str> = operators.keys().copied().collect();
    for (name, OfOperator { meta_functions, kernels }) in operators {
        let mut env = Env::new();
        env.set("extra_includes", Vec::<Fragment>::new());
        if !meta_functions.is_empty() {
            env.set("extra_includes", include::one(ctx, name, "_meta.h")?);
            let env = Env::from_iter([("meta_function_declarations", meta_functions)]);
            files
                .push(ctx.file(managers::OPS, &format!("{name}_meta.h"), "NativeMetaFunction.h", &env)?.made_for(name));
        }
        env.set("native_function_declarations", lines_of(&kernels));
        files.push(ctx.file(managers::OPS, &format!("{name}_native.h"), "NativeFunction.h", &env)?.made_for(name));
    }
    names.sort_unstable();
    // Meta functions are included for all names, although few have one.
    for (category, suffix) in [("NativeMetaFunctions", "_meta.h"), ("NativeFunctions", "_native.h")] {
        files.push(include::list(ctx, category, &names, suffix)?);
    }
    Ok(files)
}

#[derive(Serialize)]
struct Namespace<'a> {
    levels: Vec<&'a str>,
    declarations: &'a [Declaration<'a>],
}

/// The kernels in their namespaces, one text per namespace.
fn namespaces(ctx: &Context, kernels: declaration::ByNamespace) -> Result<Vec<Fragment>, RenderError> {
    let render = |(namespace, mut declarations): (&str, Vec<Declaration>)| {
        declarations.iter_mut().for_each(|declaration| declaration.mark(ctx.renderer));
        let view = Namespace {
            levels: namespace.split("::").filter(|level| !level.is_empty()).collect(),
            declarations: &declarations,
        };
        let template = ctx.target.template("torch/native_functions/namespace.j2", "torch/library/native_functions.j2");
        ctx.renderer.fragment(template, &view).map(Fragment::new)
    };
    kernels.into_iter().map(render).collect()
}

#[derive(Serialize)]
struct Kernels<'a> {
    declarations: &'a [Declaration<'a>],
}

/// The declaration of a group's meta function.
pub fn meta_function(ctx: &Context, g: &NativeFunctionsGroup) -> Result<String, ItemError> {
    meta_declaration(ctx, g)
}

/// Each declaration of an item's kernels for one key by itself, outside any namespace.
///
/// # Errors
/// An argument has no C++ form, or a kernel takes SymInts but the schema has none.
pub fn each_declaration<'a>(
    ctx: &Context<'a>,
    item: &Grouped<'a>,
    index: &BackendIndex,
) -> Result<Vec<String>, ItemError> {
    let declarations = declaration::declarations(ctx, item, index)?;
    let text = |declaration: Declaration<'a>| {
        ctx.renderer.fragment("torch/native_functions/kernels.j2", &Kernels { declarations: &[declaration] })
    };
    declarations.into_iter().map(|declaration| Ok(text(declaration)?)).collect()
}

/// The declarations of an item's kernels for one key, outside any namespace.
pub fn kernel_declarations<'a>(
    ctx: &Context<'a>,
    item: &Grouped<'a>,
    index: &BackendIndex,
) -> Result<String, ItemError> {
    let mut declarations = declaration::declarations(ctx, item, index)?;
    declarations.iter_mut().for_each(|declaration| declaration.mark(ctx.renderer));
    Ok(ctx.renderer.fragment("torch/native_functions/kernels.j2", &Kernels { declarations: &declarations })?)
}

#[cfg(test)]
mod tests {
    use super::{kernels_by_namespace, meta_declarations};
    use crate::testing::{cases, with_operators};

    #[test]
    fn declarations() {
        cases("src/native_functions/cases.txt", |_, yaml| {
            with_operators(yaml, &[], |ctx| {
                let mut texts = meta_declarations(&ctx)?;
                texts.extend(kernels_by_namespace(&ctx)?);
                Ok(texts.iter().map(|text| text.as_str()).collect())
            })
        });
    }
}

//! Declarations of meta functions, one struct per structured group.
//!
//! Outside ATen they are symbolic: a `SymInt` stays one, and outputs are set through the library's
//! own base, which takes symbolic sizes. A group with precomputed values has a struct for them too,
//! whose template parameters show which of them have been set. Rule: torchgen/gen.py,
//! `compute_meta_function_declaration`.

use serde::Serialize;

use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::meta::Meta;
use torchgen_api::{Binding, SymInts, structured};
use torchgen_model::group::NativeFunctionsGroup;

/// The struct of a group.
#[derive(Serialize)]
struct MetaFunction<'a> {
    /// The operator's schema, if authors read the text.
    schema: Option<String>,
    export: &'a str,
    name: String,
    parent: String,
    /// The parameters of `meta`.
    parameters: String,
    precomputed: Option<Precomputed<'a>>,
}

/// What the meta function computes for the kernel.
#[derive(Serialize)]
struct Precomputed<'a> {
    elements: Vec<Element<'a>>,
    /// The arguments of the struct when everything is set.
    all_set: String,
}

#[derive(Serialize)]
struct Element<'a> {
    name: &'a str,
    cpp_type: String,
    /// The template parameter that shows that it has been set.
    flag: String,
    /// The struct with it set and the others unchanged.
    when_set: String,
}

/// The declaration of a structured group's meta function.
pub(crate) fn declaration(ctx: &Context, g: &NativeFunctionsGroup) -> Result<String, ItemError> {
    let parameters: Vec<String> = Meta { sym_ints: SymInts::kept_if(ctx.target.symbolic_meta_functions) }
        .arguments(&g.functional.func)?
        .iter()
        .map(Binding::decl)
        .collect();
    let view = MetaFunction {
        schema: ctx.target.authors_read.then(|| g.functional.qualified_schema()),
        export: &ctx.namespaces.export,
        name: Meta::default().name(&g.functional.func),
        parent: match g.out.structured_inherits.as_deref() {
            None if !ctx.target.outside_at => "at::impl::MetaBase".to_owned(),
            None => format!("{}::MetaBase", ctx.namespaces.api),
            Some(class) if !ctx.target.outside_at => class.to_owned(),
            Some(class) => format!("at::{class}"),
        },
        parameters: parameters.join(", "),
        precomputed: precomputed(ctx, g)?,
    };
    let template = ctx.target.template("torch/native_functions/meta.j2", "torch/library/meta_function.j2");
    Ok(ctx.renderer.about(g.functions()).fragment(template, &view)?)
}

fn precomputed<'a>(ctx: &Context, g: &NativeFunctionsGroup<'a>) -> Result<Option<Precomputed<'a>>, ItemError> {
    let Some(precomputed) = &g.out.precomputed else { return Ok(None) };
    let arguments: Vec<_> = precomputed.replace.values().flatten().chain(&precomputed.add).collect();
    let flags: Vec<String> = arguments.iter().map(|a| a.name.to_uppercase()).collect();
    let mut elements = Vec::with_capacity(arguments.len());
    for (i, a) in arguments.iter().enumerate() {
        let mut others: Vec<&str> = flags.iter().map(String::as_str).collect();
        others[i] = "true";
        elements.push(Element {
            name: &a.name,
            cpp_type: structured::argument_type(a, SymInts::kept_if(ctx.target.symbolic_meta_functions))?
                .cpp_type_strip_ref()
                .to_owned(),
            flag: flags[i].clone(),
            when_set: format!("precompute_out<{}>", others.join(", ")),
        });
    }
    Ok(Some(Precomputed { all_set: vec!["true"; elements.len()].join(", "), elements }))
}

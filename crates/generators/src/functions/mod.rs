//! The public C++ functions, `at::add(...)`: `Functions.h` and, per operator, `ops/<name>.h`.
//!
//! Invariant: each overload only translates its arguments and calls the Operators API.
//! `tensor_body` has the methods. Rule: torchgen/gen.py, `ComputeFunction`.

use serde::Serialize;

use super::names::file_named;
use super::operators::{by_root_name, include, static_dispatch};
use super::{Context, Errors, ItemError, Outcome};
use crate::managers;
use torchgen_api::CallingConvention;
use torchgen_api::cpp::BindingKind;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{CppSignatureGroup, Locals, Signature, joined, translate_with};
use torchgen_base::render::{Env, Fragment};
use torchgen_model::model::NativeFunction;

/// All overloads of an operator's function.
#[derive(Serialize)]
struct Function<'a> {
    namespace: &'a str,
    /// The namespace of the Operators API.
    ops: &'a str,
    /// The operator's struct in it.
    name: String,
    schema: String,
    /// There is a function, not only a method.
    function: bool,
    has_symint: bool,
    overloads: Vec<Overload>,
}

#[derive(Serialize)]
struct Overload {
    decl: String,
    /// The declaration in namespace `symint`, where a template argument selects the overload.
    symint_decl: String,
    /// That template argument.
    int_type: &'static str,
    arguments: String,
}

/// The function of every operator, with all its overloads.
pub fn functions(ctx: &Context) -> Result<Vec<Fragment>, Errors> {
    let template = ctx.target.template("torch/functions/function.j2", "torch/library/function.j2");
    ctx.fragments(ctx.functions, |f| Ok(ctx.renderer.fragment(template, &view(ctx, f)?)?))
}

/// The names of [`headers`].
pub fn names(ctx: &Context) -> Outcome {
    let mut files = Vec::new();
    if ctx.flags.per_operator_headers {
        let names = by_root_name(ctx.functions, |f| f.root_name());
        files.extend(names.keys().map(|name| file_named(managers::OPS, format!("{name}.h")).made_for(*name)));
    }
    files.push(file_named(managers::CPU, "Functions.h"));
    Ok(files)
}

/// The headers.
pub fn headers(ctx: &Context) -> Outcome {
    let functions = functions(ctx)?;
    if ctx.flags.per_operator_headers { per_operator(ctx, functions) } else { aggregated(ctx, functions) }
}

fn aggregated(ctx: &Context, functions: Vec<Fragment>) -> Outcome {
    let mut env = Env::new();
    env.set("static_dispatch_extra_headers", include::static_dispatch(ctx)?);
    env.set("Functions_includes", vec![include::aggregate(ctx, "Operators.h")?]);
    env.set("Functions_declarations", functions);
    Ok(vec![ctx.file(managers::CPU, "Functions.h", "Functions.h", &env)?])
}

fn per_operator(ctx: &Context, functions: Vec<Fragment>) -> Outcome {
    let mut files = Vec::new();
    let by_root_name = by_root_name(ctx.functions.iter().zip(functions), |(f, _)| f.root_name());
    for (name, members) in &by_root_name {
        let mut headers = Vec::new();
        for (f, _) in members {
            headers.extend(static_dispatch_headers(ctx, f)?);
        }
        let mut env = Env::new();
        env.set("static_dispatch_ops_headers", headers);
        env.set("operator_includes", include::one(ctx, name, "_ops.h")?);
        env.set("function_definitions", members.iter().map(|(_, d)| d.clone()).collect::<Vec<_>>());
        files.push(ctx.file(managers::OPS, &format!("{name}.h"), "Function.h", &env)?.made_for(*name));
    }
    let mut names: Vec<&str> = by_root_name.keys().copied().collect();
    names.sort_unstable();
    files.push(include::list(ctx, "Functions", &names, ".h")?);
    Ok(files)
}

#[derive(Serialize)]
struct KeyHeaders<'a> {
    root_name: &'a str,
    keys: Vec<String>,
}

/// The headers that static dispatch needs. Rule: torchgen/gen.py, `static_dispatch_ops_header`.
fn static_dispatch_headers(ctx: &Context, f: &NativeFunction) -> Result<Option<Fragment>, Errors> {
    if f.manual_kernel_registration {
        return Ok(None);
    }
    let keys = ctx
        .static_dispatch
        .iter()
        .filter_map(|index| static_dispatch::header_key(f, index))
        .map(|key| key.lower())
        .collect();
    let view = KeyHeaders { root_name: f.root_name(), keys };
    Ok(Some(Fragment::of_template(ctx.renderer.fragment("torch/operators/dispatch_includes.j2", &view)?)))
}

fn view<'a>(ctx: &Context<'a>, f: &'a NativeFunction) -> Result<Function<'a>, ItemError> {
    let locals = Locals::for_operator(f);
    let target = Dispatcher::symbolic(locals).signature(&f.func)?;
    let group = CppSignatureGroup::from_native_function(f, BindingKind::FUNCTION.binding_of(f), locals)?;
    let overload = |signature: &Signature| -> Result<Overload, ItemError> {
        let arguments = translate_with(&signature.arguments, &target.arguments, ctx.mode())?;
        Ok(Overload {
            decl: signature.decl(),
            symint_decl: signature.decl_as(&signature.name_without_symint()),
            int_type: if signature.symint { "c10::SymInt" } else { "int64_t" },
            arguments: joined(&arguments),
        })
    };
    Ok(Function {
        namespace: ctx.schema_namespace(f),
        ops: &ctx.namespaces.operators,
        name: f.func.name.unambiguous_name(),
        schema: f.func.text(),
        function: f.variants.function,
        has_symint: f.func.has_symint(),
        overloads: group.signatures().map(overload).collect::<Result<_, _>>()?,
    })
}

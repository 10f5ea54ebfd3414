//! `RedispatchFunctions.h`: C++ functions that redispatch with a given dispatch key set.
//!
//! Invariant: operators that are only methods have a function here too. Rule: torchgen/gen.py,
//! `ComputeRedispatchFunction`.

use serde::Serialize;

use super::{Context, Errors, ItemError, Outcome};
use crate::managers;
use torchgen_api::CallingConvention;
use torchgen_api::cpp::BindingKind;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{CppSignatureGroup, Locals, Signature, translate_with};
use torchgen_base::render::{Env, Fragment};
use torchgen_model::model::NativeFunction;

#[derive(Serialize)]
struct Function<'a> {
    namespace: &'a str,
    ops: &'a str,
    name: String,
    schema: String,
    overloads: Vec<Overload>,
}

#[derive(Serialize)]
struct Overload {
    decl: String,
    arguments: String,
}

/// The redispatching function of every operator, with all its overloads.
pub fn functions(ctx: &Context) -> Result<Vec<Fragment>, Errors> {
    let template = ctx.target.template("torch/redispatch/function.j2", "torch/library/redispatch.j2");
    ctx.fragments(ctx.functions, |f| Ok(ctx.renderer.fragment(template, &view(ctx, f)?)?))
}

/// The header.
pub fn headers(ctx: &Context) -> Outcome {
    let functions = functions(ctx)?;
    let env = Env::from_iter([("function_redispatch_definitions", functions)]);
    Ok(vec![ctx.file(managers::CPU, "RedispatchFunctions.h", "RedispatchFunctions.h", &env)?])
}

fn view<'a>(ctx: &Context<'a>, f: &'a NativeFunction) -> Result<Function<'a>, ItemError> {
    let locals = Locals::for_operator(f);
    let target = Dispatcher::symbolic(locals).signature(&f.func)?;
    let group = CppSignatureGroup::from_native_function(f, BindingKind::FUNCTION.binding_of(f), locals)?;
    let overload = |signature: &Signature| -> Result<Overload, ItemError> {
        let arguments = translate_with(&signature.arguments, &target.arguments, ctx.mode())?;
        let arguments: Vec<&str> =
            std::iter::once("dispatchKeySet").chain(arguments.iter().map(|e| &*e.expr)).collect();
        Ok(Overload { decl: signature.redispatch_decl(), arguments: arguments.join(", ") })
    };
    Ok(Function {
        namespace: ctx.schema_namespace(f),
        ops: &ctx.namespaces.operators,
        name: f.func.name.unambiguous_name(),
        schema: f.func.text(),
        overloads: group.signatures().map(overload).collect::<Result<_, _>>()?,
    })
}

//! Wrappers that call kernels directly. Rule: torchgen/dest/register_dispatch_key.py,
//! `gen_unstructured`.

use serde::Serialize;

use super::backend::Backend;
use super::device_check::DeviceCheck;
use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{Locals, Signature, cpp, joined, kernel_signature, translate_with};
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::group::NativeFunctionsGroup;
use torchgen_model::model::{BackendMetadata, NativeFunction};

/// A wrapper around a kernel.
#[derive(Serialize)]
pub(super) struct Call<'a> {
    at: &'static str,
    signature: String,
    device_check: Option<DeviceCheck<'a>>,
    guard: Guard<'a>,
    kernel: String,
    arguments: String,
}

/// The device of a wrapper's device guard.
#[derive(Serialize)]
#[serde(tag = "of", rename_all = "snake_case")]
enum Guard<'a> {
    Nothing,
    /// The device of the new tensor.
    Options {
        class: &'a str,
        lazy_init: bool,
    },
    /// The device of an argument.
    Argument {
        class: &'a str,
        name: &'a str,
    },
}

/// A wrapper of an inplace operator that computes nothing.
#[derive(Serialize)]
pub(crate) struct InplaceMeta<'a> {
    signature: String,
    self_name: &'a str,
}

/// A wrapper of an inplace or out operator around the wrapper of its functional variant.
#[derive(Serialize)]
pub(crate) struct FromFunctional<'a> {
    signature: String,
    /// The results of the functional variant.
    temporary: String,
    functional: String,
    arguments: String,
    /// The code that copies a result to its destination.
    copy: &'static str,
    /// The results are the destinations, in order.
    results: Vec<String>,
    /// There is no result, but this is a destination.
    out: Option<&'a str>,
    /// It is a list, copied element by element.
    is_list: bool,
    result: String,
}

/// The signature of a member's wrapper.
pub(super) fn signature<'a>(
    backend: &Backend,
    f: &'a NativeFunction,
    locals: Locals,
) -> Result<Signature<'a>, ItemError> {
    let prefix = format!("wrapper_{}_{}_", backend.index.dispatch_key, f.func.name.overload_name);
    let signature = Dispatcher { sym_ints: backend.sym_ints, locals }.signature(&f.func)?.prefixed(&prefix);
    Ok(match backend.given {
        Some(given) => given.signed(f, signature),
        None => signature,
    })
}

/// The signature of an operator's wrapper.
pub(super) fn definition(ctx: &Context, f: &NativeFunction, signature: &Signature) -> String {
    signature.defn_as(&ctx.renderer.about([f]).marked(signature.name.clone()))
}

/// The wrapper of an inplace operator that computes nothing.
///
/// # Errors
/// It has no `self`.
pub(crate) fn inplace_meta<'a>(
    ctx: &Context,
    f: &'a NativeFunction,
    signature: &Signature,
) -> Result<InplaceMeta<'a>, ItemError> {
    let Some(self_arg) = &f.func.arguments.self_arg else { return Err(no_self(f).into()) };
    Ok(InplaceMeta { signature: definition(ctx, f, signature), self_name: &self_arg.name })
}

/// The wrapper around a kernel.
pub(super) fn call<'a>(
    ctx: &Context,
    backend: &Backend<'a>,
    f: &'a NativeFunction,
    kernel: &BackendMetadata,
    signature: &Signature<'a>,
) -> Result<Call<'a>, ItemError> {
    let target = kernel_signature(f, backend.index, Locals::for_operator(f))?;
    let arguments = translate_with(&signature.arguments, &target.arguments, backend.mode())?;
    let namespace = &kernel.cpp_namespace;
    let function = match backend.kernel_class {
        Some(class) => format!("{namespace}::{class}::{}", kernel.kernel),
        None => format!("{namespace}::{}", kernel.kernel),
    };
    Ok(Call {
        at: backend.at,
        signature: definition(ctx, f, signature),
        device_check: DeviceCheck::for_operator(backend, f, signature).filter(|_| backend.index.device_guard),
        guard: guard(backend, f),
        kernel: function,
        arguments: ctx.signatures.arguments(namespace, &kernel.kernel, &target, &arguments).join(", "),
    })
}

fn guard<'a>(backend: &Backend<'a>, f: &'a NativeFunction) -> Guard<'a> {
    let arguments = &f.func.arguments;
    if !f.device_guard || !backend.index.device_guard {
        return Guard::Nothing;
    }
    if arguments.tensor_options.is_some() {
        return Guard::Options { class: backend.guards.always, lazy_init: backend.lazy_init };
    }
    match arguments.guarding_device() {
        Some(a) => Guard::Argument { class: backend.guards.optional, name: &a.name },
        None => Guard::Nothing,
    }
}

/// The wrapper around that of the functional variant. Rule:
/// torchgen/dest/register_dispatch_key.py, `gen_out_inplace_wrapper`.
///
/// # Errors
/// An argument has no C++ form, or there is nothing to copy results to.
pub(crate) fn from_functional<'a>(
    ctx: &Context,
    backend: &Backend<'a>,
    f: &'a NativeFunction,
    g: NativeFunctionsGroup<'a>,
    signature: &Signature<'a>,
) -> Result<FromFunctional<'a>, ItemError> {
    let functional = self::signature(backend, g.functional, Locals::for_operator(f))?;
    let arguments = translate_with(&signature.arguments, &functional.arguments, backend.mode())?;
    let results: Vec<String> = cpp::return_names(f, "result")?.into_iter().map(|name| name.into_owned()).collect();
    let outs = &f.func.arguments.out;
    let out = match (results.as_slice(), outs.as_slice()) {
        ([], [out]) => Some(out),
        ([], _) => return Err(returns_nothing(f).into()),
        _ => None,
    };
    let result = match results.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        several => format!("{}({})", signature.returns_type, several.join(", ")),
    };
    Ok(FromFunctional {
        signature: definition(ctx, f, signature),
        temporary: format!("{}_tmp", signature.name),
        functional: functional.name,
        arguments: joined(&arguments),
        copy: if f.func.name.name.inplace { "at::_copy_from" } else { "at::_copy_from_and_resize" },
        results,
        out: out.map(|a| a.name.as_str()),
        is_list: out.is_some_and(|a| a.ty.is_list_like().is_some()),
        result,
    })
}

fn no_self(f: &NativeFunction) -> Diagnostic {
    Diagnostic::new(&codes::BAD_SHAPE, format!("inplace operator `{}` has no argument `self`", f.func.name))
        .at(f.spans.name)
}

fn returns_nothing(f: &NativeFunction) -> Diagnostic {
    Diagnostic::new(
        &codes::BAD_SHAPE,
        format!(
            "`{}` returns nothing, so it must have exactly one out argument to be generated from its counterpart",
            f.func.name
        ),
    )
    .at(f.spans.name)
}

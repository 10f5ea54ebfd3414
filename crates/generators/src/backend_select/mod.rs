//! RegisterBackendSelect.cpp: factory functions select the backend from their tensor options.
//!
//! Invariant: only operators that gather tensor options have such a kernel; `_like` and `new_` ones
//! take the backend of their tensor. Rule: torchgen/gen.py, `ComputeBackendSelect`.

use serde::Serialize;

use super::guard::{guarded, together};
use super::{Context, Errors, ItemError, Outcome};
use crate::managers;
use torchgen_api::CallingConvention;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{Locals, native};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::{Env, Fragment};
use torchgen_model::codes;
use torchgen_model::model::{DispatchKey, NativeFunction};

#[derive(Serialize)]
struct Factory<'a> {
    /// The C++ namespace of calls to operators.
    ops: &'a str,
    /// The dispatcher's namespace.
    namespace: &'a str,
    /// The base name that headers are named after.
    root_name: &'a str,
    schema: String,
    operator_name: String,
    unambiguous_name: String,
    /// The name of the kernel.
    name: String,
    /// The code before the kernel's body.
    signature: String,
    arguments: Vec<&'a str>,
    /// Tensors whose backends count as well.
    tensors: Vec<&'a str>,
}

/// The kernels of all selected factory functions.
pub struct Kernels {
    pub(crate) headers: Vec<Fragment>,
    /// The functions.
    pub definitions: Vec<Fragment>,
    /// The statements that register them.
    pub registrations: Vec<Fragment>,
}

/// Makes RegisterBackendSelect.cpp.
pub fn run(ctx: &Context) -> Outcome {
    let kernels = kernels(ctx)?;
    let env = Env::from_iter([
        ("ops_headers", kernels.headers),
        ("backend_select_method_definitions", kernels.definitions),
        ("backend_select_function_registrations", kernels.registrations),
    ]);
    let name = "RegisterBackendSelect.cpp";
    Ok(vec![ctx.file(managers::CPU, name, name, &env)?])
}

/// The kernels, in the order of the operators.
pub fn kernels(ctx: &Context) -> Result<Kernels, Errors> {
    let selected = |f: &&NativeFunction| is_factory(f) && ctx.selector.is_native_function_selected(f);
    let factories: Vec<_> = ctx.functions.iter().filter(selected).collect();
    let definition = ctx.target.template("torch/backend_select/definition.j2", "torch/library/backend_select.j2");
    let made = ctx.per_item(&factories, |f| {
        let view = Factory::new(f, ctx)?;
        let condition = together(f, &[]);
        let guarded = |text: String| guarded(ctx.renderer, condition.as_ref(), text.into());
        let registering = ctx.renderer.registering(*f, DispatchKey::BackendSelect.as_str(), &view.name);
        Ok((
            guarded(ctx.renderer.fragment("torch/backend_select/header.j2", &view)?)?,
            guarded(ctx.renderer.about([*f]).fragment(definition, &view)?)?,
            guarded(registering.fragment("torch/backend_select/registration.j2", &view)?)?,
        ))
    })?;
    let mut kernels = Kernels { headers: Vec::new(), definitions: Vec::new(), registrations: Vec::new() };
    for (header, definition, registration) in made {
        kernels.headers.push(header);
        kernels.definitions.push(definition);
        kernels.registrations.push(registration);
    }
    Ok(kernels)
}

/// The operator makes a tensor from options alone.
fn is_factory(f: &NativeFunction) -> bool {
    let name = f.func.name.name.to_string();
    f.func.arguments.tensor_options.is_some() && !name.ends_with("_like") && !name.starts_with("new_")
}

impl<'a> Factory<'a> {
    fn new(f: &'a NativeFunction, ctx: &'a Context) -> Result<Self, ItemError> {
        let func = &f.func;
        if !func.arguments.has_tensor_arg() && func.arguments.out.iter().any(|a| a.ty.is_tensor_like()) {
            let message = format!("out variant `{}` takes tensor options but no tensor", func.name);
            return Err(Diagnostic::new(&codes::BAD_SHAPE, message)
                .at(f.spans.func)
                .note("the backend is that of the out arguments, and tensor options could contradict it")
                .into());
        }
        let name = native::name(func);
        let signature = Dispatcher::symbolic(Locals::for_operator(f)).signature(func)?;
        let tensors = func.arguments.flat_non_out().chain(&func.arguments.out).filter(|a| a.ty.is_tensor_like());
        Ok(Factory {
            ops: &ctx.namespaces.operators,
            namespace: ctx.namespaces.schema.as_deref().unwrap_or(&f.namespace),
            root_name: f.root_name(),
            schema: func.to_string(),
            operator_name: func.name.to_string(),
            unambiguous_name: func.name.unambiguous_name(),
            signature: signature.defn_as(&name),
            name,
            arguments: func.schema_order_arguments().map(|a| a.name.as_str()).collect(),
            tensors: tensors.map(|a| a.name.as_str()).collect(),
        })
    }
}

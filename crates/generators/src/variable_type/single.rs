//! The kernel of one operator in parts, for scripts that make VariableType themselves.
//!
//! Invariant: a part is a piece of the text that [`run`](super::run) writes. Rule:
//! tools/autograd/gen_variable_type.py, `emit_body` and `gen_wrapper_registration`;
//! gen_inplace_or_view_type.py, `METHOD_DEFINITION` and `gen_formals`.

use serde::Serialize;

pub use super::lists::for_complex;
use super::operator::{DispatchedOperator, unpacked_name};
use super::{PYTORCH, Registration, kernel, name_for_key};
use crate::autograd_common;
use crate::{AutogradContext, ItemError};
use torchgen_api::autograd::NativeFunctionWithDifferentiabilityInfo;
use torchgen_api::{native, wrapper};
use torchgen_base::render::{RenderError, Renderer};
use torchgen_model::model::{DispatchKey, NativeFunction, Target};

/// Whether an operator's kernel is generated: it has derivatives or needs them, and is not written
/// by hand.
pub fn is_derived(fn_: &NativeFunctionWithDifferentiabilityInfo<'_>, target: Target) -> bool {
    autograd_common::use_derived(fn_, target)
}

/// The statements of an operator's kernel for a key. The tables of torch say which operators have
/// gradients of complex tensors, unless the caller knows.
///
/// # Errors
/// Derivatives do not match the operator, or something has no C++ form.
pub fn body<'a>(
    ctx: &AutogradContext<'_, 'a>,
    fn_: &NativeFunctionWithDifferentiabilityInfo<'a>,
    key: DispatchKey,
    for_complex: Option<bool>,
) -> Result<String, ItemError> {
    let mut op = DispatchedOperator::new(fn_, key, ctx.target)?;
    if let Some(for_complex) = for_complex {
        op.traits.refuses_complex = !for_complex;
    }
    Ok(ctx.renderer.fragment("torch/variable_type/body.j2", &kernel::view(ctx, PYTORCH, &op)?)?)
}

/// The statements that an operator's kernel begins with, and the names that its parameters have
/// then. Rule: gen_inplace_or_view_type.py, `unpack_args`.
pub fn unpacking(renderer: &Renderer, f: &NativeFunction) -> Result<(String, Vec<String>), RenderError> {
    let view = Unpacking { unpacked: kernel::unpacked(f) };
    let names = f.func.schema_order_arguments().map(|a| unpacked_name(a).into_owned());
    Ok((renderer.fragment("torch/variable_type/unpack.j2", &view)?, names.collect()))
}

/// The name of an operator's kernel for a key.
pub fn name(f: &NativeFunction, key: DispatchKey) -> String {
    name_for_key(native::name(&f.func), key)
}

/// The registration of an operator's kernel for a key.
pub fn registration(renderer: &Renderer, f: &NativeFunction, key: DispatchKey) -> Result<String, RenderError> {
    let kernel = Some(format!("{}{}", PYTORCH.kernel_prefix, name(f, key)));
    renderer
        .fragment("torch/variable_type/registration.j2", &Registration { operator: f.func.name.to_string(), kernel })
}

#[derive(Serialize)]
struct Unpacking<'a> {
    unpacked: Vec<kernel::Unpacked<'a>>,
}

#[derive(Serialize)]
struct Parameters {
    parameters: Vec<String>,
}

/// The parameters of an operator's kernel.
pub fn parameters(renderer: &Renderer, f: &NativeFunction) -> Result<String, ItemError> {
    let view = Parameters { parameters: wrapper::signature(f)?.parameters() };
    Ok(renderer.fragment("torch/variable_type/formals.j2", &view)?)
}

/// The parts of a kernel, as text.
#[derive(Serialize)]
pub struct Method<'a> {
    /// What it returns.
    pub returns_type: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its parameters.
    pub formals: &'a str,
    /// Its statements.
    pub body: &'a str,
}

/// A kernel around its parts.
pub fn method(renderer: &Renderer, method: &Method<'_>) -> Result<String, RenderError> {
    renderer.fragment("torch/variable_type/definition.j2", method)
}

//! The kernels that the author of a library on the stable ABI must define.
//!
//! Invariant: it is what `NativeFunctions.h` declares, except kernels of generated variants.

use super::StableAbi;
use crate::library::implied::is_replaced;
use crate::library::kernels::WantedKernel;
use crate::library::settings::Settings;
use torchgen_api::stable::{KernelSignature, Parameter};
use torchgen_generators::Context;
use torchgen_model::group::Variants;
use torchgen_model::model::{BackendIndex, NativeFunction};

/// All of them, in the order of the YAML.
pub(super) fn kernels(ctx: &Context, settings: &Settings) -> Vec<WantedKernel> {
    let kept = settings.adapted(ctx.functions, ctx.indices);
    let functions = kept.as_deref().unwrap_or(ctx.functions);
    let variants = Variants::new(functions);
    functions.iter().flat_map(|f| of_operator(ctx, f, &variants)).collect()
}

/// The kernels of an operator on the stable ABI.
fn of_operator(ctx: &Context, f: &NativeFunction, all: &Variants<'_>) -> Vec<WantedKernel> {
    if f.is_generated() || f.manual_kernel_registration {
        return Vec::new();
    }
    let kernel = |index: &BackendIndex| {
        let kernel = index.get_kernel(f).filter(|_| !is_replaced(f, index.dispatch_key, all))?;
        let KernelSignature { returns, parameters } = KernelSignature::written(f);
        Some(WantedKernel {
            namespace: kernel.cpp_namespace.clone(),
            name: kernel.kernel.clone(),
            returns: returns.to_string(),
            parameters: parameters.iter().map(Parameter::to_string).collect(),
            key: Some(index.dispatch_key),
            is_structured: f.structured,
            conditional: f.condition_for(index.dispatch_key, &[]).is_some(),
            span: f.spans.kernel(index.dispatch_key),
            ..WantedKernel::of_operator(f, &StableAbi)
        })
    };
    ctx.indices.iter().filter_map(kernel).collect()
}

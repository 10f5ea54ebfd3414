//! The kernels that the author of a library on libtorch's C++ API must define.
//!
//! Invariant: it is what the headers of `native_functions` and of the view inverses declare, except
//! kernels of generated variants.

use super::wanted::WantedKernel;
use crate::library::Abi;
use crate::library::functionalization::view_inverse;
use torchgen_api::CallingConvention;
use torchgen_api::meta::Meta;
use torchgen_api::{Binding, Locals, SymInts, kernel_signature, structured};
use torchgen_base::lang::cpp::DefinitionForm;
use torchgen_generators::{Context, Errors, ItemError};
use torchgen_model::group::{Grouped, NativeFunctionsGroup};
use torchgen_model::model::DispatchKey;

/// All of them, in the order of the YAML.
pub(crate) fn kernels(abi: &'static dyn Abi, ctx: &Context) -> Result<Vec<WantedKernel>, Errors> {
    let per_item = ctx.per_item(ctx.grouped, |item| of_item(abi, ctx, item))?;
    Ok(per_item.into_iter().flatten().collect())
}

fn of_item(abi: &'static dyn Abi, ctx: &Context, item: &Grouped) -> Result<Vec<WantedKernel>, ItemError> {
    let mut kernels = Vec::new();
    if let Grouped::Group(g) = item
        && g.structured()
        && ctx.target.defines_operators
    {
        kernels.push(meta_function(abi, ctx, g)?);
    }
    for index in ctx.indices.iter() {
        if let Grouped::Group(g) = item
            && let Some(kernel) = g.get_kernel(index).filter(|kernel| kernel.structured)
        {
            kernels.push(WantedKernel {
                namespace: kernel.cpp_namespace.clone(),
                name: kernel.kernel.clone(),
                form: DefinitionForm::Impl,
                returns: String::new(),
                parameters: parameters(&structured::impl_arguments(g.out)?),
                precomputes: false,
                key: Some(index.dispatch_key),
                conditional: g.out.condition_for(index.dispatch_key, &[]).is_some(),
                span: g.out.spans.kernel(index.dispatch_key),
                ..WantedKernel::of_operator(g.out, abi)
            });
            continue;
        }
        for f in item.functions().into_iter().filter(|f| !f.is_generated() && !f.manual_kernel_registration) {
            let Some(kernel) = index.get_kernel(f) else { continue };
            let signature = kernel_signature(f, index, Locals::for_operator(f))?;
            kernels.push(WantedKernel {
                namespace: kernel.cpp_namespace.clone(),
                name: kernel.kernel.clone(),
                returns: signature.returns_type.cpp_type().to_owned(),
                parameters: parameters(&signature.arguments),
                key: Some(index.dispatch_key),
                conditional: f.condition_for(index.dispatch_key, &[]).is_some(),
                span: f.spans.kernel(index.dispatch_key),
                ..WantedKernel::of_operator(f, abi)
            });
        }
    }
    for f in item.functions() {
        if let Some(inverse) = view_inverse(f)? {
            kernels.push(WantedKernel {
                namespace: inverse.namespace.to_owned(),
                name: inverse.name.to_owned(),
                returns: "at::Tensor".to_owned(),
                parameters: inverse.parameters.iter().map(|(ty, name)| format!("{ty} {name}")).collect(),
                ..WantedKernel::of_operator(f, abi)
            });
        }
    }
    Ok(kernels)
}

fn meta_function(abi: &'static dyn Abi, ctx: &Context, g: &NativeFunctionsGroup) -> Result<WantedKernel, ItemError> {
    Ok(WantedKernel {
        namespace: format!("{}::meta", ctx.namespaces.api),
        name: Meta::default().name(&g.functional.func),
        form: DefinitionForm::Meta,
        parameters: parameters(
            &Meta { sym_ints: SymInts::kept_if(ctx.target.symbolic_meta_functions) }.arguments(&g.functional.func)?,
        ),
        precomputes: g.out.precomputed.is_some(),
        key: Some(DispatchKey::Meta),
        ..WantedKernel::of_operator(g.out, abi)
    })
}

fn parameters(bindings: &[Binding]) -> Vec<String> {
    bindings.iter().map(Binding::defn).collect()
}

//! Kernels of views' copy variants: the view of a tensor, cloned.
//!
//! Invariant: only copies named after their view have one; others, such as `slice_scatter`, have
//! kernels of their own. Rule: torchgen/gen_functionalization_type.py,
//! `GenCompositeViewCopyKernel`.

use serde::Serialize;

use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::functionalization::forward_name;
use torchgen_api::native::Native;
use torchgen_api::{CType, Locals, SymInts, joined, native, translate_with};
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::group::NativeFunctionsViewGroup;
use torchgen_model::model::{BaseTy, DispatchKey, NativeFunction, Type};

/// The copy variant that reshapes where its view would fail, and the required name of its kernel.
const RESHAPING: (&str, &str) = ("view_copy", "view_copy_symint");

#[derive(Serialize)]
struct ViewCopyKernel {
    definition: String,
    /// The call of the view.
    view: String,
    /// The type of the list that is returned; `None` for a tensor.
    list: Option<CType>,
}

/// The kernel, if the group has one.
///
/// # Errors
/// The copy has no kernel to generate, or its arguments are not enough to call the view.
pub(super) fn kernel(ctx: &Context, g: &NativeFunctionsViewGroup) -> Result<Option<String>, ItemError> {
    let (view, Some(copy)) = (g.view, g.view_copy) else { return Ok(None) };
    if copy.func.name.name.base != format!("{}_copy", view.func.name.name) {
        return Ok(None);
    }
    let key = DispatchKey::CompositeExplicitAutogradNonFunctional;
    let Some(metadata) = ctx.indices.get(key).get_kernel(copy) else {
        let message = format!(
            "copy variant `{}` needs a {key} kernel under `dispatch:`, which names the generated kernel",
            copy.func.name
        );
        return Err(error(copy, message)
            .help(format!("add `dispatch:` with `{key}: {}`", native::name(&copy.func)))
            .into());
    };
    let (reshaping, expected) = RESHAPING;
    if copy.func.name.to_string() == reshaping {
        if metadata.kernel != expected {
            let message = format!("the kernel of `{reshaping}` must be `{expected}`, not `{}`", metadata.kernel);
            return Err(error(copy, message).into());
        }
        return Ok(Some(ctx.renderer.about([copy, view]).fragment("torch/composite_kernels/reshaping_copy.j2", &())?));
    }
    let locals = Locals::for_operator(view);
    let own = Native { sym_ints: SymInts::kept_if(metadata.supports_symint()), locals }.signature(&copy.func)?;
    let callee = Dispatcher::symbolic(locals).signature(&view.func)?;
    let arguments = joined(&translate_with(&own.arguments, &callee.arguments, ctx.mode())?);
    let kernel = ViewCopyKernel {
        definition: own.defn_as(&metadata.kernel),
        view: format!("{}({arguments})", forward_name(&view.func, &ctx.namespaces.operators)),
        list: returns_list(view)?.then_some(own.returns_type),
    };
    Ok(Some(ctx.renderer.about([copy, view]).fragment("torch/composite_kernels/view_copy.j2", &kernel)?))
}

/// Whether a view's result is a list of tensors rather than a tensor.
///
/// # Errors
/// It is neither.
fn returns_list(view: &NativeFunction) -> Result<bool, Diagnostic> {
    match view.func.returns.as_slice() {
        [one] if one.ty.is(BaseTy::Tensor) => Ok(false),
        [one] if matches!(&one.ty, Type::List(elem, None) if elem.is(BaseTy::Tensor)) => Ok(true),
        _ => Err(Diagnostic::new(
            &codes::NO_COPY_KERNEL,
            format!(
                "the result of view `{}` must be a `Tensor` or a `Tensor[]`, so that it can be copied",
                view.func.name
            ),
        )
        .at(view.spans.func)),
    }
}

fn error(copy: &NativeFunction, message: String) -> Diagnostic {
    Diagnostic::new(&codes::NO_COPY_KERNEL, message).at(copy.spans.dispatch.unwrap_or(copy.spans.name))
}

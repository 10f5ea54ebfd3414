//! Kernels of views: they call the view below, and its result records how it was made.
//!
//! Invariant: the first argument is the viewed tensor, and nothing else is aliased. Rule:
//! torchgen/gen_functionalization_type.py, `emit_view_functionalization_body`.

use serde::Serialize;

use super::kernel::{self, Tensor};
use super::view_meta::Member;
use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::functionalization::SymbolicCheck;
use torchgen_api::{CType, Locals, Signature, functionalization, joined, native, translate_with};
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::model::{BaseTy, NativeFunction};

#[derive(Serialize)]
struct ViewKernel<'a> {
    definition: String,
    return_type: CType,
    /// The viewed tensor.
    base: &'a str,
    tensors: Vec<Tensor<'a>>,
    /// The operator itself, and the variant that copies.
    view: String,
    view_copy: String,
    /// Their arguments, and the same with meta tensors.
    arguments: String,
    meta_arguments: String,
    /// The arguments that may be symbolic.
    symbolic: Vec<SymbolicCheck<'a>>,
    /// An expression that makes the view meta.
    view_meta: String,
    /// The result is the base with another geometry.
    inplace: bool,
}

/// The kernel.
///
/// # Errors
/// The operator does not have the form of a view, or its arguments are not enough to call the copy
/// variant.
pub(crate) fn view_kernel(ctx: &Context, member: &Member) -> Result<String, ItemError> {
    let f = member.f;
    let locals = Locals::for_operator(f);
    let view_copy = member.view_copy()?;
    check_aliasing(f)?;
    let own = Dispatcher::symbolic(locals).signature(&f.func)?;
    let callee = Dispatcher::symbolic(locals).signature(&view_copy.func)?;
    let view = ViewKernel {
        definition: own.redispatch_defn_as(&native::name(&f.func)),
        return_type: own.returns_type.remove_const_ref(),
        base: own.arguments.first().map_or("", |base| &base.name),
        tensors: kernel::tensors(&own),
        view: functionalization::forward_name(&f.func, &ctx.namespaces.operators),
        view_copy: functionalization::forward_name(&view_copy.func, &ctx.namespaces.operators),
        arguments: joined(&translate_with(&kernel::unwrapped(&own), &callee.arguments, ctx.mode())?),
        meta_arguments: joined(&translate_with(&kernel::meta(&own), &callee.arguments, ctx.mode())?),
        symbolic: symbolic(&callee)?,
        view_meta: member.construction(ctx, "0")?,
        inplace: f.has_tag("inplace_view"),
    };
    Ok(ctx.renderer.about([f, view_copy]).fragment("torch/functionalization/view_kernel.j2", &view)?)
}

fn symbolic<'a>(signature: &Signature<'a>) -> Result<Vec<SymbolicCheck<'a>>, ItemError> {
    let symints = signature.arguments.iter().filter(|b| b.argument.argument().is_some_and(|a| a.ty.is_symint_like()));
    let conditions = symints.map(|b| SymbolicCheck::new(b.name.clone(), &b.nctype.ty));
    Ok(conditions.collect::<Result<_, _>>()?)
}

/// Rule: torchgen/gen_functionalization_type.py, `assert_view_op_properties`.
fn check_aliasing(f: &NativeFunction) -> Result<(), Diagnostic> {
    let mut arguments = f.func.arguments.flat_non_out();
    let first = arguments.next();
    let message = match first {
        Some(first) if first.ty.is(BaseTy::Tensor) => {
            if first.annotation.is_none() {
                format!("view `{}` must alias its first argument", f.func.name)
            } else if let Some(other) = arguments.find(|a| a.annotation.is_some()) {
                format!(
                    "view `{}` may alias its first argument only, not `{}` as well",
                    f.func.name,
                    other.schema_name()
                )
            } else {
                return Ok(());
            }
        }
        _ => format!("the first argument of view `{}` must be a `Tensor`", f.func.name),
    };
    Err(Diagnostic::new(&codes::BAD_VIEW_ALIASING, message).at(f.spans.func))
}

//! The operators with a wrapper for a dispatch key, and the kind of wrapper.
//!
//! Invariant: headers and sources both use this, so every declaration has a definition. Selection
//! does not matter here: it only decides what is registered. Rule:
//! torchgen/dest/register_dispatch_key.py, `gen_structured` and `gen_unstructured`.

use super::backend::Backend;
use crate::ItemError;
use torchgen_base::diag::{Diagnostic, Help};
use torchgen_model::codes;
use torchgen_model::group::{Grouped, NativeFunctionsGroup};
use torchgen_model::model::{BackendMetadata, DispatchKey, NativeFunction, SchemaKind};

/// An operator with a wrapper.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub(crate) f: &'a NativeFunction,
    pub(crate) kind: WrapperKind<'a>,
}

/// What the wrapper does.
#[derive(Clone, Copy)]
pub(super) enum WrapperKind<'a> {
    /// Runs the meta function of a structured group, then its kernel.
    Structured(NativeFunctionsGroup<'a>),
    /// Calls the operator's kernel.
    Kernel(&'a BackendMetadata),
    /// Checks that an inplace operator on meta tensors is one; there is nothing to compute.
    InplaceMeta,
    /// Calls the wrapper of the functional variant and copies its results.
    FromFunctional(NativeFunctionsGroup<'a>),
}

/// The members of an item that get wrappers, in order.
///
/// # Errors
/// The group has a kernel where one is generated, or is structured in a way that wrappers do not
/// support.
pub(crate) fn members<'a>(backend: &Backend<'a>, item: &Grouped<'a>) -> Result<Vec<Member<'a>>, ItemError> {
    let g = match item {
        Grouped::Function(f) => return Ok(unstructured(backend, f, None).into_iter().collect()),
        Grouped::Group(g) => g,
    };
    if g.structured() && backend.needs_no_kernels() {
        if backend.index.has_kernel(g.out) {
            return Err(generated_kernel(backend, g).into());
        }
    } else if !g.structured() || !g.get_kernel(backend.index).is_some_and(|kernel| kernel.structured) {
        return Ok(g.functions().filter_map(|f| unstructured(backend, f, Some(*g))).collect());
    }
    let mut members = Vec::new();
    for f in g.functions() {
        let kind = f.func.kind();
        if f.manual_kernel_registration || kind == SchemaKind::Mutable {
            return Err(unstructurable(f).into());
        }
        if !is_defined_elsewhere(backend, f) {
            members.push(Member { f, kind: WrapperKind::Structured(*g) });
        }
    }
    Ok(members)
}

/// For this key the functional variants of a structured group are made from the out variant, which
/// backends define.
pub(super) fn is_defined_elsewhere(backend: &Backend, f: &NativeFunction) -> bool {
    let key = backend.index.dispatch_key;
    key == DispatchKey::CompositeExplicitAutogradNonFunctional && f.func.kind() == SchemaKind::Out
}

pub(super) fn unstructured<'a>(
    backend: &Backend<'a>,
    f: &'a NativeFunction,
    g: Option<NativeFunctionsGroup<'a>>,
) -> Option<Member<'a>> {
    let index = backend.index;
    let inplace_meta = index.dispatch_key == DispatchKey::Meta
        && f.func.kind() == SchemaKind::Inplace
        && !f.has_composite_kernel()
        && f.fake.is_none()
        && f.func.returns.len() == 1;
    let copies = matches!(f.func.kind(), SchemaKind::Inplace | SchemaKind::Out) && !index.use_out_as_primary;
    let wrapped = g.filter(|g| copies && g.gets_generated_out_inplace_wrapper(f, index));
    let kind = match (index.get_kernel(f), wrapped) {
        (Some(kernel), _) => WrapperKind::Kernel(kernel),
        (None, _) if inplace_meta => WrapperKind::InplaceMeta,
        (None, Some(g)) => WrapperKind::FromFunctional(g),
        (None, None) => return None,
    };
    (!f.manual_kernel_registration).then_some(Member { f, kind })
}

fn generated_kernel(backend: &Backend, g: &NativeFunctionsGroup) -> Diagnostic {
    let (key, name) = (backend.key, &g.out.func.name);
    Diagnostic::new(&codes::GENERATED_KERNEL, format!("the {key} kernel of structured operator `{name}` is generated"))
        .at(g.out.spans.dispatch.unwrap_or(g.out.spans.name))
        .help({
            let help = Help::new(format!("delete the entry for `{key}`"));
            let kernel = g.out.spans.kernels.iter().find(|(own, _)| *own == key);
            kernel.map_or(help.clone(), |(_, value)| help.without(key.as_str(), *value))
        })
}

fn unstructurable(f: &NativeFunction) -> Diagnostic {
    let name = &f.func.name;
    let message = if f.manual_kernel_registration {
        format!("`{name}` is structured, so its kernels cannot be registered by hand")
    } else {
        format!("`{name}` mutates arguments other than `self` and out arguments, so it cannot be structured")
    };
    Diagnostic::new(&codes::UNSTRUCTURABLE_VARIANT, message).at(f.spans.structured.unwrap_or(f.spans.name))
}

//! Static dispatch: `call` goes to a backend that is known at compile time.
//!
//! Invariant: data only; the statements are in `templates/torch/operators/static_dispatch.j2`.
//! Rule: torchgen/gen.py, `static_dispatch` and below.

use serde::Serialize;

use crate::{Context, ItemError};
use torchgen_api::cpp::BindingKind;
use torchgen_api::translate::translate_call;
use torchgen_api::{CppSignatureGroup, Locals, Signature, SymInts, joined};
use torchgen_model::model::aten_keys::has_structured_kernels;
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{BackendIndex, DispatchKey, NativeFunction};

/// How an operator finds its kernel without the dispatcher.
#[derive(Serialize)]
pub(crate) struct StaticDispatch {
    /// The backends that have a kernel.
    cases: Vec<Case>,
    /// The source of the key set that selects one, if there are several.
    key_sets: Vec<String>,
    /// The call otherwise; `None` for operators whose kernels are registered by hand.
    fallback: Option<Fallback>,
}

#[derive(Serialize)]
struct Case {
    key: DispatchKey,
    call: String,
}

#[derive(Serialize)]
struct Fallback {
    /// The composite kernel's call.
    call: Option<String>,
    /// The function's name, for the message if there is none.
    name: String,
    /// The requested backends, for the same message.
    keys: Vec<DispatchKey>,
}

/// `None` if calls go through the dispatcher.
pub(crate) fn static_dispatch<'a>(
    ctx: &Context,
    f: &'a NativeFunction,
    signature: &Signature<'a>,
) -> Result<Option<StaticDispatch>, ItemError> {
    if ctx.static_dispatch.is_empty() {
        return Ok(None);
    }
    if f.manual_kernel_registration {
        return Ok(Some(StaticDispatch { cases: Vec::new(), key_sets: Vec::new(), fallback: None }));
    }
    // A backend's function has SymInts if the schema does, whatever the caller has.
    let backend = Target::new(f, signature, SymInts::Kept)?;
    let composite = Target::new(f, signature, SymInts::kept_if(signature.symint))?;
    let has_kernel = |index: &BackendIndex| {
        index.has_kernel(f)
            || (f.structured_delegate.is_some() && has_structured_kernels(index.dispatch_key, ctx.target.tables))
    };
    let cases = ctx
        .static_dispatch
        .iter()
        .filter(|index| has_kernel(index))
        .map(|index| Case { key: index.dispatch_key, call: backend.backend_call(f, index) })
        .collect();
    Ok(Some(StaticDispatch { cases, key_sets: key_sets(f, signature), fallback: Some(composite.fallback(ctx, f)) }))
}

/// The C++ function to call, and its arguments.
struct Target {
    name: String,
    arguments: String,
}

impl Target {
    fn new<'a>(f: &'a NativeFunction, signature: &Signature<'a>, sym_ints: SymInts) -> Result<Target, ItemError> {
        let group = CppSignatureGroup::from_native_function(f, BindingKind::FUNCTION, Locals::for_operator(f))?;
        let target = match &group.symint_signature {
            Some(symint) if sym_ints.are_kept() => symint,
            _ => &group.signature,
        };
        let arguments = translate_call(signature, target)?;
        Ok(Target { name: target.name.clone(), arguments: joined(&arguments) })
    }

    /// Rule: torchgen/gen.py, `generate_static_dispatch_backend_call`.
    fn backend_call(&self, f: &NativeFunction, index: &BackendIndex) -> String {
        let namespace =
            index.get_kernel(f).map_or("at::native", |kernel| &kernel.cpp_namespace).replace("::native", "");
        format!("{namespace}::{}::{}({})", index.dispatch_key.lower(), self.name, self.arguments)
    }

    /// Rule: torchgen/gen.py, `generate_static_dispatch_fallback_call`.
    fn fallback(&self, ctx: &Context, f: &NativeFunction) -> Fallback {
        use DispatchKey::*;
        let composite = match f {
            _ if f.has_composite_explicit_autograd_kernel => Some(CompositeExplicitAutograd),
            _ if f.has_composite_explicit_autograd_non_functional_kernel => {
                Some(CompositeExplicitAutogradNonFunctional)
            }
            _ if f.has_composite_implicit_autograd_kernel => Some(CompositeImplicitAutograd),
            _ if f.has_composite_implicit_autograd_nested_tensor_kernel => Some(CompositeImplicitAutogradNestedTensor),
            _ => None,
        };
        Fallback {
            call: composite.map(|key| format!("at::{}::{}({})", key.lower(), self.name, self.arguments)),
            name: self.name.clone(),
            keys: ctx.static_dispatch.iter().map(|index| index.dispatch_key).collect(),
        }
    }
}

fn key_sets(f: &NativeFunction, signature: &Signature) -> Vec<String> {
    let mut sets = Vec::new();
    if f.func.arguments.tensor_options.is_some() {
        sets.push("DispatchKeySet(c10::computeDispatchKey(dtype, layout, device))".to_owned());
    }
    let tensors: Vec<&str> = signature
        .arguments
        .iter()
        .filter_map(|binding| match binding.argument {
            ArgumentRef::SelfArg(a) => Some(a.name.as_str()),
            ArgumentRef::Arg(a) if a.ty.is_tensor_like() => Some(a.name.as_str()),
            _ => None,
        })
        .collect();
    if !tensors.is_empty() {
        sets.push(format!("c10::detail::multi_dispatch_key_set({})", tensors.join(", ")));
    }
    sets
}

/// The key whose `<Key>Functions` header a static call needs. Rule: torchgen/gen.py,
/// `get_static_dispatch_backend`.
pub(crate) fn header_key(f: &NativeFunction, index: &BackendIndex) -> Option<DispatchKey> {
    use DispatchKey::*;
    if f.structured_delegate.is_some() || index.has_kernel(f) {
        Some(index.dispatch_key)
    } else if f.has_composite_explicit_autograd_kernel {
        Some(CompositeExplicitAutograd)
    } else if f.has_composite_explicit_autograd_non_functional_kernel {
        Some(CompositeExplicitAutogradNonFunctional)
    } else if f.has_composite_implicit_autograd_kernel {
        Some(CompositeImplicitAutograd)
    } else if f.has_composite_implicit_autograd_nested_tensor_kernel {
        Some(CompositeImplicitAutogradNestedTensor)
    } else {
        None
    }
}

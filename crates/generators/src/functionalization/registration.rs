//! Registrations of kernels under the key Functionalize.
//!
//! Invariant: composites are registered with their own kernels, so that they decompose first. Rule:
//! torchgen/gen_functionalization_type.py, `gen_functionalization_registration`.

use serde::Serialize;

use super::table;
use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::native::Native;
use torchgen_api::{Locals, SymInts, native};
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::model::{DispatchKey, NativeFunction};

/// One kernel.
#[derive(Serialize)]
pub(crate) struct Registration {
    operator: String,
    /// The function.
    kernel: String,
    /// The type that distinguishes it from its overloads; `None` for wrappers, whose names are
    /// unique.
    pointer_type: Option<String>,
}

#[derive(Serialize)]
struct RegistrationList<'a> {
    registrations: &'a [Registration],
}

impl Registration {
    /// # Errors
    /// The composite kernel has no C++ form.
    pub(super) fn new(ctx: &Context, f: &NativeFunction) -> Result<Registration, ItemError> {
        let operator = |kernel: &str| {
            let registering = ctx.renderer.registering(f, DispatchKey::Functionalize.as_str(), kernel);
            registering.marked(f.func.name.to_string())
        };
        let composite = ctx.indices.get(DispatchKey::CompositeImplicitAutograd).get_kernel(f);
        match composite.filter(|_| f.has_composite_implicit_autograd_kernel) {
            Some(metadata) => {
                let signature =
                    Native { sym_ints: SymInts::kept_if(metadata.supports_symint()), locals: Locals::for_operator(f) }
                        .signature(&f.func)?;
                let kernel = format!("{}::{}", ctx.namespaces.native, metadata.kernel);
                Ok(Registration { operator: operator(&kernel), kernel, pointer_type: Some(signature.ptr_type()) })
            }
            None => {
                let kernel = format!("{}::{}", ctx.namespaces.functionalization, native::name(&f.func));
                Ok(Registration { operator: operator(&kernel), kernel, pointer_type: None })
            }
        }
    }
}

/// The members of a group to register, or whether to register a single operator.
///
/// # Errors
/// Members that are views.
pub(crate) fn registered<'a>(
    members: &[&'a NativeFunction],
    tables: &Tables,
) -> Result<Vec<&'a NativeFunction>, Vec<Diagnostic>> {
    let mut registered = Vec::new();
    let mut errors = Vec::new();
    for &f in members.iter().filter(|f| !f.has_composite_implicit_autograd_kernel) {
        if table::member_by_hand(f, tables) {
            registered.clear();
            break;
        }
        // `set_` changes its tensor's geometry, but is treated as a plain inplace operator.
        let is_set = f.func.name.name.to_string() == "set_";
        if f.is_view_op() && !is_set {
            errors.push(unexpected_view(f, members));
        } else if f.func.is_mutable() {
            registered.push(f);
        }
    }
    if errors.is_empty() { Ok(registered) } else { Err(errors) }
}

fn unexpected_view(f: &NativeFunction, members: &[&NativeFunction]) -> Diagnostic {
    let name = &f.func.name;
    match members.iter().find(|other| other.func.is_out_fn()) {
        Some(out) => {
            let message =
                format!("view `{name}` cannot have an out= variant, since its result is part of its argument");
            Diagnostic::new(&codes::VIEW_WITHOUT_GROUP, message)
                .at(f.spans.name)
                .also(out.spans.name, "the out= variant")
                .help("give the copying variant an out= variant instead")
        }
        None => {
            let message = format!("inplace view `{name}` has no out-of-place counterpart with the same arguments");
            Diagnostic::new(&codes::VIEW_WITHOUT_GROUP, message).at(f.spans.name)
        }
    }
}

/// The statements.
pub(crate) fn render(ctx: &Context, registrations: &[Registration]) -> Result<String, ItemError> {
    Ok(ctx.renderer.fragment("torch/functionalization/registrations.j2", &RegistrationList { registrations })?)
}

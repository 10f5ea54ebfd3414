//! The common parts of all wrappers: their kinds, the check of devices, registrations and the
//! functions that bypass the dispatcher.

use serde::Serialize;

use super::backend::Backend;
use super::members::{Kind, Member};
use super::structured::{self, Structured};
use super::unstructured::{self, Call, FromFunctional, InplaceMeta};
use crate::families::torch::api::cpp::BindingKind;
use crate::families::torch::api::translate::Mode;
use crate::families::torch::api::{CppSignatureGroup, Locals, Signature, joined, translate_with};
use crate::families::torch::generators::{Context, ItemError};
use crate::families::torch::model::NativeFunction;
use crate::families::torch::model::native_function::DeviceCheckType;

/// A wrapper, which gets registered.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Wrapper<'a> {
    Structured(Box<Structured<'a>>),
    Call(Call<'a>),
    InplaceMeta(InplaceMeta<'a>),
    FromFunctional(FromFunctional<'a>),
}

/// A wrapper named after its operator.
#[derive(Serialize)]
pub(crate) struct Registration {
    operator: String,
    wrapper: String,
    /// Its name is on a line of its own.
    own_line: bool,
}

/// A C++ function that calls a wrapper without the dispatcher.
#[derive(Serialize)]
pub(crate) struct Function {
    signature: String,
    wrapper: String,
    arguments: String,
}

/// All definitions for the members of one item.
#[derive(Default)]
pub(crate) struct Wrappers<'a> {
    pub(crate) wrappers: Vec<Wrapper<'a>>,
    pub(crate) registrations: Vec<Registration>,
    pub(crate) functions: Vec<Function>,
}

impl<'a> Wrappers<'a> {
    /// The wrappers of some members.
    ///
    /// # Errors
    /// An argument or a return has no C++ form, or no wrapper can be made from the existing
    /// kernels.
    pub(crate) fn new(ctx: &Context<'a>, backend: &Backend<'a>, members: &[Member<'a>]) -> Result<Self, ItemError> {
        let mut all = Wrappers::default();
        for member in members {
            let f = member.f;
            let (signature, wrapper) = match member.kind {
                Kind::Structured(g) => {
                    let signature = structured::signature(backend, f)?;
                    let wrapper = structured::wrapper(ctx, backend, f, g, &signature)?;
                    (signature, Some(Wrapper::Structured(Box::new(wrapper))))
                }
                _ => {
                    let signature = unstructured::signature(backend, f, Locals::of(f))?;
                    let wrapper = unstructured::wrapper(backend, member, &signature)?;
                    (signature, wrapper)
                }
            };
            all.functions(backend, f, &signature)?;
            if ctx.selector.is_native_function_selected(f) && !ctx.flags.skip_dispatcher_op_registration {
                all.registrations.push(Registration {
                    operator: f.func.name.to_string(),
                    wrapper: signature.name.clone(),
                    own_line: !matches!(member.kind, Kind::Structured(_)),
                });
            }
            all.wrappers.extend(wrapper);
        }
        Ok(all)
    }

    fn functions(
        &mut self,
        backend: &Backend,
        f: &'a NativeFunction,
        wrapper: &Signature<'a>,
    ) -> Result<(), ItemError> {
        for signature in cpp_signatures(f)?.signatures() {
            let arguments = translate_with(&signature.arguments, &wrapper.arguments, mode(backend))?;
            self.functions.push(Function {
                signature: signature.defn(),
                wrapper: wrapper.name.clone(),
                arguments: joined(&arguments),
            });
        }
        Ok(())
    }
}

/// The signatures of an operator's functions that bypass the dispatcher.
pub(crate) fn cpp_signatures(f: &NativeFunction) -> Result<CppSignatureGroup<'_>, ItemError> {
    Ok(CppSignatureGroup::from_native_function(f, BindingKind::FUNCTION, Locals::of(f))?)
}

/// How to translate in a wrapper.
pub(crate) fn mode(backend: &Backend) -> Mode {
    Mode { outside_at: !backend.at.is_empty(), ..Mode::default() }
}

/// The check that all tensors are on one device.
#[derive(Serialize)]
pub(crate) struct DeviceCheck<'a> {
    /// The wrapper, for messages.
    wrapper: String,
    /// The function that checks an argument.
    function: &'a str,
    arguments: Vec<&'a str>,
}

impl<'a> DeviceCheck<'a> {
    /// The check, if the operator requests it.
    pub(crate) fn of(backend: &Backend<'a>, f: &'a NativeFunction, wrapper: &Signature) -> Option<Self> {
        if f.device_check == DeviceCheckType::NoCheck {
            return None;
        }
        let arguments = f.func.arguments.out.iter().chain(f.func.arguments.flat_positional());
        let arguments = arguments.filter(|a| a.ty.is_tensor_like()).map(|a| a.name.as_str()).collect();
        Some(DeviceCheck { wrapper: wrapper.name.clone(), function: backend.guards.check, arguments })
    }
}

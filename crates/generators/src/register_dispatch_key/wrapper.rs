//! All wrappers of a member, with their registrations and the functions that bypass the dispatcher.

use serde::Serialize;

use super::backend::Backend;
use super::members::{Member, WrapperKind};
use super::structured::{self, Structured};
use super::unstructured::{self, Call, FromFunctional, InplaceMeta};
use crate::guard::Guard;
use crate::{Context, ItemError};
use torchgen_api::cpp::BindingKind;
use torchgen_api::{CppSignatureGroup, Locals, Signature, joined, translate_with};
use torchgen_model::model::NativeFunction;

/// A wrapper, which gets registered.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Wrapper<'a> {
    Structured(Box<Structured<'a>>),
    Call(Call<'a>),
    InplaceMeta(InplaceMeta<'a>),
    FromFunctional(FromFunctional<'a>),
    /// One that the caller of the program wrote.
    Given {
        text: String,
    },
}

/// A wrapper named after its operator.
#[derive(Serialize)]
pub struct Registration {
    operator: String,
    wrapper: String,
    /// Its name is on a line of its own.
    pub(super) own_line: bool,
    /// The builds that have it.
    guard: Option<Guard>,
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
    pub wrappers: Vec<Wrapper<'a>>,
    pub registrations: Vec<Registration>,
    pub functions: Vec<Function>,
    /// The builds that have each wrapper.
    pub guards: Vec<Option<Guard>>,
}

impl<'a> Wrappers<'a> {
    /// The wrappers of some members.
    ///
    /// # Errors
    /// An argument or a return has no C++ form, or no wrapper can be made from the existing
    /// kernels.
    pub(super) fn new(ctx: &Context<'a>, backend: &Backend<'a>, members: &[Member<'a>]) -> Result<Self, ItemError> {
        let mut all = Wrappers::default();
        for member in members {
            let f = member.f;
            let (signature, wrapper) = match member.kind {
                WrapperKind::Structured(g) => {
                    let signature = structured::signature(backend, f)?;
                    let wrapper = structured::wrapper(ctx, backend, f, g, &signature)?;
                    (signature, Wrapper::Structured(Box::new(wrapper)))
                }
                WrapperKind::Kernel(kernel) => {
                    let signature = unstructured::signature(backend, f, Locals::for_operator(f))?;
                    let wrapper = unstructured::call(ctx, backend, f, kernel, &signature)?;
                    (signature, Wrapper::Call(wrapper))
                }
                WrapperKind::InplaceMeta => {
                    let signature = unstructured::signature(backend, f, Locals::for_operator(f))?;
                    let wrapper = unstructured::inplace_meta(ctx, f, &signature)?;
                    (signature, Wrapper::InplaceMeta(wrapper))
                }
                WrapperKind::FromFunctional(g) => {
                    let signature = unstructured::signature(backend, f, Locals::for_operator(f))?;
                    let wrapper = unstructured::from_functional(ctx, backend, f, g, &signature)?;
                    (signature, Wrapper::FromFunctional(wrapper))
                }
            };
            let made_from = match member.kind {
                WrapperKind::Structured(g) => vec![g.out],
                WrapperKind::FromFunctional(g) => vec![g.functional],
                WrapperKind::Kernel(_) | WrapperKind::InplaceMeta => Vec::new(),
            };
            let guard = Guard::compiled(f.condition_for(backend.index.dispatch_key, &made_from));
            all.functions(ctx, backend, f, &signature)?;
            if ctx.selector.is_native_function_selected(f) && !ctx.flags.skip_dispatcher_op_registration {
                let registering = ctx.renderer.registering(f, backend.index.dispatch_key.as_str(), &signature.name);
                all.registrations.push(Registration {
                    operator: registering.marked(f.func.name.to_string()),
                    wrapper: signature.name.clone(),
                    own_line: !matches!(member.kind, WrapperKind::Structured(_)),
                    guard: guard.clone(),
                });
            }
            all.wrappers.push(wrapper);
            all.guards.push(guard);
        }
        Ok(all)
    }

    fn functions(
        &mut self,
        ctx: &Context,
        backend: &Backend,
        f: &'a NativeFunction,
        wrapper: &Signature<'a>,
    ) -> Result<(), ItemError> {
        for signature in cpp_signatures(f)?.spelled(backend.sym_ints) {
            let arguments = translate_with(&signature.arguments, &wrapper.arguments, backend.mode())?;
            self.functions.push(Function {
                signature: ctx.renderer.about([f]).marked(signature.defn()),
                wrapper: wrapper.name.clone(),
                arguments: joined(&arguments),
            });
        }
        Ok(())
    }
}

/// The signatures of an operator's functions that bypass the dispatcher.
pub(crate) fn cpp_signatures(f: &NativeFunction) -> Result<CppSignatureGroup<'_>, ItemError> {
    Ok(CppSignatureGroup::from_native_function(f, BindingKind::FUNCTION, Locals::for_operator(f))?)
}

//! The check of wrappers that all tensors are on one device.

use serde::Serialize;

use super::backend::Backend;
use torchgen_api::Signature;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::native_function::DeviceCheckType;

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

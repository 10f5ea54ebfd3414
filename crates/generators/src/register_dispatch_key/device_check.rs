//! The check of wrappers that all tensors are on one device.

use serde::Serialize;

use super::backend::Backend;
use crate::shown::ShownArgument;
use torchgen_api::Signature;
use torchgen_model::model::native_function::DeviceCheckType;
use torchgen_model::model::{Argument, NativeFunction};

/// The check that all tensors are on one device.
#[derive(Serialize)]
pub(crate) struct DeviceCheck<'a> {
    /// The wrapper, for messages.
    wrapper: String,
    /// The function that checks an argument.
    function: &'a str,
    arguments: Vec<ShownArgument<'a>>,
    /// The text that the caller of the program wrote in its place.
    given: Option<&'a str>,
}

impl<'a> DeviceCheck<'a> {
    /// The check, if the operator requests it.
    pub(crate) fn for_operator(backend: &Backend<'a>, f: &'a NativeFunction, wrapper: &Signature) -> Option<Self> {
        if let Some(given) = backend.given.and_then(|given| given.device_check.as_deref()) {
            let given = Some(given.trim_end());
            return Some(DeviceCheck { wrapper: String::new(), function: "", arguments: Vec::new(), given });
        }
        Self::among(backend, f.device_check, f.func.arguments.on_one_device(), &wrapper.name)
    }

    /// That for the tensors among some arguments.
    pub(crate) fn among(
        backend: &Backend<'a>,
        check: DeviceCheckType,
        arguments: impl IntoIterator<Item = &'a Argument>,
        wrapper: &str,
    ) -> Option<Self> {
        if check == DeviceCheckType::NoCheck {
            return None;
        }
        let arguments = arguments.into_iter().filter(|a| a.ty.is_tensor_like()).map(ShownArgument::from).collect();
        Some(DeviceCheck { wrapper: wrapper.to_owned(), function: backend.guards.check, arguments, given: None })
    }
}

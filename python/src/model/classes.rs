//! The classes of `torchgen_rs.model`, found once.
//!
//! Invariant: each name here is a class of the Python package.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// Declares the table: a field for each class.
macro_rules! classes {
    ($($field:ident $name:literal),* $(,)?) => {
        /// The classes.
        #[allow(missing_docs)]
        pub(super) struct Classes {
            $(pub(super) $field: Py<PyType>,)*
            /// Objects for types, by their text.
            pub(super) types: Py<PyDict>,
        }

        impl Classes {
            fn find(py: Python<'_>) -> PyResult<Classes> {
                let module = py.import("torchgen_rs.model")?;
                Ok(Classes {
                    $($field: module.getattr($name)?.cast_into::<PyType>()?.unbind(),)*
                    types: PyDict::new(py).unbind(),
                })
            }
        }
    };
}

classes! {
    annotation "Annotation",
    argument "Argument",
    arguments "Arguments",
    backend_index "BackendIndex",
    backend_metadata "BackendMetadata",
    base_operator_name "BaseOperatorName",
    base_ty "BaseTy",
    base_type "BaseType",
    custom_class_type "CustomClassType",
    device_check_type "DeviceCheckType",
    dispatch_key "DispatchKey",
    function_schema "FunctionSchema",
    list_type "ListType",
    location "Location",
    native_function "NativeFunction",
    native_functions_group "NativeFunctionsGroup",
    native_functions_view_group "NativeFunctionsViewGroup",
    operator_name "OperatorName",
    optional_type "OptionalType",
    precompute "Precompute",
    returned "Return",
    scalar_type "ScalarType",
    schema_kind "SchemaKind",
    self_argument "SelfArgument",
    tensor_options_arguments "TensorOptionsArguments",
    ufunc_inner_loop "UfuncInnerLoop",
    ufunc_key "UfuncKey",
    variant "Variant",
    view_schema_kind "ViewSchemaKind",
}

/// The classes.
///
/// # Errors
/// The package lacks one.
pub(super) fn classes(py: Python<'_>) -> PyResult<&'static Classes> {
    static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();
    CLASSES.get_or_try_init(py, || Classes::find(py))
}

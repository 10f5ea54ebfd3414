//! The classes of `torchgen_rs.model`, found once.
//!
//! Invariant: each name here is a class of the Python package.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

crate::classes::classes! {
    "torchgen_rs.model";
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

/// Objects for types, by their text.
pub(super) fn types(py: Python<'_>) -> &Bound<'_, PyDict> {
    static TYPES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    TYPES.get_or_init(py, || PyDict::new(py).unbind()).bind(py)
}

"""PyTorch's operators as objects, by the names of the reference's ``torchgen.model``.

The program reads schemas and files; ``docs/coming-from-torchgen.md`` says what differs from the
reference.
"""

from __future__ import annotations

from ._keys import (
    AUTOGRAD_KEYS as AUTOGRAD_KEYS,
    BACKEND_COMPONENTS as BACKEND_COMPONENTS,
    DispatchKey as DispatchKey,
    FUNCTIONALITY_KEYS as FUNCTIONALITY_KEYS,
    STRUCTURED_DISPATCH_KEYS as STRUCTURED_DISPATCH_KEYS,
    UFUNC_DISPATCH_KEYS as UFUNC_DISPATCH_KEYS,
    dispatch_device_map as dispatch_device_map,
    dispatch_keys as dispatch_keys,
    is_cuda_dispatch_key as is_cuda_dispatch_key,
    is_generic_dispatch_key as is_generic_dispatch_key,
    is_structured_dispatch_key as is_structured_dispatch_key,
    is_ufunc_dispatch_key as is_ufunc_dispatch_key,
    is_xpu_dispatch_key as is_xpu_dispatch_key,
)
from ._enums import (
    BaseTy as BaseTy,
    DTYPE_CLASSES as DTYPE_CLASSES,
    DeviceCheckType as DeviceCheckType,
    ScalarType as ScalarType,
    SchemaKind as SchemaKind,
    UfuncKey as UfuncKey,
    Variant as Variant,
    ViewSchemaKind as ViewSchemaKind,
)
from ._types import (
    Annotation as Annotation,
    BaseType as BaseType,
    CustomClassType as CustomClassType,
    ListType as ListType,
    OptionalType as OptionalType,
    Type as Type,
)
from ._schema import (
    Argument as Argument,
    Arguments as Arguments,
    BaseOperatorName as BaseOperatorName,
    FunctionSchema as FunctionSchema,
    OperatorName as OperatorName,
    Return as Return,
    SelfArgument as SelfArgument,
    TensorOptionsArguments as TensorOptionsArguments,
)
from ._functions import (
    BackendMetadata as BackendMetadata,
    DEFAULT_KERNEL_NAMESPACE as DEFAULT_KERNEL_NAMESPACE,
    Location as Location,
    NativeFunction as NativeFunction,
    Precompute as Precompute,
    UfuncInnerLoop as UfuncInnerLoop,
)
from ._groups import (
    BackendIndex as BackendIndex,
    NativeFunctionsGroup as NativeFunctionsGroup,
    NativeFunctionsViewGroup as NativeFunctionsViewGroup,
    get_view_copy_name as get_view_copy_name,
    gets_generated_out_inplace_wrapper as gets_generated_out_inplace_wrapper,
    gets_generated_view_copy as gets_generated_view_copy,
)

__all__ = [
    "FRAGMENT_NAMESPACES",
    "AUTOGRAD_KEYS",
    "Annotation",
    "Argument",
    "Arguments",
    "BACKEND_COMPONENTS",
    "BackendIndex",
    "BackendMetadata",
    "BaseOperatorName",
    "BaseTy",
    "BaseType",
    "CustomClassType",
    "DEFAULT_KERNEL_NAMESPACE",
    "DTYPE_CLASSES",
    "DeviceCheckType",
    "DispatchKey",
    "FUNCTIONALITY_KEYS",
    "FunctionSchema",
    "ListType",
    "Location",
    "NativeFunction",
    "NativeFunctionsGroup",
    "NativeFunctionsViewGroup",
    "OperatorName",
    "OptionalType",
    "Precompute",
    "Return",
    "STRUCTURED_DISPATCH_KEYS",
    "ScalarType",
    "SchemaKind",
    "SelfArgument",
    "TensorOptionsArguments",
    "Type",
    "UFUNC_DISPATCH_KEYS",
    "UfuncInnerLoop",
    "UfuncKey",
    "Variant",
    "ViewSchemaKind",
    "dispatch_device_map",
    "dispatch_keys",
    "get_view_copy_name",
    "gets_generated_out_inplace_wrapper",
    "gets_generated_view_copy",
    "is_cuda_dispatch_key",
    "is_generic_dispatch_key",
    "is_structured_dispatch_key",
    "is_ufunc_dispatch_key",
    "is_xpu_dispatch_key",
]

FRAGMENT_NAMESPACES = {"quantized", "quantized_decomposed"}
"""The namespaces that other files of PyTorch declare too."""

_ELSEWHERE = {
    "codegen_per_backend_entries": "the members of `DispatchKey` are fixed",
    "parse_returns": "use `FunctionSchema.parse`, or `Return.parse` for each",
    "assert_never": "import it from `typing`",
    "NamespaceHelper": "import it from `torchgen_rs.utils`",
    "OrderedSet": "import it from `torchgen_rs.utils`",
}


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

"""The function of ``torchgen_rs.gen_lazy_tensor`` that scripts call."""

from __future__ import annotations

import os
from pathlib import Path

from . import commands
from ._backend_stubs import parse_backend_yaml, schema_errors, script
from ._operators import get_grouped_native_functions, parse_native_yaml
from .api.lazy import setValueT
from .api.types import BaseCppType
from .dest.lazy_ir import GenLazyIR, GenLazyNativeFuncDefinition, GenTSLazyIR, hook_of
from .model import DispatchKey

TYPE_CHECKING = False
if TYPE_CHECKING:
    _Path = str | os.PathLike[str]

__all__ = ["run_gen_lazy_tensor"]


def run_gen_lazy_tensor(
    aten_path: _Path,
    source_yaml: _Path,
    output_dir: _Path,
    dry_run: bool,
    impl_path: _Path | None,
    node_base: str = "Node",
    node_base_hdr: str | None = None,
    tensor_class: str = "torch::lazy::LazyTensor",
    tensor_class_hdr: str = "torch/csrc/lazy/core/tensor.h",
    shape_inference_hdr: str | None = "torch/csrc/lazy/core/shape_inference.h",
    lazy_ir_generator: type[GenLazyIR] = GenLazyIR,
    native_func_definition_generator: type[GenLazyNativeFuncDefinition] = GenLazyNativeFuncDefinition,
    build_in_tree: bool = False,
    per_operator_headers: bool = False,
    backend_name: str = "TorchScript",
    gen_forced_fallback_code: bool = False,
    use_lazy_shape: bool = True,
    backend_namespace: str = "torch::lazy",
    get_tensorlist: str = "GetTensorList",
    get_tensor_or_wrap_number: str = "GetLtcTensorOrCreateForWrappedNumber",
    try_get_tensor: str = "TryGetLtcTensor",
    metrics_counter: str = 'TORCH_LAZY_FN_COUNTER("lazy::")',
    create_tensor: str = "LazyTensor::Create",
    create_from_first_tensor: bool = False,
    create_aten_from_ltc_tensor: str = "torch::lazy::CreateAtenFromLtcTensor",
    tuple_aten_from_ltc_tensors: str = "torch::lazy::TupleAtenFromLtcTensors",
    lazy_value_class: str = "torch::lazy::Value",
    lazy_tensor_ptr: str = "LazyTensorPtr",
    get_device_fn: str = "torch::lazy::GetBackendDevice",
) -> None:
    """Runs the command ``lazy-tensor``, and calls the methods that classes override for each operator.

    Raises:
        SchemaError: the command failed.
        TypeError: a class overrides what cannot be decided.
    """
    namespace, _, value = lazy_value_class.rpartition("::")
    setValueT(BaseCppType(namespace, value))
    native = Path(aten_path, "native")
    functions, indices = parse_native_yaml(native / "native_functions.yaml", native / "tags.yaml")
    parsed = parse_backend_yaml(source_yaml, get_grouped_native_functions(functions), indices)
    key = parsed.backend_key or DispatchKey.Undefined
    nodes = lazy_ir_generator(indices[key], backend_name, node_base, use_lazy_shape)
    kernels = native_func_definition_generator(
        f"{key}NativeFunctions",
        indices[key],
        tensor_class,
        gen_forced_fallback_code,
        backend_namespace,
        get_tensorlist,
        get_tensor_or_wrap_number,
        try_get_tensor,
        metrics_counter,
        create_tensor,
        create_from_first_tensor,
        create_aten_from_ltc_tensor,
        tuple_aten_from_ltc_tensors,
        lazy_tensor_ptr,
        get_device_fn,
    )
    with schema_errors():
        commands.lazy_tensor(
            source_yaml=source_yaml,
            output_dir=output_dir,
            dry_run=dry_run,
            impl_path=impl_path,
            torch_path=aten_path,
            generated_by=script(),
            gen_ts_lowerings=issubclass(lazy_ir_generator, GenTSLazyIR),
            build_in_tree=build_in_tree,
            per_operator_headers=per_operator_headers,
            gen_forced_fallback_code=gen_forced_fallback_code,
            no_lazy_shape=not use_lazy_shape,
            skip_shape_inference_check=shape_inference_hdr is None,
            node_base=node_base,
            node_base_hdr=node_base_hdr,
            tensor_class=tensor_class,
            tensor_class_hdr=tensor_class_hdr,
            shape_inference_hdr=shape_inference_hdr,
            backend_name=backend_name,
            backend_namespace=backend_namespace,
            get_tensorlist=get_tensorlist,
            get_tensor_or_wrap_number=get_tensor_or_wrap_number,
            try_get_tensor=try_get_tensor,
            metrics_counter=metrics_counter,
            create_tensor=create_tensor,
            create_from_first_tensor=create_from_first_tensor,
            create_aten_from_ltc_tensor=create_aten_from_ltc_tensor,
            tuple_aten_from_ltc_tensors=tuple_aten_from_ltc_tensors,
            lazy_value_class=lazy_value_class,
            lazy_tensor_ptr=lazy_tensor_ptr,
            get_device_fn=get_device_fn,
            hook=hook_of(nodes, kernels),
        )

"""The code of operators for a dispatch key and for lazy backends, by the names of the reference's
``torchgen.dest``."""

from __future__ import annotations

from .lazy_ir import (
    GenLazyIR as GenLazyIR,
    GenLazyNativeFuncDefinition as GenLazyNativeFuncDefinition,
    GenLazyShapeInferenceDefinition as GenLazyShapeInferenceDefinition,
    GenTSLazyIR as GenTSLazyIR,
)
from .native_functions import compute_native_function_declaration as compute_native_function_declaration
from .register_dispatch_key import (
    RegisterDispatchKey as RegisterDispatchKey,
    gen_registration_headers as gen_registration_headers,
    gen_registration_helpers as gen_registration_helpers,
)
from .ufunc import (
    compute_ufunc_cpu as compute_ufunc_cpu,
    compute_ufunc_cpu_kernel as compute_ufunc_cpu_kernel,
    compute_ufunc_cuda as compute_ufunc_cuda,
)

__all__ = [
    "GenLazyIR",
    "GenLazyNativeFuncDefinition",
    "GenLazyShapeInferenceDefinition",
    "GenTSLazyIR",
    "RegisterDispatchKey",
    "compute_native_function_declaration",
    "compute_ufunc_cpu",
    "compute_ufunc_cpu_kernel",
    "compute_ufunc_cuda",
    "gen_registration_headers",
    "gen_registration_helpers",
]

_ELSEWHERE = {
    "generate_non_native_lazy_ir_nodes": "`torchgen_rs.gen_lazy_tensor.run_gen_lazy_tensor` writes them",
}


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

"""The code of lazy backends, by the names of the reference's ``torchgen.dest``."""

from __future__ import annotations

from .lazy_ir import (
    GenLazyIR as GenLazyIR,
    GenLazyNativeFuncDefinition as GenLazyNativeFuncDefinition,
    GenLazyShapeInferenceDefinition as GenLazyShapeInferenceDefinition,
    GenTSLazyIR as GenTSLazyIR,
)

__all__ = ["GenLazyIR", "GenLazyNativeFuncDefinition", "GenLazyShapeInferenceDefinition", "GenTSLazyIR"]

_STUBS = "`torchgen_rs.commands.backend_stubs` writes it; `torchgen_rs.hooks` has hooks for it"
_ELSEWHERE = {
    "RegisterDispatchKey": _STUBS,
    "StructuredRegisterDispatchKey": _STUBS,
    "compute_native_function_declaration": _STUBS,
    "compute_ufunc_cpu": "`torchgen_rs.generate` writes it",
    "compute_ufunc_cpu_kernel": "`torchgen_rs.generate` writes it",
    "compute_ufunc_cuda": "`torchgen_rs.generate` writes it",
    "gen_registration_headers": _STUBS,
    "gen_registration_helpers": _STUBS,
    "generate_non_native_lazy_ir_nodes": "`torchgen_rs.gen_lazy_tensor.run_gen_lazy_tensor` writes them",
}


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

"""Dispatch keys, and the sets of them that generators treat the same."""

from __future__ import annotations

import json
from enum import Enum

from .. import _torchgen_rs
from .._patches import WatchedEnum

__all__ = [
    "AUTOGRAD_KEYS",
    "BACKEND_COMPONENTS",
    "FUNCTIONALITY_KEYS",
    "STRUCTURED_DISPATCH_KEYS",
    "UFUNC_DISPATCH_KEYS",
    "DispatchKey",
    "dispatch_device_map",
    "dispatch_keys",
    "is_cuda_dispatch_key",
    "is_generic_dispatch_key",
    "is_structured_dispatch_key",
    "is_ufunc_dispatch_key",
    "is_xpu_dispatch_key",
]


class DispatchKey(Enum, metaclass=WatchedEnum):
    """A dispatch key. ``str`` is its name."""

    Undefined = 0
    CatchAll = Undefined
    FPGA = 1
    MAIA = 2
    Vulkan = 3
    Metal = 4
    MKLDNN = 5
    OpenGL = 6
    OpenCL = 7
    IDEEP = 8
    CustomRNGKeyId = 9
    MkldnnCPU = 10
    Sparse = 11
    SparseCsr = 12
    NestedTensor = 13
    Dense = 14
    PythonTLSSnapshot = 15
    PreDispatch = 16
    PythonDispatcher = 17
    Python = 18
    FuncTorchDynamicLayerBackMode = 19
    ZeroTensor = 20
    Conjugate = 21
    Negative = 22
    BackendSelect = 23
    Named = 24
    AutogradOther = 25
    AutogradFunctionality = 26
    AutogradNestedTensor = 27
    Tracer = 28
    Autocast = 29
    AutocastCPU = 30
    AutocastCUDA = 31
    AutocastXPU = 32
    Batched = 33
    VmapMode = 34
    FuncTorchGradWrapper = 35
    FuncTorchBatched = 36
    BatchedNestedTensor = 37
    FuncTorchVmapMode = 38
    FuncTorchDynamicLayerFrontMode = 39
    Functionalize = 40
    TESTING_ONLY_GenericWrapper = 41
    TESTING_ONLY_GenericMode = 42
    ADInplaceOrView = 43
    Autograd = 44
    CompositeImplicitAutograd = 45
    CompositeImplicitAutogradNestedTensor = 46
    CompositeExplicitAutograd = 47
    CompositeExplicitAutogradNonFunctional = 48
    FuncTorchBatchedDecomposition = 49
    CPU = 50
    CUDA = 51
    HIP = 52
    XLA = 53
    MTIA = 54
    MPS = 55
    IPU = 56
    XPU = 57
    HPU = 58
    VE = 59
    Lazy = 60
    Meta = 61
    PrivateUse1 = 62
    PrivateUse2 = 63
    PrivateUse3 = 64
    QuantizedCPU = 65
    QuantizedCUDA = 66
    QuantizedHIP = 67
    QuantizedXLA = 68
    QuantizedMTIA = 69
    QuantizedMPS = 70
    QuantizedIPU = 71
    QuantizedXPU = 72
    QuantizedHPU = 73
    QuantizedVE = 74
    QuantizedLazy = 75
    QuantizedMeta = 76
    QuantizedPrivateUse1 = 77
    QuantizedPrivateUse2 = 78
    QuantizedPrivateUse3 = 79
    SparseCPU = 80
    SparseCUDA = 81
    SparseHIP = 82
    SparseXLA = 83
    SparseMTIA = 84
    SparseMPS = 85
    SparseIPU = 86
    SparseXPU = 87
    SparseHPU = 88
    SparseVE = 89
    SparseLazy = 90
    SparseMeta = 91
    SparsePrivateUse1 = 92
    SparsePrivateUse2 = 93
    SparsePrivateUse3 = 94
    SparseCsrCPU = 95
    SparseCsrCUDA = 96
    SparseCsrHIP = 97
    SparseCsrXLA = 98
    SparseCsrMTIA = 99
    SparseCsrMPS = 100
    SparseCsrIPU = 101
    SparseCsrXPU = 102
    SparseCsrHPU = 103
    SparseCsrVE = 104
    SparseCsrLazy = 105
    SparseCsrMeta = 106
    SparseCsrPrivateUse1 = 107
    SparseCsrPrivateUse2 = 108
    SparseCsrPrivateUse3 = 109
    NestedTensorCPU = 110
    NestedTensorCUDA = 111
    NestedTensorHIP = 112
    NestedTensorXLA = 113
    NestedTensorMTIA = 114
    NestedTensorMPS = 115
    NestedTensorIPU = 116
    NestedTensorXPU = 117
    NestedTensorHPU = 118
    NestedTensorVE = 119
    NestedTensorLazy = 120
    NestedTensorMeta = 121
    NestedTensorPrivateUse1 = 122
    NestedTensorPrivateUse2 = 123
    NestedTensorPrivateUse3 = 124
    AutogradCPU = 125
    AutogradCUDA = 126
    AutogradHIP = 127
    AutogradXLA = 128
    AutogradMTIA = 129
    AutogradMPS = 130
    AutogradIPU = 131
    AutogradXPU = 132
    AutogradHPU = 133
    AutogradVE = 134
    AutogradLazy = 135
    AutogradMeta = 136
    AutogradPrivateUse1 = 137
    AutogradPrivateUse2 = 138
    AutogradPrivateUse3 = 139

    def __str__(self) -> str:
        return self.name

    def lower(self) -> str:
        """The name in lower case, as in file names."""
        return str(self).lower()

    @staticmethod
    def parse(value: str) -> DispatchKey:
        """The key of that name.

        Raises:
            AssertionError: there is none.
        """
        key = DispatchKey.__members__.get(value)
        if key is None:
            raise AssertionError(f"`{value}` is not a dispatch key")
        return key


BACKEND_COMPONENTS = [
    "CPU", "CUDA", "HIP", "XLA", "MTIA", "MPS", "IPU", "XPU", "HPU", "VE", "Lazy", "Meta",
    "PrivateUse1", "PrivateUse2", "PrivateUse3",
]
"""The backends, as parts of keys."""
FUNCTIONALITY_KEYS = ["", "Quantized", "Sparse", "SparseCsr", "NestedTensor", "Autograd"]
"""What precedes a backend in a key."""
AUTOGRAD_KEYS = ["AutogradNestedTensor", *(f"Autograd{backend}" for backend in BACKEND_COMPONENTS)]
"""The keys by which derivatives can differ."""

_ROWS = json.loads(_torchgen_rs.table("torch/dispatch_keys.yaml"))["kernels"]

STRUCTURED_DISPATCH_KEYS = {DispatchKey[row["key"]] for row in _ROWS if row.get("structured")}
"""The keys that have structured kernels. A script can add keys."""
UFUNC_DISPATCH_KEYS = {DispatchKey[row["key"]] for row in _ROWS if row.get("ufunc")}
"""The keys for which inner loops are generated."""

dispatch_keys = [DispatchKey[row["key"]] for row in _ROWS]
"""The keys that an entry can name, in the order of their files."""

_GENERIC = frozenset(key for key in DispatchKey if key.name.startswith("Composite"))
_CUDA = frozenset(
    DispatchKey[f"{kind}CUDA"] for kind in ("", "Quantized", "Sparse", "SparseCsr", "NestedTensor", "Autograd")
)
_XPU = frozenset(DispatchKey[key.name.replace("CUDA", "XPU")] for key in _CUDA)


def is_generic_dispatch_key(dk: DispatchKey) -> bool:
    """Whether the key's kernels serve all backends."""
    return dk in _GENERIC


def is_cuda_dispatch_key(dk: DispatchKey) -> bool:
    """Whether the key is one of CUDA devices."""
    return dk in _CUDA


def is_xpu_dispatch_key(dk: DispatchKey) -> bool:
    """Whether the key is one of XPU devices."""
    return dk in _XPU


def is_structured_dispatch_key(dk: DispatchKey) -> bool:
    """Whether the key has structured kernels."""
    from .. import model

    return dk in model.STRUCTURED_DISPATCH_KEYS


def is_ufunc_dispatch_key(dk: DispatchKey) -> bool:
    """Whether inner loops are generated for the key."""
    return dk in UFUNC_DISPATCH_KEYS


dispatch_device_map = {is_cuda_dispatch_key: "cuda", is_xpu_dispatch_key: "xpu"}
"""The device whose files have the kernels of the keys that a function accepts."""

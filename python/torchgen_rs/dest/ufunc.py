"""Kernels that are made of the inner loops that operators name with ``ufunc_inner_loop:``."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from .._said import said_as
from ..context import native_function_manager
from ..model import NativeFunctionsGroup
from .register_dispatch_key import _NO_KERNELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

__all__ = ["compute_ufunc_cpu", "compute_ufunc_cpu_kernel", "compute_ufunc_cuda"]


def _part(g: NativeFunctionsGroup, part: Literal["cpu", "cpu_kernel", "cuda"]) -> str:
    with said_as("entries"), native_function_manager(g):
        return _torchgen_rs.ufunc_text(g, _NO_KERNELS, part)


def compute_ufunc_cpu(g: NativeFunctionsGroup) -> str:
    """The kernel of a group for CPU, which calls the loops.

    Raises:
        SchemaError: the loops of the group do not make one.
    """
    return _part(g, "cpu")


def compute_ufunc_cpu_kernel(g: NativeFunctionsGroup) -> str:
    """The loops for CPU.

    Raises:
        SchemaError: the loops of the group do not make them.
    """
    return _part(g, "cpu_kernel")


def compute_ufunc_cuda(g: NativeFunctionsGroup) -> str:
    """The kernel of a group for CUDA.

    Raises:
        SchemaError: the loops of the group do not make one.
    """
    return _part(g, "cuda")


watch(__name__)

"""The names of kernels of autograd."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from ..model import NativeFunction

__all__ = ["type_wrapper_name"]


def type_wrapper_name(f: NativeFunction, key: str = "Default") -> str:
    """The name of an operator's kernel for a key of its derivatives."""
    return _torchgen_rs.kernel_parts(f, key)[0]

watch(__name__)

"""The kernels that make operators differentiable."""

from __future__ import annotations

from .. import _torchgen_rs
from ..api.autograd import NativeFunctionWithDifferentiabilityInfo
from ..context import native_function_manager
from ..model import NativeFunction

__all__ = ["emit_body", "gen_wrapper_registration"]


def emit_body(fn: NativeFunctionWithDifferentiabilityInfo, key: str = "Default") -> list[str]:
    """The lines of an operator's kernel for a key of its derivatives.

    Raises:
        SchemaError: the derivatives do not match the operator.
    """
    with native_function_manager(fn.func):
        return _torchgen_rs.kernel_body(fn, key)


def gen_wrapper_registration(f: NativeFunction, key: str = "Default") -> str:
    """The registration of an operator's kernel for a key of its derivatives."""
    return _torchgen_rs.kernel_parts(f, key)[2]


_ELSEWHERE = {
    "gen_variable_type": "`torchgen_rs.commands.autograd` writes the files",
    "gen_variable_type_func": "use `emit_body` and `gen_wrapper_registration`",
}


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

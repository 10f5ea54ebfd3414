"""The kernels that make operators differentiable."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from ..api.autograd import NativeFunctionWithDifferentiabilityInfo
from ..context import native_function_manager
from ..model import NativeFunction
from . import gen_inplace_or_view_type

__all__ = ["GRADIENT_IMPLEMENTED_FOR_COMPLEX", "emit_body", "gen_wrapper_registration"]

_UNPACK = gen_inplace_or_view_type._UNPACK_ARGS
_FOR_COMPLEX = frozenset(_torchgen_rs.names_for_complex())

GRADIENT_IMPLEMENTED_FOR_COMPLEX = set(_FOR_COMPLEX)
"""The base names of operators whose gradients are those of complex tensors too; the others refuse
them. A script can add names."""


def emit_body(fn: NativeFunctionWithDifferentiabilityInfo, key: str = "Default") -> list[str]:
    """The lines of an operator's kernel for a key of its derivatives.

    Raises:
        SchemaError: the derivatives do not match the operator.
        ValueError: a function in place of ``unpack_args`` gives arguments other names.
    """
    f = fn.func
    for_complex = f.root_name in GRADIENT_IMPLEMENTED_FOR_COMPLEX
    is_own = for_complex is not (f.root_name in _FOR_COMPLEX)
    with native_function_manager(f):
        lines = _torchgen_rs.kernel_body(fn, key, for_complex if is_own else None)
        if gen_inplace_or_view_type.unpack_args is _UNPACK:
            return lines
        (plain, known), (statements, bindings) = _UNPACK(f), gen_inplace_or_view_type.unpack_args(f)
        names = [binding.name for binding in known]
        if names != [binding.name for binding in bindings]:
            raise ValueError(f"the arguments of `{f.func.name}` in a kernel are {', '.join(names)}")
        return [*statements, *lines[len(plain) :]]


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

watch(__name__)

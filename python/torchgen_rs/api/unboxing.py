"""Functions that take their arguments from a stack."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from ..model import NativeFunction
from .types.types_base import Binding

__all__ = ["convert_arguments", "name"]

_ELSEWHERE = {
    "argumenttype_ivalue_convert": "`convert_arguments` converts all arguments of an operator",
    "connector": "lines of `convert_arguments` are joined by a newline and a tabulator",
}


def name(f: NativeFunction) -> str:
    """The name of an operator's function."""
    return f.func.name.unambiguous_name()


def convert_arguments(f: NativeFunction) -> tuple[list[Binding], list[str]]:
    """The parameters of an operator's C++ function under the names of the converted variables, and the
    lines that take the arguments from the stack and convert them.

    Raises:
        SchemaError: an argument cannot be taken from a stack.
    """
    return _torchgen_rs.unboxed(f)


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

watch(__name__)

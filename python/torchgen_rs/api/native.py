"""Kernels in PyTorch's sources: parameters follow the schema, and functional ones keep defaults."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from ..model import Argument, FunctionSchema, Return, SelfArgument, TensorOptionsArguments, Type
from . import cpp
from ._toggles import toggles
from .types.types_base import ArgName, Binding, CType, NamedCType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["argument", "argument_type", "arguments", "argumenttype_type", "name", "returns_type"]


def name(func: FunctionSchema) -> str:
    """The default name of an operator's kernel."""
    return _torchgen_rs.native_name(func)


def argumenttype_type(t: Type, *, mutable: bool, binds: ArgName, symint: bool) -> NamedCType:
    """The type of an argument of a type."""
    return NamedCType(binds, _torchgen_rs.argument_type("native", t, mutable, False, symint, toggles()))


def argument_type(a: Argument, *, binds: ArgName, symint: bool) -> NamedCType:
    """The type of an argument."""
    return argumenttype_type(a.type, mutable=a.is_write, binds=binds, symint=symint)


def returns_type(rs: Iterable[Return], *, symint: bool) -> CType:
    """The type that a function with these returns has."""
    return cpp.returns_type(rs, symint=symint)


def argument(
    a: Argument | SelfArgument | TensorOptionsArguments, *, is_out: bool, symint: bool
) -> list[Binding]:
    """The parameters for an argument: several for tensor options. Out variants have no defaults."""
    own = cpp.only(a)
    made = _torchgen_rs.parameters("native", own, symint, False, set(), toggles())
    return [binding.no_default() for binding in made] if is_out else made


def arguments(func: FunctionSchema, *, symint: bool) -> list[Binding]:
    """The parameters of an operator's kernel."""
    return _torchgen_rs.parameters("native", func, symint, False, set(), toggles())

watch(__name__)

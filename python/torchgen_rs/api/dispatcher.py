"""The dispatcher's convention: one parameter for each argument of the schema, without defaults."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from ..model import Argument, FunctionSchema, Return, Type
from . import cpp
from ._toggles import toggles
from .types.types_base import ArgName, Binding, CType, NamedCType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "argument",
    "argument_type",
    "arguments",
    "argumenttype_type",
    "jit_arguments",
    "name",
    "returns_type",
]


def name(func: FunctionSchema) -> str:
    """The name of an operator's function."""
    return cpp.name(func)


def argumenttype_type(
    t: Type,
    *,
    mutable: bool,
    binds: ArgName,
    remove_non_owning_ref_types: bool = False,
    symint: bool = True,
) -> NamedCType:
    """The type of an argument of a type."""
    return cpp.argumenttype_type(
        t,
        mutable=mutable,
        binds=binds,
        remove_non_owning_ref_types=remove_non_owning_ref_types,
        symint=symint,
    )


def argument_type(
    a: Argument, *, binds: ArgName, remove_non_owning_ref_types: bool = False, symint: bool = True
) -> NamedCType:
    """The type of an argument."""
    return argumenttype_type(
        a.type,
        mutable=a.is_write,
        binds=binds,
        remove_non_owning_ref_types=remove_non_owning_ref_types,
        symint=symint,
    )


def returns_type(rs: Iterable[Return], *, symint: bool = True) -> CType:
    """The type that a function with these returns has."""
    return cpp.returns_type(rs, symint=symint)


def jit_arguments(func: FunctionSchema) -> list[Argument]:
    """The arguments of a schema, in order."""
    return list(func.schema_order_arguments())


def argument(a: Argument, *, remove_non_owning_ref_types: bool = False, symint: bool = True) -> Binding:
    """The parameter for an argument."""
    owning = remove_non_owning_ref_types
    return Binding(a.name, argument_type(a, binds=a.name, remove_non_owning_ref_types=owning, symint=symint), a)


def arguments(func: FunctionSchema, *, symint: bool = True) -> list[Binding]:
    """The parameters of an operator's function."""
    return _torchgen_rs.parameters("dispatcher", func, symint, False, set(), toggles())

def _keeps_defaults(value: object) -> bool:
    # The parameters of kernels are the same, with the defaults of the schema.
    from . import native

    return value is native.arguments


watch(__name__, looked_up={"arguments": _keeps_defaults})

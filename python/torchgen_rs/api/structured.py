"""Structured kernels: no defaults, no mutable references, integers in place of symbolic ones."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from ..model import Argument, NativeFunctionsGroup, SelfArgument, TensorOptionsArguments, Type
from ._toggles import toggles
from .types.types_base import ArgName, Binding, NamedCType

__all__ = ["argument", "argument_type", "argumenttype_type", "impl_arguments", "meta_arguments", "out_arguments"]


def argumenttype_type(t: Type, *, mutable: bool, binds: ArgName) -> NamedCType:
    """The type of an argument of a type."""
    return NamedCType(binds, _torchgen_rs.argument_type("structured", t, mutable, False, False, toggles()))


def argument_type(a: Argument, *, binds: ArgName) -> NamedCType:
    """The type of an argument."""
    return argumenttype_type(a.type, mutable=a.is_write, binds=binds)


def argument(a: Argument | SelfArgument | TensorOptionsArguments) -> list[Binding]:
    """The parameter for an argument.

    Raises:
        AssertionError: it is tensor options, which structured kernels cannot take.
    """
    if isinstance(a, TensorOptionsArguments):
        raise AssertionError("structured kernels cannot take tensor options")
    return _torchgen_rs.structured_parameters([a.argument if isinstance(a, SelfArgument) else a])


def impl_arguments(g: NativeFunctionsGroup) -> list[Binding]:
    """The parameters of a group's kernel, with the precomputed ones."""
    return _torchgen_rs.impl_parameters(g.out)


def meta_arguments(g: NativeFunctionsGroup) -> list[Binding]:
    """The parameters of a group's meta function."""
    return [binding for a in g.functional.func.arguments.non_out for binding in argument(a)]


def out_arguments(g: NativeFunctionsGroup) -> list[Binding]:
    """The outputs among the parameters of a group's kernel."""
    return _torchgen_rs.structured_parameters(list(g.out.func.arguments.out))

watch(__name__)

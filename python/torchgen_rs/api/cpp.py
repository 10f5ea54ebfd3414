"""The public C++ API: defaults, gathered tensor options, out arguments first."""

from __future__ import annotations

from dataclasses import replace

from .. import _torchgen_rs
from .._patches import watch
from ..model import (
    Annotation,
    Argument,
    Arguments,
    BaseTy,
    BaseType,
    FunctionSchema,
    NativeFunction,
    Return,
    SelfArgument,
    TensorOptionsArguments,
    Type,
)
from ._toggles import toggles
from .types.types_base import ArgName, Binding, CType, NamedCType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "JIT_TO_CPP_DEFAULT",
    "argument",
    "argument_type",
    "arguments",
    "argumenttype_type",
    "default_expr",
    "name",
    "return_names",
    "return_type",
    "returns_type",
    "returntype_type",
    "valuetype_type",
]


def name(
    func: FunctionSchema, *, faithful_name_for_out_overloads: bool = False, symint_overload: bool = False
) -> str:
    """The name of an operator's function."""
    return _torchgen_rs.cpp_name(func, faithful_name_for_out_overloads, symint_overload)


def valuetype_type(t: Type, *, binds: ArgName, mutable: bool = True, symint: bool = False) -> NamedCType | None:
    """The type of what is passed and returned by value; None for what is not."""
    made = _torchgen_rs.value_type(t, symint)
    return None if made is None else NamedCType(binds, made)


def argumenttype_type(
    t: Type,
    *,
    mutable: bool,
    binds: ArgName,
    remove_non_owning_ref_types: bool = False,
    symint: bool = False,
) -> NamedCType:
    """The type of an argument of a type."""
    made = _torchgen_rs.argument_type("cpp", t, mutable, remove_non_owning_ref_types, symint, toggles())
    return NamedCType(binds, made)


def argument_type(a: Argument, *, binds: ArgName, symint: bool = False) -> NamedCType:
    """The type of an argument."""
    return argumenttype_type(a.type, mutable=a.is_write, binds=binds, symint=symint)


def returntype_type(t: Type, *, mutable: bool, symint: bool = False) -> CType:
    """The type of a return of a type."""
    written = Annotation(("a",), True, ()) if mutable else None
    return return_type(Return(None, t, written), symint=symint)


def return_type(r: Return, *, symint: bool = False) -> CType:
    """The type of a return."""
    return returns_type((r,), symint=symint)


def returns_type(rs: Iterable[Return], *, symint: bool = False) -> CType:
    """The type that a function with these returns has. Symbolic integers stay ones."""
    return _torchgen_rs.returns_type(list(rs), toggles())


def return_names(f: NativeFunction, *, fallback_name: str = "result") -> Sequence[str]:
    """The names of an operator's returns in generated code."""
    return _torchgen_rs.return_names(f, fallback_name)


def default_expr(d: str, t: Type, *, symint: bool) -> str:
    """A default of a schema in C++."""
    return _torchgen_rs.default_expr(d, t, symint)


_NONE = Arguments((), None, (), (), None, (), ())
_OPTIONS = "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"


def argument(
    a: Argument | TensorOptionsArguments | SelfArgument,
    *,
    cpp_no_default_args: set[str],
    method: bool,
    faithful: bool,
    symint: bool = False,
    has_tensor_options: bool,
) -> list[Binding]:
    """The parameters for an argument, with their defaults: none for ``self`` of a method, several for
    tensor options that are not gathered."""
    if isinstance(a, TensorOptionsArguments) and faithful:
        flags = {"method": method, "faithful": True, "symint": symint, "has_tensor_options": has_tensor_options}
        made = (argument(part, cpp_no_default_args=cpp_no_default_args, **flags) for part in a.all())
        return [binding for bindings in made for binding in bindings]
    own, options = only(a), 0
    if isinstance(a, Argument) and has_tensor_options:
        # What it represents may depend on them.
        own, options = replace(Arguments.parse(_OPTIONS), post_tensor_options_kwarg_only=(a,)), 1
    return parameters(own, False, symint, method, cpp_no_default_args)[options:]


def only(a: Argument | TensorOptionsArguments | SelfArgument) -> Arguments:
    """The arguments of a schema with only this one."""
    if isinstance(a, TensorOptionsArguments):
        return replace(_NONE, tensor_options=a)
    if isinstance(a, SelfArgument):
        return replace(_NONE, self_arg=a)
    return replace(_NONE, post_self_positional=(a,))


def arguments(
    arguments: Arguments,
    *,
    faithful: bool,
    symint: bool = False,
    method: bool,
    cpp_no_default_args: set[str],
) -> list[Binding]:
    """The parameters for the arguments of a schema."""
    return parameters(arguments, faithful, symint, method, cpp_no_default_args)


def parameters(
    func: FunctionSchema | Arguments,
    faithful: bool,
    symint: bool,
    method: bool,
    cpp_no_default_args: set[str],
) -> list[Binding]:
    """The parameters of an operator's function."""
    no_default = cpp_no_default_args
    return _torchgen_rs.parameters("faithful" if faithful else "cpp", func, symint, method, no_default, toggles())

_INT = BaseType(BaseTy.int)

JIT_TO_CPP_DEFAULT = {
    default: default_expr(default, _INT, symint=True)
    for default in ("False", "True", "None", "Mean", "[]", "contiguous_format", "long")
}
"""Defaults of schemas that C++ spells in another way."""

watch(__name__)

"""The public C++ API: defaults, gathered tensor options, out arguments first."""

from __future__ import annotations

from .. import _torchgen_rs
from ..model import Annotation, Argument, Arguments, FunctionSchema, NativeFunction, Return, Type
from ._toggles import toggles
from .types.types_base import ArgName, Binding, CType, NamedCType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
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


_ELSEWHERE = {"argument": "use `arguments`"}


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

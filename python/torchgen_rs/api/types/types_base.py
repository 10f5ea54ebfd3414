"""C++ types as a structure, and parameters: what they represent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from ... import _torchgen_rs
from ...model import Argument, SelfArgument, TensorOptionsArguments

__all__ = [
    "ArgName",
    "ArrayCType",
    "BaseCType",
    "BaseCppType",
    "Binding",
    "CType",
    "ConstRefCType",
    "Expr",
    "MutRefCType",
    "NamedCType",
    "SpecialArgName",
    "TupleCType",
    "VectorCType",
    "boolT",
    "byteT",
    "charT",
    "doubleT",
    "floatT",
    "int32T",
    "longT",
    "shortT",
    "voidT",
]


class SpecialArgName(Enum):
    """What a value represents that is not exactly an argument."""

    possibly_redundant_memory_format = 1


ArgName = str | SpecialArgName
"""What a value represents: the argument of that name."""


@dataclass(frozen=True)
class BaseCppType:
    """The name of a C++ type, and its namespace."""

    ns: str | None
    name: str

    def __str__(self) -> str:
        return f"{self.ns}::{self.name}" if self.ns else self.name


byteT = BaseCppType("", "uint8_t")
charT = BaseCppType("", "int8_t")
shortT = BaseCppType("", "int16_t")
int32T = BaseCppType("", "int32_t")
longT = BaseCppType("", "int64_t")
doubleT = BaseCppType("", "double")
floatT = BaseCppType("", "float")
boolT = BaseCppType("", "bool")
voidT = BaseCppType("", "void")


class CType:
    """A C++ type."""

    __slots__ = ()

    def cpp_type(self, *, strip_ref: bool = False) -> str:
        """The type as C++ spells it, perhaps without the outermost reference."""
        return _torchgen_rs.ctype_text(self, strip_ref)

    def remove_const_ref(self) -> CType:
        """The type without references at any depth."""
        parts = {name: _without_references(getattr(self, name)) for name in getattr(self, "__match_args__", ())}
        return replace(self, **parts)  # type: ignore[type-var]


def _without_references(part: object) -> object:
    if isinstance(part, list):
        return [_without_references(one) for one in part]
    return part.remove_const_ref() if isinstance(part, CType) else part


@dataclass(frozen=True)
class BaseCType(CType):
    """A type without structure."""

    type: BaseCppType


@dataclass(frozen=True)
class ConstRefCType(CType):
    """``const T &``"""

    elem: CType

    def remove_const_ref(self) -> CType:
        """The type without references at any depth."""
        return self.elem.remove_const_ref()


@dataclass(frozen=True)
class MutRefCType(CType):
    """``T &``"""

    elem: CType

    def remove_const_ref(self) -> CType:
        """The type without references at any depth."""
        return self.elem.remove_const_ref()


@dataclass(frozen=True)
class VectorCType(CType):
    """``::std::vector<T>``"""

    elem: CType


@dataclass(frozen=True)
class ArrayCType(CType):
    """``::std::array<T,n>``"""

    elem: CType
    size: int


@dataclass(frozen=True)
class TupleCType(CType):
    """``::std::tuple<A,B>``"""

    elems: list[CType]


@dataclass(frozen=True)
class NamedCType:
    """A C++ type, and what its value represents."""

    name: ArgName
    type: CType

    def cpp_type(self, *, strip_ref: bool = False) -> str:
        """The type as C++ spells it."""
        return self.type.cpp_type(strip_ref=strip_ref)

    def remove_const_ref(self) -> NamedCType:
        """The same without references."""
        return NamedCType(self.name, self.type.remove_const_ref())

    def with_name(self, name: str) -> NamedCType:
        """The same type for another argument."""
        return NamedCType(name, self.type)


@dataclass(frozen=True)
class Binding:
    """A parameter of a C++ function."""

    name: str
    nctype: NamedCType
    argument: Argument | TensorOptionsArguments | SelfArgument
    """The argument of the schema that it comes from."""
    default: str | None = None

    @property
    def type(self) -> str:
        """Its type as C++ spells it."""
        return self.nctype.cpp_type()

    def rename(self, name: str) -> Binding:
        """The same under another name."""
        return replace(self, name=name)

    def with_name(self, name: str) -> Binding:
        """The same under another name."""
        return replace(self, name=name)

    def no_default(self) -> Binding:
        """The same without a default."""
        return replace(self, default=None)

    def decl(self, *, func_ptr_cast: bool = False) -> str:
        """``type name=default``, or only the type."""
        if func_ptr_cast:
            return self.type
        return self.defn() if self.default is None else f"{self.defn()}={self.default}"

    def defn(self) -> str:
        """``type name``"""
        return f"{self.type} {self.name}"


@dataclass(frozen=True)
class Expr:
    """A C++ expression, and what it provides."""

    expr: str
    type: NamedCType

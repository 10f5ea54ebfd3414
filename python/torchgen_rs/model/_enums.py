"""Enumerations of entries and schemas."""

from __future__ import annotations

from enum import Enum

from ..utils import OrderedSet

__all__ = [
    "DTYPE_CLASSES",
    "BaseTy",
    "DeviceCheckType",
    "ScalarType",
    "SchemaKind",
    "UfuncKey",
    "Variant",
    "ViewSchemaKind",
]


class Variant(Enum):
    """A C++ binding of an operator."""

    function = 1
    method = 2


class DeviceCheckType(Enum):
    """What ``device_check:`` says."""

    NoCheck = 0
    ExactSame = 1


class SchemaKind(Enum):
    """The kind of variant that a schema is."""

    functional = 1
    inplace = 2
    out = 3
    mutable = 4
    scratch = 5


class ViewSchemaKind(Enum):
    """The role of an operator among those of a view."""

    aliasing = 1
    aliasing_inplace = 2
    non_aliasing = 3


class UfuncKey(Enum):
    """A key of ``ufunc_inner_loop:``."""

    CUDAFunctor = 1
    CUDAFunctorOnOther = 2
    CUDAFunctorOnSelf = 3
    CPUScalar = 4
    CPUVector = 5
    ScalarOnly = 6
    Generic = 7

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def parse(value: str) -> UfuncKey:
        """The key of that name.

        Raises:
            AssertionError: there is none.
        """
        key = UfuncKey.__members__.get(value)
        if key is None:
            raise AssertionError(f"`{value}` is not a ufunc key")
        return key


class ScalarType(Enum):
    """The type of the elements of a tensor."""

    Byte = 1
    Char = 2
    Short = 3
    Int = 4
    Long = 5
    Half = 6
    Float = 7
    Double = 8
    ComplexHalf = 9
    ComplexFloat = 10
    ComplexDouble = 11
    Bool = 12
    BFloat16 = 13
    Float8_e5m2 = 14
    Float8_e5m2fnuz = 15
    Float8_e4m3fn = 16
    Float8_e4m3fnuz = 17
    Float8_e8m0fnu = 18

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def maybe_parse(value: str) -> ScalarType | None:
        """The type of that name, if there is one."""
        return ScalarType.__members__.get(value)

    @staticmethod
    def parse(value: str) -> ScalarType:
        """The type of that name.

        Raises:
            AssertionError: there is none.
        """
        found = ScalarType.maybe_parse(value)
        if found is None:
            raise AssertionError(f"`{value}` is not a scalar type")
        return found

    @staticmethod
    def parse_set(values: str) -> OrderedSet[ScalarType]:
        """The types of a list such as ``AllAndComplex, Bool``: names, and those of classes."""
        found: OrderedSet[ScalarType] = OrderedSet()
        for value in values.split(", "):
            found.update(DTYPE_CLASSES.get(value) or OrderedSet([ScalarType.parse(value)]))
        return found


def _classes() -> dict[str, OrderedSet[ScalarType]]:
    def named(names: str) -> OrderedSet[ScalarType]:
        return OrderedSet(map(ScalarType.parse, names.split()))

    integral, floating = named("Byte Char Int Long Short"), named("Float Double")
    of_complex = named("ComplexFloat ComplexDouble")
    return {
        "Integral": integral,
        "Floating": floating,
        "Complex": of_complex,
        "All": integral | floating,
        "AllAndComplex": integral | floating | of_complex,
        "FloatingAndComplex": floating | of_complex,
    }


DTYPE_CLASSES = _classes()
"""Scalar types by the name of their class."""


class BaseTy(Enum):
    """A type of schemas without structure."""

    Generator = 1
    ScalarType = 2
    Tensor = 3
    int = 4
    DimVector = 5
    float = 6
    str = 7
    bool = 8
    Layout = 9
    Device = 10
    DeviceIndex = 11
    Scalar = 12
    MemoryFormat = 13
    QScheme = 14
    Storage = 15
    Stream = 16
    SymInt = 17
    SymBool = 18
    GraphModule = 19
    # Only in the schemas of torch before 2.13.
    Dimname = 20

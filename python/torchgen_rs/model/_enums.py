"""Enumerations of entries and schemas."""

from __future__ import annotations

from enum import Enum, auto

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

    function = auto()
    method = auto()


class DeviceCheckType(Enum):
    """What ``device_check:`` says."""

    NoCheck = 0
    ExactSame = 1


class SchemaKind(Enum):
    """The kind of variant that a schema is."""

    functional = auto()
    inplace = auto()
    out = auto()
    mutable = auto()
    scratch = auto()


class ViewSchemaKind(Enum):
    """The role of an operator among those of a view."""

    aliasing = auto()
    aliasing_inplace = auto()
    non_aliasing = auto()


class UfuncKey(Enum):
    """A key of ``ufunc_inner_loop:``."""

    CUDAFunctor = auto()
    CUDAFunctorOnOther = auto()
    CUDAFunctorOnSelf = auto()
    CPUScalar = auto()
    CPUVector = auto()
    ScalarOnly = auto()
    Generic = auto()

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

    Byte = auto()
    Char = auto()
    Short = auto()
    Int = auto()
    Long = auto()
    Half = auto()
    Float = auto()
    Double = auto()
    ComplexHalf = auto()
    ComplexFloat = auto()
    ComplexDouble = auto()
    Bool = auto()
    BFloat16 = auto()
    Float8_e5m2 = auto()
    Float8_e5m2fnuz = auto()
    Float8_e4m3fn = auto()
    Float8_e4m3fnuz = auto()
    Float8_e8m0fnu = auto()

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

    Generator = auto()
    ScalarType = auto()
    Tensor = auto()
    int = auto()
    DimVector = auto()
    float = auto()
    str = auto()
    bool = auto()
    Layout = auto()
    Device = auto()
    DeviceIndex = auto()
    Scalar = auto()
    MemoryFormat = auto()
    QScheme = auto()
    Storage = auto()
    Stream = auto()
    SymInt = auto()
    SymBool = auto()
    GraphModule = auto()
    # Only in the schemas of torch before 2.13.
    Dimname = auto()

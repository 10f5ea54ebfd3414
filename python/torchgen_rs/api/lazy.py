"""The schemas of nodes in lazy backends: which arguments are values of the graph."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from ..model import (
    Argument,
    BaseTy,
    BaseType,
    FunctionSchema,
    OperatorName,
    OptionalType,
    Return,
    Type,
)
from .types.types_base import BaseCppType, CType, NamedCType

__all__ = [
    "LazyArgument",
    "LazyIrProperties",
    "LazyIrSchema",
    "getValueT",
    "isGeneratorType",
    "isSymIntType",
    "isValueType",
    "isWrappedScalarType",
    "process_ir_type",
    "setValueT",
    "tensorListValueT",
]

tensorListValueT = BaseCppType("torch::lazy", "Value")
"""The type of a list of tensors."""

_value: BaseCppType | None = None


def getValueT() -> BaseCppType:
    """The type of values.

    Raises:
        NotImplementedError: ``setValueT`` was not called.
    """
    if _value is None:
        raise NotImplementedError("the type of values is not set: call `setValueT` first")
    return _value


def setValueT(val: BaseCppType) -> None:
    """Sets the type of values for all schemas that are made later."""
    global _value
    _value = val


_PROPERTIES = (
    ("ShapePrecompute", "ShapeCompute", "ShapeCache"),
    ("Lower", "LowerDeclOnly"),
    ("CanBeReused", "CanBeReusedDeclOnly"),
    ("CreateFn", "CreateFnDeclOnly"),
    ("TreatScalarsAsConstants",),
)


class LazyIrProperties:
    """What to generate for a node. Each property is a boolean attribute; of a group, at most one is
    true."""

    Properties: tuple[tuple[str, ...], ...] = _PROPERTIES

    def __init__(self, *default_properties: str) -> None:
        self.__dict__["properties"] = dict.fromkeys(_PROPERTIES)
        for name in default_properties:
            setattr(self, name, True)

    def __getattr__(self, key: str) -> bool:
        # Copies are made without the dictionary.
        chosen = self.__dict__.get("properties", {})
        for group in _PROPERTIES:
            if key in group and group in chosen:
                return bool(chosen[group] == key)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {key!r}", name=key, obj=self)

    def __setattr__(self, key: str, value: bool) -> None:
        for group in _PROPERTIES:
            if key in group:
                self.__dict__["properties"][group] = key if value else None
                return
        raise KeyError(f"Invalid property: {key}")


def _rules(properties: LazyIrProperties | None, symint: bool) -> tuple[str, bool, bool]:
    return str(getValueT()), properties is not None and properties.TreatScalarsAsConstants, symint


def process_ir_type(typ: Type, properties: LazyIrProperties, *, symint: bool) -> CType:
    """The type of an argument in a node.

    Raises:
        SchemaError: nodes have no such arguments.
    """
    return _torchgen_rs.node_type(typ, _rules(properties, symint))


def isValueType(typ: CType, properties: LazyIrProperties | None = None) -> bool:
    """Whether such a type is a value of the graph, or contains one."""
    return _torchgen_rs.is_node_value(typ, _rules(properties, True))


def isSymIntType(typ: Type) -> bool:
    """Whether it is a symbolic integer."""
    return typ == BaseType(BaseTy.SymInt)


def isWrappedScalarType(typ: Type) -> bool:
    """Whether it is a number that becomes a value, or may contain one."""
    return _torchgen_rs.is_node_number(typ)


def isGeneratorType(typ: Type) -> bool:
    """Whether it is a generator of random numbers, or may be one."""
    return (typ.elem if isinstance(typ, OptionalType) else typ) == BaseType(BaseTy.Generator)


class LazyArgument:
    """An argument of a node."""

    name: str
    orig_type: Type
    """Its type in the schema."""
    lazy_type_: CType | None
    symint: bool
    """Whether symbolic integers are values."""
    is_optional: bool
    is_generator: bool
    is_wrapped_scalar: bool
    """Whether it is a number that becomes a value."""
    is_symint_or_list: bool
    """Whether it is a symbolic integer that becomes a value; lists of them do not."""
    is_lazy_value: bool
    """Whether it is a value, or contains one."""

    def __init__(self, arg: Argument, properties: LazyIrProperties, *, symint: bool) -> None:
        self.name = arg.name
        self.orig_type = arg.type
        self.symint = symint
        self.is_optional = isinstance(arg.type, OptionalType)
        self.is_generator = isGeneratorType(arg.type)
        self.lazy_type_ = process_ir_type(arg.type, properties, symint=symint)
        self.is_wrapped_scalar = isWrappedScalarType(arg.type)
        own = arg.type.elem if isinstance(arg.type, OptionalType) else arg.type
        self.is_symint_or_list = symint and isSymIntType(own)
        self.is_lazy_value = isValueType(self.lazy_type_, properties)

    @property
    def lazy_type(self) -> CType:
        """Its type in the node."""
        if self.lazy_type_ is None:
            raise AssertionError(f"argument `{self.name}` has no type in nodes")
        return self.lazy_type_


class LazyIrSchema:
    """The schema of a node: the arguments of its operator in order, and what to generate for it."""

    name: OperatorName
    positional_args: tuple[LazyArgument, ...]
    keyword_args: tuple[LazyArgument, ...]
    """Arguments that are passed by name, including out arguments."""
    returns: tuple[Return, ...]
    generator_arg: NamedCType | None = None
    """The generator, if there is one, with its type in the schema."""
    func: FunctionSchema
    symint: bool
    """Whether symbolic integers are values."""
    properties: LazyIrProperties = LazyIrProperties("ShapePrecompute", "Lower", "CanBeReused")
    opkind: str | None = None
    """The expression of its operator, if it has a special one."""

    def __init__(
        self, func: FunctionSchema, properties: LazyIrProperties | None = None, *, symint: bool
    ) -> None:
        if properties:
            self.properties = properties
        self.func, self.symint = func, symint
        self.name, self.returns = func.name, func.returns
        arguments = func.arguments
        keywords = (*arguments.flat_kwarg_only, *arguments.out)
        generators = [a for a in keywords if isGeneratorType(a.type)]
        if len(generators) > 1:
            raise AssertionError(f"`{func.name}` has two generators")
        for a in generators:
            self.generator_arg = NamedCType(a.name, a.type)  # type: ignore[arg-type]
        self.positional_args = tuple(map(self._argument, arguments.flat_positional))
        self.keyword_args = tuple(map(self._argument, keywords))

    def _argument(self, a: Argument) -> LazyArgument:
        return LazyArgument(a, self.properties, symint=self.symint)

    @property
    def node_name(self) -> str:
        """The name of the class: ``BitwiseAndTensor``."""
        return _torchgen_rs.node_class(self.name)

    @property
    def aten_name(self) -> str:
        """The name of the operator, without its overload."""
        return str(self.name.name)

    @property
    def base_name(self) -> str:
        """The same without marks of variants."""
        return self.name.name.base

    def filtered_args(
        self,
        positional: bool = True,
        keyword: bool = True,
        values: bool = True,
        scalars: bool = True,
        generator: bool = True,
    ) -> list[LazyArgument]:
        """Some of the arguments, in order. Without ``generator``, those that make random numbers are left
        out, unless only ``values`` are asked for."""
        args = [*(self.positional_args if positional else ()), *(self.keyword_args if keyword else ())]
        if values and scalars:
            return [a for a in args if generator or not a.is_generator]
        if values:
            return [a for a in args if a.is_lazy_value]
        if scalars:
            return [a for a in args if not a.is_lazy_value and (generator or not a.is_generator)]
        return []

    @property
    def positional_values(self) -> list[LazyArgument]:
        """The positional arguments that are values."""
        return self.filtered_args(keyword=False, scalars=False)

    @property
    def positional_scalars(self) -> list[LazyArgument]:
        """Those that are not."""
        return self.filtered_args(keyword=False, values=False)

    @property
    def keyword_values(self) -> list[LazyArgument]:
        """The arguments passed by name that are values."""
        return self.filtered_args(positional=False, scalars=False)

    @property
    def keyword_scalars(self) -> list[LazyArgument]:
        """Those that are not."""
        return self.filtered_args(positional=False, values=False)

watch(__name__)

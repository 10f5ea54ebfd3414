"""Schemas from example values, for operators that have none of their own, by the names of the
reference's ``torchgen.gen_schema_utils``. It imports torch when it looks at a value."""

from __future__ import annotations

from .model import (
    Annotation,
    Argument,
    Arguments,
    BaseOperatorName,
    BaseTy,
    BaseType,
    CustomClassType,
    FunctionSchema,
    ListType,
    OperatorName,
    Return,
    Type,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ArgumentGen", "FunctionSchemaGen", "ReturnGen", "TypeGen"]


class TypeGen:
    """Types of schemas."""

    convert_to_base_ty = {int: BaseTy.int, float: BaseTy.float, str: BaseTy.str, bool: BaseTy.bool}
    """The types of Python's numbers and strings."""

    @staticmethod
    def from_example(obj: object) -> Type:
        """The type of a value; lists and tuples have items of one type.

        Raises:
            AssertionError: it is a list without items.
            RuntimeError: no type of schemas has such values.
        """
        import torch
        from torch.fx import GraphModule

        of_torch = (
            (GraphModule, BaseTy.GraphModule),
            (torch.Tensor, BaseTy.Tensor),
            (torch.SymInt, BaseTy.SymInt),
            (torch.SymBool, BaseTy.SymBool),
        )
        for kind, base in of_torch:
            if isinstance(obj, kind):
                return BaseType(base)
        if isinstance(obj, torch.ScriptObject):
            return CustomClassType(obj._type().name())  # type: ignore[attr-defined]
        if isinstance(obj, (list, tuple)):
            return TypeGen._of_items(obj)
        known = TypeGen.convert_to_base_ty.get(type(obj))
        if known is None:
            raise RuntimeError(f"unsupported type {type(obj)}")
        return BaseType(known)

    @staticmethod
    def _of_items(items: Sequence[object]) -> ListType:
        types = [TypeGen.from_example(item) for item in items]
        if not types:
            raise AssertionError("a list or tuple without items has no type")
        if any(ty != types[0] for ty in types):
            raise RuntimeError(f"items of one argument have different types: {', '.join(map(str, types))}")
        return ListType(types[0], len(types))


class ReturnGen:
    """Returns of schemas."""

    @staticmethod
    def from_example(name: str | None, obj: object, annotation: Annotation | None) -> Return:
        """The return with a value."""
        return Return(name, TypeGen.from_example(obj), annotation)


class ArgumentGen:
    """Arguments of schemas."""

    @staticmethod
    def from_example(name: str, obj: object, default: str | None, annotation: Annotation | None) -> Argument:
        """The argument with a value."""
        return Argument(name, TypeGen.from_example(obj), default=default, annotation=annotation)


class FunctionSchemaGen:
    """Schemas."""

    @staticmethod
    def from_example(
        op_name: str, example_inputs: tuple[tuple[str, object], ...], example_outputs: tuple[object, ...]
    ) -> FunctionSchema:
        """The schema of an operator that takes these values, by name, and returns these. It says nothing
        about aliases and defaults.

        Raises:
            AssertionError: a value is a list without items.
            RuntimeError: no type of schemas has such values.
        """
        inputs = tuple(ArgumentGen.from_example(name, value, None, None) for name, value in example_inputs)
        returns = tuple(ReturnGen.from_example(None, value, None) for value in example_outputs)
        base = BaseOperatorName(op_name, False, False, False)
        return FunctionSchema(OperatorName(base, ""), Arguments((), None, inputs, (), None, (), ()), returns)

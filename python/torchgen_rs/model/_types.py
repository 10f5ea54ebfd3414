"""The types of a schema, and the annotations of its tensors."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _torchgen_rs
from .._said import said_as
from ._enums import BaseTy

__all__ = ["Annotation", "BaseType", "CustomClassType", "ListType", "OptionalType", "Type"]


@dataclass(frozen=True)
class Annotation:
    """What a tensor aliases, and whether it is mutable: the text between the parentheses of
    ``Tensor(a! -> a|b)``."""

    alias_set: tuple[str, ...]
    is_write: bool
    alias_set_after: tuple[str, ...]

    @staticmethod
    def parse(ann: str) -> Annotation:
        """Reads an annotation without its parentheses.

        Raises:
            SchemaError: the text is not one.
        """
        with said_as("annotations", ann):
            return _torchgen_rs.parse_annotation(ann)

    def __str__(self) -> str:
        return _torchgen_rs.text(self)


@dataclass(frozen=True)
class Type:
    """The type of an argument or return; the base class of the others. ``str`` is its text in
    schemas."""

    @staticmethod
    def parse(t: str) -> Type:
        """Reads a type without an annotation.

        Raises:
            SchemaError: the text is not one.
        """
        return _torchgen_rs.parse_type(t)

    def __str__(self) -> str:
        return _torchgen_rs.text(self)

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        """Whether it is this base type, possibly in optionals and lists."""
        raise NotImplementedError

    def is_tensor_like(self) -> bool:
        """Whether it is a tensor, possibly in optionals and lists."""
        return self.is_base_ty_like(BaseTy.Tensor)

    def is_generator_like(self) -> bool:
        """Whether it is a generator, possibly in optionals and lists."""
        return self.is_base_ty_like(BaseTy.Generator)

    def is_symint_like(self) -> bool:
        """Whether it is a symbolic integer, possibly in optionals and lists."""
        return self.is_base_ty_like(BaseTy.SymInt)

    def is_nullable(self) -> bool:
        """Whether it, or its elements, may be None."""
        raise NotImplementedError

    def is_list_like(self) -> ListType | None:
        """The list that it is, possibly in an optional."""
        raise NotImplementedError


@dataclass(frozen=True)
class BaseType(Type):
    """A type without structure."""

    name: BaseTy

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return self.name == base_ty

    def is_nullable(self) -> bool:
        return False

    def is_list_like(self) -> ListType | None:
        return None


@dataclass(frozen=True)
class OptionalType(Type):
    """``T?``"""

    elem: Type

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return self.elem.is_base_ty_like(base_ty)

    def is_nullable(self) -> bool:
        return True

    def is_list_like(self) -> ListType | None:
        return self.elem.is_list_like()


@dataclass(frozen=True)
class CustomClassType(Type):
    """A class that TorchScript knows: ``__torch__.torch.classes.X``."""

    class_name: str

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return False

    def is_nullable(self) -> bool:
        return False

    def is_list_like(self) -> ListType | None:
        return None


@dataclass(frozen=True)
class ListType(Type):
    """``T[]`` or ``T[n]``"""

    elem: Type
    size: int | None

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return self.elem.is_base_ty_like(base_ty)

    def is_nullable(self) -> bool:
        return self.elem.is_nullable()

    def is_list_like(self) -> ListType | None:
        return self

"""Groups of operators, and the kernels of a dispatch key."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _torchgen_rs
from ._enums import SchemaKind
from ._functions import BackendMetadata, NativeFunction
from ._keys import DispatchKey
from ._schema import FunctionSchema, OperatorName
from ._view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "BackendIndex",
    "NativeFunctionsGroup",
    "NativeFunctionsViewGroup",
    "get_view_copy_name",
    "gets_generated_out_inplace_wrapper",
    "gets_generated_view_copy",
]


@dataclass(frozen=True)
class NativeFunctionsGroup:
    """The variants of an operator. It need not be structured."""

    functional: NativeFunction
    inplace: NativeFunction | None
    mutable: NativeFunction | None
    out: NativeFunction

    def __post_init__(self) -> None:
        if _torchgen_rs.grouped(list(self.functions())) != [self]:
            names = ", ".join(f"`{f.func.name}`" for f in self.functions())
            raise AssertionError(f"these are not the variants of one operator, each in its place: {names}")

    @property
    def structured(self) -> bool:
        """Whether it has a meta function."""
        return self.out.structured

    @property
    def root_name(self) -> str:
        """The base name of its files."""
        return self.functional.root_name

    def signature(self) -> FunctionSchema:
        """What the variants have in common."""
        return self.out.func.signature()

    def functions(self) -> Iterator[NativeFunction]:
        """The variants: functional, out, inplace, mutable."""
        members = (self.functional, self.out, self.inplace, self.mutable)
        return (f for f in members if f is not None)

    @staticmethod
    def from_dict(d: dict[SchemaKind, NativeFunction]) -> NativeFunctionsGroup | None:
        """The group of some variants by their kind; None if there is no out variant, or only one.

        Raises:
            AssertionError: they are not variants of one operator, or there is no functional one.
        """
        if not d:
            raise AssertionError("there are no variants")
        if len(d) == 1:
            return None
        if SchemaKind.scratch in d or SchemaKind.functional not in d:
            raise AssertionError(f"not the kinds of a group: {', '.join(kind.name for kind in d)}")
        if SchemaKind.out not in d:
            return None
        return NativeFunctionsGroup(
            functional=d[SchemaKind.functional],
            inplace=d.get(SchemaKind.inplace),
            mutable=d.get(SchemaKind.mutable),
            out=d[SchemaKind.out],
        )


@dataclass(frozen=True)
class NativeFunctionsViewGroup:
    """A view, its copy variant and its inplace variant."""

    view: NativeFunction
    view_copy: NativeFunction | None
    view_inplace: NativeFunction | None

    def __post_init__(self) -> None:
        if _torchgen_rs.grouped_by_view(list(self.functions())) != [self]:
            names = ", ".join(f"`{f.func.name}`" for f in self.functions())
            raise AssertionError(f"these are not a view and its variants, each in its place: {names}")

    @property
    def root_name(self) -> str:
        """The base name of its files."""
        return self.view.root_name

    @property
    def composite(self) -> bool:
        """Whether the view decomposes into other operators."""
        return self.view.has_composite_implicit_autograd_kernel

    def functions(self, *, include_copy: bool = True) -> Iterator[NativeFunction]:
        """The variants: view, inplace, and copy unless it is left out."""
        members = (self.view, self.view_inplace, self.view_copy if include_copy else None)
        return (f for f in members if f is not None)


@dataclass(frozen=True)
class BackendIndex(View):
    """The kernels of a dispatch key."""

    dispatch_key: DispatchKey
    use_out_as_primary: bool
    """Whether a structured kernel is the out variant's, and not the functional one's."""
    device_guard: bool
    external: bool
    """Whether it is a backend outside PyTorch."""
    index: dict[OperatorName, BackendMetadata]

    @staticmethod
    def grow_index(
        parent_index: dict[DispatchKey, dict[OperatorName, BackendMetadata]],
        child_index: dict[DispatchKey, dict[OperatorName, BackendMetadata]],
    ) -> None:
        """Adds kernels to others.

        Raises:
            AssertionError: an operator already has a kernel for a key.
        """
        for key, kernels in child_index.items():
            for name, metadata in kernels.items():
                if name in parent_index[key]:
                    raise AssertionError(f"`{name}` already has a kernel for {key}")
                parent_index[key][name] = metadata

    def primary(self, g: NativeFunctionsGroup) -> NativeFunction:
        """The variant that has the kernel of a group."""
        return g.out if self.use_out_as_primary else g.functional

    def get_kernel(self, g: NativeFunction | NativeFunctionsGroup) -> BackendMetadata | None:
        """The kernel of an operator, or of a group."""
        f = self.primary(g) if isinstance(g, NativeFunctionsGroup) else g
        return self.index.get(f.func.name)

    def has_kernel(self, g: NativeFunction | NativeFunctionsGroup) -> bool:
        """Whether an operator or a group has a kernel."""
        return self.get_kernel(g) is not None

    def native_function_class_name(self) -> str | None:
        """The class with the kernels of a backend outside PyTorch."""
        return f"{self.dispatch_key}NativeFunctions" if self.external else None


def gets_generated_out_inplace_wrapper(f: NativeFunction, g: NativeFunctionsGroup, b: BackendIndex) -> bool:
    """Whether the variant calls the functional kernel of a backend that has none for it."""
    return f.func.kind() is not SchemaKind.functional and not b.has_kernel(f) and b.has_kernel(g.functional)


def gets_generated_view_copy(f: NativeFunction) -> bool:
    """Whether a copy variant of the operator is generated."""
    return _torchgen_rs.gets_generated_view_copy(f)


def get_view_copy_name(f: NativeFunction) -> OperatorName:
    """The name of a view's copy variant.

    Raises:
        AssertionError: the operator has none.
    """
    if str(f.func.name) != "narrow" and not gets_generated_view_copy(f):
        raise AssertionError(f"`{f.func.name}` has no copy variant that is generated")
    return _torchgen_rs.view_copy_name(f)

"""One entry of ``native_functions.yaml``: an operator, and its kernels by dispatch key."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _torchgen_rs
from ..utils import OrderedSet
from ._enums import DeviceCheckType, ScalarType, UfuncKey, Variant, ViewSchemaKind
from ._keys import DispatchKey
from ._schema import Argument, FunctionSchema, OperatorName
from ._view import View
from ._yaml import entry_text, key_names

__all__ = [
    "DEFAULT_KERNEL_NAMESPACE",
    "BackendMetadata",
    "Location",
    "NativeFunction",
    "Precompute",
    "UfuncInnerLoop",
]

DEFAULT_KERNEL_NAMESPACE = "at::native"
"""The namespace of kernels that name none."""


@dataclass(frozen=True)
class Location:
    """Where an entry is."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class BackendMetadata:
    """The kernel of an operator for a dispatch key."""

    kernel: str
    structured: bool
    cpp_namespace: str

    def supports_symint(self) -> bool:
        """Whether it takes symbolic integers, as its name shows."""
        return "_symint" in self.kernel


@dataclass(frozen=True)
class UfuncInnerLoop:
    """A value of ``ufunc_inner_loop:``."""

    name: str
    supported_dtypes: OrderedSet[ScalarType]
    ufunc_key: UfuncKey

    @staticmethod
    def parse(value: str, ufunc_key: UfuncKey) -> UfuncInnerLoop:
        """Reads ``add (AllAndComplex, BFloat16)``.

        Raises:
            SchemaError: the text is not one.
        """
        name, dtypes = _torchgen_rs.parse_inner_loop(value)
        return UfuncInnerLoop(name, OrderedSet(map(ScalarType.parse, dtypes)), ufunc_key)


@dataclass(frozen=True)
class Precompute:
    """The arguments of a structured kernel that its meta function computes."""

    replace: dict[str, list[Argument]]
    """What replaces an argument of the operator."""
    add: list[Argument]
    """What follows the arguments."""

    @staticmethod
    def parse(src: object) -> Precompute:
        """Reads the lines of ``precomputed:``.

        Raises:
            SchemaError: a line is wrong.
        """
        if not isinstance(src, list):
            raise AssertionError(f"`precomputed:` is a list, not {src!r}")
        return _torchgen_rs.parse_precompute(src)

    def to_list(self) -> list[str]:
        """The lines that replace arguments."""
        return [f"{name} -> {', '.join(map(str, arguments))}" for name, arguments in self.replace.items()]


@dataclass(frozen=True)
class NativeFunction(View):
    """An operator. Its fields are the keys of an entry; ``docs/library-reference.md`` explains them."""

    namespace: str
    func: FunctionSchema
    use_const_ref_for_mutable_tensors: bool
    device_guard: bool
    device_check: DeviceCheckType
    python_module: str | None
    category_override: str | None
    variants: set[Variant]
    manual_kernel_registration: bool
    manual_cpp_binding: bool
    loc: Location
    autogen: list[OperatorName]
    ufunc_inner_loop: dict[UfuncKey, UfuncInnerLoop]
    structured: bool
    structured_delegate: OperatorName | None
    structured_inherits: str | None
    precomputed: Precompute | None
    cpp_no_default_args: set[str]
    is_abstract: bool
    has_composite_implicit_autograd_kernel: bool
    has_composite_implicit_autograd_nested_tensor_kernel: bool
    has_composite_explicit_autograd_kernel: bool
    has_composite_explicit_autograd_non_functional_kernel: bool
    tags: set[str]

    @staticmethod
    def from_yaml(
        ei: dict[str, object],
        loc: Location | str,
        valid_tags: set[str],
        ignore_keys: set[DispatchKey] | None = None,
    ) -> tuple[NativeFunction, dict[DispatchKey, dict[OperatorName, BackendMetadata]]]:
        """Reads an entry that a YAML parser read. Returns the operator, and its kernels.

        Raises:
            SchemaError: the entry has errors.
        """
        if not isinstance(loc, Location):
            loc = Location(loc, 1)
        text = entry_text(ei, loc.line)
        return _torchgen_rs.parse_entry(loc.file, text, set(valid_tags), key_names(ignore_keys))

    @property
    def has_composite_kernel(self) -> bool:
        """Whether it has a kernel for all backends."""
        return (
            self.has_composite_implicit_autograd_kernel
            or self.has_composite_explicit_autograd_kernel
            or self.has_composite_explicit_autograd_non_functional_kernel
        )

    @property
    def is_view_op(self) -> bool:
        """Whether its result shares storage with an input."""
        return _torchgen_rs.is_view_op(self)

    @property
    def view_schema_kind(self) -> ViewSchemaKind:
        """Its role among the operators of a view.

        Raises:
            AssertionError: it changes the geometry of its input without the tag for it.
        """
        kind = _torchgen_rs.view_schema_kind(self)
        if kind is ViewSchemaKind.aliasing_inplace and "inplace_view" not in self.tags:
            raise AssertionError(f"`{self.func.name}` lacks the tag `inplace_view`")
        return kind

    @property
    def root_name(self) -> str:
        """The base name of its files and groups."""
        return self.func.name.name.base

    @property
    def part_of_structured_group(self) -> bool:
        """Whether it is structured or delegates to a structured operator."""
        return self.structured or self.structured_delegate is not None

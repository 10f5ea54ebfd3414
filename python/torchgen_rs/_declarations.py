"""Declarations of kernels, registrations of schemas, and calls without the dispatcher: functions of
``torchgen_rs.gen``."""

from __future__ import annotations

import re

from . import _torchgen_rs
from .api.types import CppSignature, DispatcherSignature
from .context import native_function_manager
from .dest.native_functions import compute_native_function_declaration
from .model import DEFAULT_KERNEL_NAMESPACE, BackendIndex, DispatchKey, NativeFunction, NativeFunctionsGroup
from .selective_build.selector import SelectiveBuilder
from .utils import NamespaceHelper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    _Declare = Callable[[NativeFunctionsGroup | NativeFunction, BackendIndex], list[str]]

__all__ = [
    "compute_meta_function_declaration",
    "get_native_function_declarations",
    "get_native_function_declarations_from_ns_grouped_kernels",
    "get_native_function_schema_registrations",
    "get_ns_grouped_kernels",
    "static_dispatch",
]

NO_KERNELS = BackendIndex(DispatchKey.Undefined, use_out_as_primary=True, device_guard=False, external=False, index={})
"""The kernels of no key."""
_EXPORT = re.compile(r"^\s*(struct )?\s*(TORCH_API|TORCH_CUDA_CPP_API|TORCH_XPU_API) ", re.MULTILINE)


def compute_meta_function_declaration(g: NativeFunctionsGroup) -> str | None:
    """The declaration of a structured group's meta function; None for another group.

    Raises:
        SchemaError: an argument has no type in C++.
    """
    with native_function_manager(g):
        return _torchgen_rs.meta_declaration(g, NO_KERNELS)


def get_ns_grouped_kernels(
    *,
    grouped_native_functions: Sequence[NativeFunction | NativeFunctionsGroup],
    backend_indices: dict[DispatchKey, BackendIndex],
    native_function_decl_gen: _Declare = compute_native_function_declaration,
) -> dict[str, list[str]]:
    """The declarations of kernels by namespace. One that differs only in the macro that exports it is
    declared once.

    Raises:
        AssertionError: the kernels of an operator are in several namespaces.
        SchemaError: a kernel has no signature in C++.
    """
    declared: dict[str, dict[str, str]] = {}
    for f in grouped_native_functions:
        namespaces = set()
        for index in backend_indices.values():
            kernel = index.get_kernel(f)
            if kernel is not None:
                namespaces.add(kernel.cpp_namespace)
            if len(namespaces) > 1:
                raise AssertionError(f"the kernels of an operator are in several namespaces: {sorted(namespaces)}")
            known = declared.setdefault(DEFAULT_KERNEL_NAMESPACE if kernel is None else kernel.cpp_namespace, {})
            for text in filter(str.strip, native_function_decl_gen(f, index)):
                without = "\n".join(filter(None, map(str.strip, _EXPORT.sub(r"\1", text).splitlines())))
                exported = _EXPORT.match(text)
                if without not in known or (exported and exported[2] == "TORCH_API"):
                    known[without] = text
    return {namespace: list(texts.values()) for namespace, texts in declared.items()}


def get_native_function_declarations_from_ns_grouped_kernels(
    *, ns_grouped_kernels: dict[str, list[str]]
) -> list[str]:
    """The lines of declarations in their namespaces."""
    lines = []
    for namespace, kernels in ns_grouped_kernels.items():
        of = NamespaceHelper(namespace_str=namespace, entity_name="", max_level=4)
        # The last line is what the reference ends with.
        lines += ["", *f"{of.prologue}\n{chr(10).join(dict.fromkeys(kernels))}\n{of.epilogue}\n        ".split("\n")]
    return lines


def get_native_function_declarations(
    *,
    grouped_native_functions: Sequence[NativeFunction | NativeFunctionsGroup],
    backend_indices: dict[DispatchKey, BackendIndex],
    native_function_decl_gen: _Declare = compute_native_function_declaration,
) -> list[str]:
    """The lines of the declarations of kernels, in their namespaces.

    Args:
        grouped_native_functions: Operators and groups.
        backend_indices: Their kernels by dispatch key.
        native_function_decl_gen: What declares the kernels of an operator or a group for a key.

    Raises:
        AssertionError: the kernels of an operator are in several namespaces.
        SchemaError: a kernel has no signature in C++.
    """
    kernels = get_ns_grouped_kernels(
        grouped_native_functions=grouped_native_functions,
        backend_indices=backend_indices,
        native_function_decl_gen=native_function_decl_gen,
    )
    return get_native_function_declarations_from_ns_grouped_kernels(ns_grouped_kernels=kernels)


def get_native_function_schema_registrations(
    *, native_functions: Sequence[NativeFunction], schema_selector: SelectiveBuilder
) -> tuple[list[str], str]:
    """The registrations of schemas: those in PyTorch's own namespace, one by one, and the libraries of
    all others."""
    selected = [schema_selector.is_native_function_selected(f) for f in native_functions]
    return _torchgen_rs.schema_registrations(list(native_functions), selected, NO_KERNELS)


def static_dispatch(
    sig: CppSignature | DispatcherSignature, f: NativeFunction, backend_indices: list[BackendIndex]
) -> str:
    """The statements that call a backend of an operator without the dispatcher, in a function of a
    signature; empty if no backend is given, or kernels are registered by hand.

    Raises:
        SchemaError: the arguments cannot be passed on.
    """
    cpp = (sig.faithful, sig.method) if isinstance(sig, CppSignature) else None
    return _torchgen_rs.static_dispatch(f, sig.func, cpp, sig.symint, backend_indices)

"""The declarations of kernels."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import is_replaced, watch
from ..api.types import kernel_signature
from ..context import native_function_manager
from ..model import BackendIndex, NativeFunction, NativeFunctionsGroup

__all__ = ["compute_native_function_declaration", "gen_structured", "gen_unstructured"]


def gen_unstructured(f: NativeFunction, backend_index: BackendIndex) -> str | None:
    """The declaration of an operator's kernel; None if it has none.

    Raises:
        SchemaError: the kernel has no signature in C++.
    """
    with native_function_manager(f):
        if backend_index.external and is_replaced("torchgen_rs.api.dispatcher.arguments"):
            kernel = backend_index.get_kernel(f)
            if kernel is None or "legacy::" in kernel.kernel:
                return None
            return f"static {kernel_signature(f, backend_index).decl(name=kernel.kernel)};"
        made = _torchgen_rs.kernel_declarations(f, None, backend_index)
    return made[0].rstrip("\n") if made else None


def gen_structured(g: NativeFunctionsGroup, backend_index: BackendIndex) -> list[str]:
    """The declaration of a group's kernel; none if it has none.

    Raises:
        SchemaError: the kernel has no signature in C++.
    """
    if not backend_index.has_kernel(g):
        return []
    with native_function_manager(g):
        return _torchgen_rs.kernel_declarations(None, g, backend_index)


def compute_native_function_declaration(
    g: NativeFunctionsGroup | NativeFunction, backend_index: BackendIndex
) -> list[str]:
    """The declarations of the kernels of an operator or a group.

    Raises:
        SchemaError: a kernel has no signature in C++.
    """
    if not isinstance(g, NativeFunctionsGroup):
        made = [gen_unstructured(g, backend_index)]
    else:
        kernel = backend_index.get_kernel(g)
        if kernel is not None and kernel.structured:
            return gen_structured(g, backend_index)
        made = [gen_unstructured(f, backend_index) for f in g.functions()]
    return [text for text in made if text is not None]

watch(__name__, {"gen_structured", "gen_unstructured"})

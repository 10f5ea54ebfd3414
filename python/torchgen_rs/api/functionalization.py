"""Views in the pass that removes mutations: their metas, replays and inverses."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from ..model import FunctionSchema, NativeFunction, NativeFunctionsViewGroup
from ._toggles import toggles
from .types.types_base import BaseCppType, Binding, CType

__all__ = [
    "InverseReturnModeT",
    "attributes",
    "base_binding",
    "base_ctor_arguments",
    "classname",
    "extra_ctor_arguments",
    "has_symbolic_inputs_binding",
    "inverse_return_mode_binding",
    "is_multi_output",
    "mutated_view_binding",
    "name",
    "op_arguments",
    "out_index_binding",
    "reapply_views_binding",
    "returns_type",
    "reverse_name",
]

InverseReturnModeT = BaseCppType("at::functionalization", "InverseReturnMode")

base_binding: Binding = _torchgen_rs.view_parameter("base")
"""The tensor that is viewed."""
mutated_view_binding: Binding = _torchgen_rs.view_parameter("mutated_view")
"""The view after a mutation."""
has_symbolic_inputs_binding: Binding = _torchgen_rs.view_parameter("has_symbolic_inputs")
"""Whether an integer of the view is symbolic."""
out_index_binding: Binding = _torchgen_rs.view_parameter("out_index")
"""Which of several outputs."""
reapply_views_binding: Binding = _torchgen_rs.view_parameter("reapply_views")
"""Whether to replay the view itself in place of its copy variant."""
inverse_return_mode_binding: Binding = _torchgen_rs.view_parameter("inverse_return_mode")
"""Whether an inverse may return a view."""


def classname(func: FunctionSchema, with_namespace: bool = False) -> str:
    """The class of a view's meta."""
    return _torchgen_rs.view_name("meta", func, with_namespace)


def name(
    g: NativeFunctionsViewGroup,
    *,
    is_reverse: bool,
    include_namespace: bool,
    reapply_views: bool | None = None,
) -> str:
    """The function that replays a view or its copy, or that reverses a view.

    Raises:
        AssertionError: a replay without a namespace, without ``reapply_views``, or of a view that has
            no copy.
    """
    if is_reverse:
        return reverse_name(g.view, include_namespace)
    if reapply_views is None or not include_namespace or g.view_copy is None:
        raise AssertionError("a replay needs `include_namespace`, `reapply_views`, and a view with a copy")
    return _torchgen_rs.view_name("replay", (g.view if reapply_views else g.view_copy).func, True)


def reverse_name(f: NativeFunction, include_namespace: bool) -> str:
    """The function that propagates a mutation of a view to its base."""
    return _torchgen_rs.view_name("inverse", f.func, include_namespace)


def returns_type(func: FunctionSchema) -> CType:
    """What a replay returns: one tensor, even if the view has several.

    Raises:
        SchemaError: the view returns something other than tensors.
    """
    return _torchgen_rs.view_returns(func)


def is_multi_output(func: FunctionSchema) -> bool:
    """Whether a view may return several tensors."""
    return _torchgen_rs.is_multi_output(func)


def base_ctor_arguments(func: FunctionSchema) -> list[Binding]:
    """What the constructor of a view's meta passes to its base class."""
    return _torchgen_rs.view_parameters("base", func, toggles())


def extra_ctor_arguments(func: FunctionSchema) -> list[Binding]:
    """What the constructor of a view's meta stores."""
    return attributes(func, owning=False)


def attributes(func: FunctionSchema, owning: bool = True) -> list[Binding]:
    """The fields of a view's meta; with ``owning``, their types own their values.

    Raises:
        SchemaError: the first argument is not a tensor.
    """
    return _torchgen_rs.view_parameters("owned" if owning else "referred", func, toggles())


def op_arguments(func: FunctionSchema, is_reverse: bool) -> list[Binding]:
    """The parameters of a view's replay, or of its inverse.

    Raises:
        SchemaError: the first argument is not a tensor.
    """
    return _torchgen_rs.view_parameters("inverse" if is_reverse else "replay", func, toggles())

watch(__name__)

"""Meta functions of structured kernels."""

from __future__ import annotations

from .._patches import watch
from ..model import NativeFunctionsGroup

__all__ = ["name"]


def name(g: NativeFunctionsGroup) -> str:
    """The name of a group's meta function."""
    return g.functional.func.name.unambiguous_name()

watch(__name__)

"""The toggles of the operator that code is made for, by the names of the reference's
``torchgen.local``."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["parametrize", "use_const_ref_for_mutable_tensors", "use_ilistref_for_tensor_lists"]

_TOGGLES: ContextVar[tuple[bool, bool] | None] = ContextVar("torchgen_rs.local", default=None)


def _toggles() -> tuple[bool, bool]:
    toggles = _TOGGLES.get()
    if toggles is None:
        raise AssertionError("code for an operator is made inside `context.native_function_manager`")
    return toggles


def use_const_ref_for_mutable_tensors() -> bool:
    """Whether mutable tensors are ``const at::Tensor &``."""
    return _toggles()[0]


def use_ilistref_for_tensor_lists() -> bool:
    """Whether lists of tensors are ``const at::ITensorListRef &``."""
    return _toggles()[1]


@contextlib.contextmanager
def parametrize(*, use_const_ref_for_mutable_tensors: bool, use_ilistref_for_tensor_lists: bool) -> Iterator[None]:
    """Sets the toggles inside."""
    before = _TOGGLES.set((use_const_ref_for_mutable_tensors, use_ilistref_for_tensor_lists))
    try:
        yield
    finally:
        _TOGGLES.reset(before)

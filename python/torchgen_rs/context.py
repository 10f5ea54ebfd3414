"""What is known while code for an operator is made, by the names of the reference's
``torchgen.context``."""

from __future__ import annotations

import functools
from typing import Concatenate, ParamSpec, TypeVar

from . import local
from .model import NativeFunction, NativeFunctionsGroup, NativeFunctionsViewGroup
from .utils import _add_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
S = TypeVar("S")
F = TypeVar("F", bound=NativeFunction | NativeFunctionsGroup | NativeFunctionsViewGroup)
P = ParamSpec("P")

__all__ = [
    "method_with_native_function",
    "method_with_nested_native_function",
    "native_function_manager",
    "with_native_function",
    "with_native_function_and",
    "with_native_function_and_index",
    "with_native_function_and_indices",
]


class native_function_manager:
    """Makes code for an operator inside: conventions use its toggles, and exceptions get its place. A
    group is its out variant, or its view."""

    # Generators enter it for each operator many times, so it is no generator itself.
    __slots__ = ("_before", "_f")

    def __init__(self, g: NativeFunctionsGroup | NativeFunctionsViewGroup | NativeFunction) -> None:
        if isinstance(g, NativeFunctionsGroup):
            self._f = g.out
        elif isinstance(g, NativeFunctionsViewGroup):
            self._f = g.view
        else:
            self._f = g

    def __enter__(self) -> None:
        f = self._f
        self._before = local._TOGGLES.set((f.use_const_ref_for_mutable_tensors, f.part_of_structured_group))

    def __exit__(self, kind: object, error: BaseException | None, place: object) -> None:
        local._TOGGLES.reset(self._before)
        if isinstance(error, Exception):
            _add_place(error, f"in native_functions.yaml line {self._f.loc}:\n  {self._f.func}")


def with_native_function(func: Callable[Concatenate[F, P], T]) -> Callable[Concatenate[F, P], T]:
    """Calls a function in the manager of its first argument."""

    @functools.wraps(func)
    def called(f: F, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with native_function_manager(f):
            return func(f, *args, **kwargs)

    return called


with_native_function_and = with_native_function
with_native_function_and_index = with_native_function
with_native_function_and_indices = with_native_function


def method_with_native_function(
    func: Callable[Concatenate[S, F, P], T],
) -> Callable[Concatenate[S, F, P], T]:
    """Calls a method in the manager of its first argument after ``self``."""

    @functools.wraps(func)
    def called(slf: S, f: F, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with native_function_manager(f):
            return func(slf, f, *args, **kwargs)

    return called


def method_with_nested_native_function(
    func: Callable[[S, list[NativeFunction]], T],
) -> Callable[[S, list[NativeFunction]], T]:
    """Calls a method in the manager of the first item of its argument."""

    @functools.wraps(func)
    def called(slf: S, f: list[NativeFunction]) -> T:
        with native_function_manager(f[0]):
            return func(slf, f)

    return called

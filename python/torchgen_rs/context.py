"""What is known while code for an operator is made, by the names of the reference's
``torchgen.context``."""

from __future__ import annotations

import contextlib
import functools
from typing import Concatenate, ParamSpec, TypeVar

from . import local
from .model import NativeFunction, NativeFunctionsGroup, NativeFunctionsViewGroup
from .utils import context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


@contextlib.contextmanager
def native_function_manager(g: NativeFunctionsGroup | NativeFunctionsViewGroup | NativeFunction) -> Iterator[None]:
    """Makes code for an operator inside: conventions use its toggles, and exceptions get its place. A
    group is its out variant, or its view."""
    if isinstance(g, NativeFunctionsGroup):
        f = g.out
    elif isinstance(g, NativeFunctionsViewGroup):
        f = g.view
    else:
        f = g
    toggles = local.parametrize(
        use_const_ref_for_mutable_tensors=f.use_const_ref_for_mutable_tensors,
        use_ilistref_for_tensor_lists=f.part_of_structured_group,
    )
    with context(lambda: f"in native_functions.yaml line {f.loc}:\n  {f.func}"), toggles:
        yield


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

"""Functions and classes that a script replaces in a module of the package.

A replacement either does what it does in the reference, because the others look the name up when
they call it, or raises: it is never ignored.
"""

from __future__ import annotations

import sys
from enum import EnumMeta
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_IN_PLACE = "use a hook (torchgen_rs.hooks), a derived class or `derivatives:` of a backend in its place"


class _Watched(ModuleType):
    """A module in which only some names can be replaced."""

    _replaceable: frozenset[str] = frozenset()

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and name not in self._replaceable:
            # Some modules get a name when it is first asked for.
            known = getattr(self, name, None)
            if callable(known) and known is not value:
                raise _ignored(f"{self.__name__}.{name}")
        super().__setattr__(name, value)


def watch(module: str, replaceable: Iterable[str] = ()) -> None:
    """Raises when a script replaces a function or a class of a module, unless it is one of
    ``replaceable``, which the package looks up at each call."""
    watched = sys.modules[module]
    vars(watched)["_replaceable"] = frozenset(replaceable)
    watched.__class__ = _Watched


class WatchedEnum(EnumMeta):
    """The class of an enumeration whose methods the program does not call."""

    def __setattr__(cls, name: str, value: object) -> None:
        # Its own members and methods are there before anybody can replace them.
        if name in cls.__dict__ and name in {"__str__", "__repr__", "parse", "lower"}:
            raise _ignored(f"{cls.__module__}.{cls.__name__}.{name}")
        super().__setattr__(name, value)


def _ignored(name: str) -> AttributeError:
    return AttributeError(f"`{name}` cannot be replaced, because the program does not call it: {_IN_PLACE}")

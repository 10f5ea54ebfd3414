"""Functions and classes that a script replaces in a module of the package.

A replacement either does what it does in the reference, because the others look the name up when
they call it, or raises: it is never ignored. Of a few names, those in ``_replaced``, Python's part
looks a replacement up and the program cannot: what needs the program then raises.
"""

from __future__ import annotations

import sys
from enum import Enum, EnumMeta
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_IN_PLACE = "use a hook (torchgen_rs.hooks), a derived class or `derivatives:` of a backend in its place"


_replaced: dict[str, object] = {}
"""What the package had under the names that Python's part looks up."""


class _Watched(ModuleType):
    """A module in which only some names can be replaced."""

    _replaceable: frozenset[str] = frozenset()
    _looked_up: Mapping[str, Callable[[object], bool]] = {}

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and name not in self._replaceable:
            # Some modules get a name when it is first asked for.
            known = getattr(self, name, None)
            if callable(known) and known is not value:
                full = f"{self.__name__}.{name}"
                accepts = self._looked_up.get(name)
                if accepts is None or not (_replaced.get(full) is value or accepts(value)):
                    raise _ignored(full)
                _remember(full, known, value)
        super().__setattr__(name, value)


def watch(
    module: str, replaceable: Iterable[str] = (), looked_up: Mapping[str, Callable[[object], bool]] | None = None
) -> None:
    """Raises when a script replaces a function or a class of a module, unless it is one of
    ``replaceable``, which the package looks up at each call, or one of ``looked_up``, which only
    Python's part does, and a replacement that is accepted."""
    watched = sys.modules[module]
    vars(watched)["_replaceable"] = frozenset(replaceable)
    vars(watched)["_looked_up"] = looked_up or {}
    watched.__class__ = _Watched


class WatchedEnum(EnumMeta):
    """The class of an enumeration whose methods the program does not call."""

    def __setattr__(cls, name: str, value: object) -> None:
        # Its own members and methods are there before anybody can replace them.
        known = cls.__dict__.get(name)
        if known is not None and name in {"__repr__", "lower"}:
            raise _ignored(f"{cls.__module__}.{cls.__name__}.{name}")
        if known is not None and name in {"__str__", "parse"}:
            _remember(f"{cls.__name__}.{name}", known, value)
        super().__setattr__(name, value)


def _remember(name: str, known: object, value: object) -> None:
    if _replaced.setdefault(name, known) is value:
        del _replaced[name]


def is_replaced(name: str) -> bool:
    """Whether a script has put something else in place of one of the names that are looked up."""
    return name in _replaced


def refuse(*names: str) -> None:
    """Raises if one of these names is replaced; without names, if any is.

    Raises:
        AttributeError: it is.
    """
    for name in names or _replaced:
        if name in _replaced:
            raise _ignored(name)


def refuse_text(key: Enum) -> None:
    """Raises if a key has another text than its name, which is what the program writes.

    Raises:
        AttributeError: it has.
    """
    if str(key) != key.name:
        raise _ignored("DispatchKey.__str__")


def _ignored(name: str) -> AttributeError:
    return AttributeError(f"`{name}` cannot be replaced, because the program does not call it: {_IN_PLACE}")

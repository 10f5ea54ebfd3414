"""Small helpers, by the names of the reference's ``torchgen.utils``."""

from __future__ import annotations

import contextlib
import pprint
from enum import Enum
from typing import Generic, TypeVar

from ._files import FileManager, make_file_manager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import NoReturn

__all__ = [
    "IDENT_REGEX",
    "FileManager",
    "NamespaceHelper",
    "OrderedSet",
    "Target",
    "assert_never",
    "concatMap",
    "context",
    "dataclass_repr",
    "make_file_manager",
    "mapMaybe",
    "split_name_params",
]

IDENT_REGEX = r"(^|\W){}($|\W)"
"""A regular expression for a word of C++, to be formatted with the word."""

T = TypeVar("T")
S = TypeVar("S")


class Target(Enum):
    """What a generator writes."""

    DEFINITION = 1
    DECLARATION = 2
    REGISTRATION = 3
    ANONYMOUS_DEFINITION = 4
    NAMESPACED_DEFINITION = 5
    NAMESPACED_DECLARATION = 6


def assert_never(arg: NoReturn, /) -> NoReturn:
    """Raises an AssertionError: a type checker knows that it is never called."""
    raise AssertionError(f"unexpected: {arg!r}")


def dataclass_repr(obj: object, indent: int = 0, width: int = 80) -> str:
    """An object with its fields, on several lines if it is wide."""
    return pprint.pformat(obj, indent, width)


def mapMaybe(func: Callable[[T], S | None], xs: Iterable[T]) -> Iterator[S]:
    """The results of a function that are not None."""
    return (made for made in map(func, xs) if made is not None)


def concatMap(func: Callable[[T], Sequence[S]], xs: Iterable[T]) -> Iterator[S]:
    """The items of the sequences that a function returns."""
    return (item for x in xs for item in func(x))


def split_name_params(schema: str) -> tuple[str, list[str]]:
    """The base name and the arguments of a schema, as texts; the returns are ignored.

    Raises:
        RuntimeError: there are no parentheses.
    """
    name, opened, rest = schema.partition("(")
    arguments, closed, _ = rest.rpartition(")")
    if not opened or not closed:
        raise RuntimeError(f"`{schema}` is not a schema")
    return name.partition(".")[0], arguments.split(", ")


@contextlib.contextmanager
def context(msg_fn: Callable[[], str]) -> Iterator[None]:
    """Adds a text, indented, to the message of an exception that is raised inside."""
    try:
        yield
    except Exception as error:
        _add_place(error, msg_fn())
        raise


def _add_place(error: Exception, text: str) -> None:
    """Adds a text, indented, to the message of an exception."""
    added = "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))
    first, *rest = error.args or ("",)
    error.args = (f"{first}\n{added}" if error.args else added, *rest)


class NamespaceHelper:
    """A name in C++ namespaces, and the lines that open and close them."""

    def __init__(self, namespace_str: str, entity_name: str = "", max_level: int = 2) -> None:
        """Args:
        namespace_str: The namespaces, joined by ``::``.
        entity_name: The name in them.
        max_level: How many there can be.
        """
        names = namespace_str.split("::")
        if len(names) > max_level:
            raise AssertionError(f"`{namespace_str}` has more than {max_level} namespaces")
        self.cpp_namespace_ = namespace_str
        self.namespaces_ = names
        self.entity_name_ = entity_name
        self.prologue_ = "\n".join(f"namespace {name} {{" for name in names)
        self.epilogue_ = "\n".join(f"}} // namespace {name}" for name in reversed(names))

    @staticmethod
    def from_namespaced_entity(namespaced_entity: str, max_level: int = 2) -> NamespaceHelper:
        """Splits ``torch::lazy::add``."""
        namespace, _, name = namespaced_entity.rpartition("::")
        return NamespaceHelper(namespace, name, max_level)

    @property
    def prologue(self) -> str:
        """The lines that open the namespaces."""
        return self.prologue_

    @property
    def epilogue(self) -> str:
        """The lines that close them."""
        return self.epilogue_

    @property
    def entity_name(self) -> str:
        """The name in the namespaces."""
        return self.entity_name_

    def get_cpp_namespace(self, default: str = "") -> str:
        """The namespaces joined by ``::``, or the default if there are none."""
        return self.cpp_namespace_ or default


class OrderedSet(Generic[T]):
    """A set in the order in which its items were added. It is equal to any set of the same items."""

    storage: dict[T, None]

    def __init__(self, iterable: Iterable[T] | None = None) -> None:
        self.storage = dict.fromkeys(iterable or ())

    def __contains__(self, item: T) -> bool:
        return item in self.storage

    def __iter__(self) -> Iterator[T]:
        return iter(self.storage)

    def __len__(self) -> int:
        return len(self.storage)

    def __repr__(self) -> str:
        return f"OrderedSet({list(self.storage)!r})"

    def update(self, items: OrderedSet[T]) -> None:
        """Adds items."""
        self.storage.update(items.storage)

    def add(self, item: T) -> None:
        """Adds an item."""
        self.storage[item] = None

    def copy(self) -> OrderedSet[T]:
        """Another set of the same items."""
        return OrderedSet(self.storage)

    @staticmethod
    def union(*args: OrderedSet[T]) -> OrderedSet[T]:
        """A set of the items of all of them."""
        return OrderedSet(item for items in args for item in items)

    def __or__(self, other: OrderedSet[T]) -> OrderedSet[T]:
        return OrderedSet.union(self, other)

    def __ior__(self, other: OrderedSet[T]) -> OrderedSet[T]:
        self.update(other)
        return self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OrderedSet):
            return self.storage == other.storage
        return set(self.storage) == other

    __hash__ = None  # type: ignore[assignment]


_ELSEWHERE = {
    "dataclass_repr": "use `pprint.pformat`",
    "string_stable_hash": "use `hashlib.sha1`",
}


def __getattr__(name: str) -> object:
    from ._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

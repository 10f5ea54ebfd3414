"""Entries that a YAML parser has read, as the text that the program reads; and what it is told about
keys."""

from __future__ import annotations

import json

from .._patches import is_replaced
from ._keys import STRUCTURED_DISPATCH_KEYS, DispatchKey, dispatch_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

LINE = "__line__"
"""The key with which ``LineLoader`` says where a mapping is."""
_SUPPORTED = frozenset(dispatch_keys)
_STRUCTURED = frozenset(STRUCTURED_DISPATCH_KEYS)


def key_names(ignored: Iterable[DispatchKey] | None) -> tuple[list[str], list[str], list[str]]:
    """Keys that are ignored, and those that a script added to the tables of ``torchgen_rs.model``,
    which then have kernels and structured kernels."""
    from .. import model

    added = set(model.dispatch_keys) - _SUPPORTED, set(model.STRUCTURED_DISPATCH_KEYS) - _STRUCTURED
    some, structured = (sorted(key.name for key in keys) for keys in added)
    return [key.name for key in ignored or ()], some, structured


def entries_text(entries: Iterable[Mapping[str, object]]) -> str:
    """A file with these entries, each in its line: JSON is YAML."""
    lines: list[str] = []
    for entry in entries:
        at = entry.get(LINE)
        if isinstance(at, int):
            lines.extend([""] * (at - 1 - len(lines)))
        lines.append("- " + json.dumps(_without_lines(entry), ensure_ascii=False))
    return "\n".join(lines) + "\n" if lines else "[]\n"


def with_key_names(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """An operator's entry with the names of keys that the script's own ``DispatchKey.parse`` reads."""
    kernels = entry.get("dispatch")
    if not is_replaced("DispatchKey.parse") or not isinstance(kernels, dict):
        return entry
    return {**entry, "dispatch": {key if key == LINE else _names(key): kernel for key, kernel in kernels.items()}}


def entry_text(entry: Mapping[str, object], line: int) -> str:
    """A file with this entry in this line."""
    return entries_text([{**with_key_names(entry), LINE: line}])


def _names(keys: str) -> str:
    return ", ".join(DispatchKey.parse(key.strip()).name for key in keys.split(","))


def _without_lines(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_lines(item) for key, item in value.items() if key != LINE}
    if isinstance(value, list):
        return [_without_lines(item) for item in value]
    return value

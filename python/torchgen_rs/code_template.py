"""Templates with ``$name`` and ``${name}``, by the names of the reference's
``torchgen.code_template``."""

from __future__ import annotations

import os

from . import _torchgen_rs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CodeTemplate"]


class CodeTemplate:
    """A text with placeholders. A placeholder alone at the start of a line is a block: each item of a
    list gets lines of its own, with the same indentation. Elsewhere, lists are joined by commas, and
    ``${,name}`` and ``${name,}`` add one before or after a list that is not empty."""

    pattern: str
    filename: str

    def __init__(self, pattern: str, filename: str = "") -> None:
        self.pattern = pattern
        self.filename = filename

    @staticmethod
    def from_file(filename: str | os.PathLike[str]) -> CodeTemplate:
        """The text of a file."""
        with open(filename, encoding="utf-8") as file:
            return CodeTemplate(file.read(), os.fspath(filename))

    def substitute(self, env: Mapping[str, object] | None = None, **kwargs: object) -> str:
        """The text with values in place of placeholders.

        Raises:
            KeyError: a placeholder has no value.
        """
        return substituted(self.pattern, {**(env or {}), **kwargs}, is_file=False)


def substituted(template: str, values: Mapping[str, object], *, is_file: bool) -> str:
    """A template with values of any type in place of its placeholders."""
    texts: list[tuple[str, str | list[str]]] = [
        (name, value if type(value) is str else list(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in values.items()
    ]
    return _torchgen_rs.substitute(template, texts, is_file)

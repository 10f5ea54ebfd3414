"""Commands whose output is the result."""

from __future__ import annotations

from . import commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Literal


def explain(
    what: str | None = None,
    *,
    source_path: str | os.PathLike[str] | None = None,
    family: str | None = None,
    json: bool = False,
) -> str:
    """Explains an operator, a record of a family, or a diagnostic code; without one, lists all codes.

    Returns text, or with ``json`` one JSON object for each operator or diagnostic, in lines.
    ``torchgen_rs.commands.explain`` has all flags of the command.

    Raises:
        TorchgenError: the sources have errors, or there is no such declaration.
    """
    return commands.explain(what, source_path=source_path, family=family, json=json).output

"""Command lines as calls. The package `torchgen_rs` is the interface for users."""

from collections.abc import Sequence
from typing import Final, Literal, TypedDict, type_check_only

__version__: Final[str]
"""The version of the package."""

_Place = tuple[str, int, int, int, int]

@type_check_only
class _Diagnostic(TypedDict):
    code: str
    name: str
    severity: Literal["error", "warning", "note"]
    message: str
    place: _Place | None
    labels: list[tuple[_Place, str]]
    notes: list[str]
    help: list[str]
    change: str | None
    text: str

@type_check_only
class _Report(TypedDict):
    status: Literal[0, 1, 2]
    written: list[str]
    unchanged: int
    removed: list[str]
    listed: list[str]
    skipped: bool
    diagnostics: list[_Diagnostic]
    output: str
    messages: str

def run(arguments: Sequence[str]) -> _Report:
    """Runs a command line, and returns what it did and what it printed. The first word is the name
    of the program."""

def main(arguments: Sequence[str]) -> int:
    """Runs a command line as the program does: it prints to the streams of the process. Returns the
    exit status."""

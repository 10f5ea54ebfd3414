"""What a run did: its files, its diagnostics, its output, its facts; and the exception of a run that
failed."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from .things import FormulaThing, Group, Header, KernelThing, Operator, Thing, ViewGroup


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a file. Lines and columns count from 1, columns in characters. The end is
    exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Label:
    """A place with a text."""

    file: str
    """The path, as it was given."""
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A place and its new text."""

    file: str
    """The path, as it was given."""
    span: Span
    old: str
    """The text there."""
    new: str
    """The text to write there."""


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that fix an error together."""

    message: str
    """The help that describes it."""
    applicability: Literal["certain", "likely"]
    """``check --fix`` applies the certain ones, with ``--unsafe-fixes`` also the likely ones."""
    edits: tuple[Edit, ...]
    """The edits, in the order of their places, which do not overlap."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Whom a change breaks."""

    category: Literal["source", "python", "saved", "binary", "numerics"]
    """Whom it concerns."""
    level: Literal["breaking", "risky"]
    """How serious that is."""
    why: str
    """What happens, as a clause."""


@dataclass(frozen=True, slots=True)
class Change:
    """What changed between two states of the sources."""

    kind: str
    """What it is: ``operator``."""
    name: str
    """The name of what changed: ``my_ops::scale``. It is empty for a library as a whole."""
    old: str | None
    """The old text, if there is one."""
    new: str | None
    """The new text, if there is one."""
    effects: tuple[Effect, ...]
    """Whom it breaks; empty if it breaks nobody."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error, a warning or a note. ``str`` is the text that the program prints."""

    code: str
    """The id of its kind, such as ``TG0203``; ``torchgen_rs.explain`` explains it."""
    name: str
    """The name of its kind, such as ``unknown-type``."""
    severity: Literal["error", "warning", "note"]
    message: str
    """One sentence without a full stop."""
    file: str | None
    """The path, as it was given; None if the error is not in a file that was read."""
    span: Span | None
    """The place in the file."""
    labels: tuple[Label, ...]
    """All places with a text."""
    notes: tuple[str, ...]
    """Further facts."""
    help: tuple[str, ...]
    """How to fix it."""
    fixes: tuple[Fix, ...]
    """The edits of those helps that say what to write; they are alternatives."""
    change: Change | None
    """What changed, of ``commands.breaking``."""
    text: str
    """All of it, with source lines and carets."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Run:
    """What a run did that succeeded."""

    written: tuple[str, ...]
    """The files that were written: those that were missing or different."""
    unchanged: int
    """How many files had the same bytes already."""
    removed: tuple[str, ...]
    """The files of earlier runs that ``prune`` removed."""
    listed: tuple[str, ...]
    """The files that a dry run would write."""
    skipped: bool
    """Whether nothing was generated, since nothing had changed since an earlier run."""
    diagnostics: tuple[Diagnostic, ...]
    """Warnings and notes."""
    output: str
    """What the program prints to standard output."""
    messages: str
    """What the program prints to standard error: diagnostics and a summary."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the sources declare. The types of the dictionaries are in ``torchgen_rs.things``."""

    header: Header
    """The family, the versions of the format, of the program and of torch."""
    things: tuple[Thing, ...]
    """All declarations and groups, in the order of the files."""
    operators: dict[str, Operator]
    """The operators of PyTorch or of a library by name: ``aten::add.Tensor``."""
    groups: dict[str, Group]
    """The groups of their variants, by the name of the functional one."""
    view_groups: dict[str, ViewGroup]
    """The groups of a view and its copy, by the name of the view."""
    kernels: dict[str, KernelThing]
    """The kernels by function: ``at::native::add``; only if asked for."""
    formulas: dict[str, FormulaThing]
    """The formulas of derivatives: ``aten::mul.Tensor self``; only if asked for."""
    diagnostics: tuple[Diagnostic, ...]
    """Warnings and notes."""


class TorchgenError(Exception):
    """A run failed. It wrote nothing.

    ``str`` is what the program prints: all diagnostics, with source lines and carets.
    """

    status: Literal[1, 2]
    """The exit status of the program: 1 for errors in the input, 2 for bad usage or I/O errors."""
    diagnostics: tuple[Diagnostic, ...]
    """Errors, and the warnings and notes of the run."""
    messages: str
    """What the program prints to standard error."""
    output: str
    """What the program printed to standard output before."""

    def __init__(
        self, status: Literal[1, 2], diagnostics: tuple[Diagnostic, ...], messages: str, output: str = ""
    ) -> None:
        super().__init__(status, diagnostics, messages, output)
        self.status = status
        self.diagnostics = diagnostics
        self.messages = messages
        self.output = output

    def __str__(self) -> str:
        return self.messages.rstrip("\n")


class SchemaError(TorchgenError, AssertionError, RuntimeError):
    """A schema, an entry or a file of operators has errors. It is also what the reference raises for
    them: an AssertionError or a RuntimeError.

    ``str`` is the reference's text if scripts compare that one.
    """

    said: str | None
    """The reference's text."""

    def __init__(
        self,
        status: Literal[1, 2],
        diagnostics: tuple[Diagnostic, ...],
        messages: str,
        output: str = "",
        said: str | None = None,
    ) -> None:
        super().__init__(status, diagnostics, messages, output)
        self.args = (status, diagnostics, messages, output, said)
        self.said = said

    def __str__(self) -> str:
        return super().__str__() if self.said is None else self.said

"""The reference's texts of errors that scripts compare, in place of the program's.

The table ``torch/reference_errors.yaml`` has them, with what they are for.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import Literal

from . import _torchgen_rs
from .results import SchemaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .results import Diagnostic


@contextmanager
def said_as(about: Literal["annotations", "backend", "entries", "derivatives"], name: str = "") -> Iterator[None]:
    """Gives a SchemaError the reference's text, where there is one. ``name`` is what was read."""
    try:
        yield
    except SchemaError as error:
        said = _said(error, about, name)
        if said is None:
            raise
        worded = SchemaError(error.status, error.diagnostics, error.messages, error.output, said)
        if str(error) not in said:
            # Tracebacks show it, from Python 3.11 on.
            worded.__notes__ = [str(error)]  # type: ignore[attr-defined]
        raise worded from None


def _said(error: SchemaError, about: str, name: str) -> str | None:
    errors = [found for found in error.diagnostics if found.severity == "error"]
    for rule in json.loads(_torchgen_rs.table("torch/reference_errors.yaml"))[about]:
        fits = [(found, fit) for found in errors if (fit := re.fullmatch(rule["message"], found.message))]
        if fits:
            found, fit = fits[0]
            said: str = rule["says"]
            return said.format(
                *fit.groups(),
                **{f"kernel{i}": _kernel(group) for i, group in enumerate(fit.groups())},
                each=", ".join(one for _, fit in fits for one in fit.groups()[:1]),
                file=found.file,
                message=found.message,
                name=name,
                ours=error.messages,
                place=f"{found.file}:{found.span.line if found.span else 0}",
                value=_value(found) if "{value}" in said else "",
            )
    return None


def _kernel(operator: str) -> str:
    """The name of an operator's function in C++."""
    name, _, overload = operator.partition(".")
    return f"{name}_out" if "out" in overload.split("_") else name


def _value(found: Diagnostic) -> str:
    """What a file has at the place of a diagnostic, in one line."""
    if found.file is None or found.span is None:
        return ""
    with open(found.file, encoding="utf-8") as file:
        line = file.read().split("\n")[found.span.line - 1]
    return line[found.span.column - 1 : found.span.end_column - 1]

"""The operators with C shims for AOTInductor, by the names of the reference's
``torchgen.aoti.fallback_ops``."""

from __future__ import annotations

import json

from .. import _torchgen_rs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["aten_shimified_ops", "inductor_fallback_ops"]

Versions = dict[str, "str | dict[str, list[str] | str]"]
"""What is known of an operator's shim: since when it exists, and what later forms add."""


def _form(entry: dict[str, Any]) -> Versions:
    """The first release of a form, if it is known."""
    return {"since": entry["since"]} if "since" in entry else {}


def _operators(entries: dict[str, Any]) -> dict[str, Versions]:
    found = {}
    for name, entry in entries.items():
        later = {f"v{n}": {"new_args": form["new_arguments"], **_form(form)} for n, form in entry.get("versions", {}).items()}
        found[name] = {**_form(entry), **later}
    return found


_TABLE = json.loads(_torchgen_rs.table("torch/aoti_fallback_ops.yaml"))

inductor_fallback_ops: dict[str, Versions] = _operators(_TABLE["fallback"])
"""Operators whose shims call a backend, by their names in ``torch.ops``."""

aten_shimified_ops: dict[str, Versions] = _operators(_TABLE["through_dispatcher"])
"""Operators whose shims call the dispatcher."""

"""The toggles of the operator that code is made for."""

from __future__ import annotations

from .. import local


def toggles() -> tuple[bool, bool]:
    """Those of ``torchgen_rs.local``; outside of any operator, neither is set."""
    return local._TOGGLES.get() or (False, False)

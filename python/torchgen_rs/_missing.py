"""What to use in place of names that the package does not have."""

from __future__ import annotations


def missing(module: str, name: str, elsewhere: dict[str, str]) -> AttributeError:
    """The exception for a name of the reference that a module of the package does not have."""
    text = f"module {module!r} has no attribute {name!r}"
    hint = elsewhere.get(name)
    return AttributeError(f"{text}: {hint}" if hint else text, name=name)

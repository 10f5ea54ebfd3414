"""Functions that decide what is generated for single operators of a backend.

``commands.backend_stubs`` and ``commands.lazy_tensor`` take one as ``hook``. They call it with each
operator that they generate code for, and with what they would generate; it returns what to generate.

.. code-block:: python

    def hook(operator, code):
        if code.kernel and "native_dropout" in code.kernel:
            return replace(code, kernel=f"fast_{code.kernel}", device_guard=False)

    commands.backend_stubs(source_yaml="npu.yaml", output_dir="out", hook=hook)

Operators come in their order, one at a time, once for each dispatch key, in a thread of the run. An
exception stops the run before it writes a file, and the command raises it. A run with a hook is never
skipped, unless ``fingerprint`` says what the hook does: a run that had the same one can replace it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TypeAlias

from .model import FunctionSchema, NativeFunction

__all__ = ["Hook", "OperatorCode"]


@dataclass(frozen=True)
class OperatorCode:
    """What is generated for an operator. A part that is None is not generated for it, and stays None.

    Texts are C++. That of a whole replaces its parts.
    """

    key: str | None = None
    """The dispatch key. It cannot be changed."""
    kernel: str | None = None
    """The name of the kernel, wherever it is declared, defined and called."""
    wrapper: str | None = None
    """The function that is registered, which has the name that the registration uses."""
    device_guard: bool | None = None
    """Whether the wrapper switches to the device of its arguments."""
    device_check: bool | None = None
    """Whether the wrapper checks that its arguments are on one device."""
    includes: tuple[str, ...] = ()
    """Headers that the source with the wrapper includes besides."""
    definition: str | None = None
    """The kernel of a lazy backend."""
    make_node: str | None = None
    """The statements in it that make a node, or reuse one."""
    shapes: str | None = None
    """Those of them that compute the shapes of the node."""
    fallback: str | None = None
    """The statements in it that call the eager kernel, if the backend has them."""
    node: str | None = None
    """The class of the node."""
    base: str | None = None
    """The call of the constructor of its base class."""
    create: str | None = None
    """Its member function ``Create``; may be empty."""
    can_be_reused: str | None = None
    """Its member function ``CanBeReused``; may be empty."""
    lowering: str | None = None
    """Its member function ``Lower``; may be empty."""
    properties: tuple[str, ...] = ()
    """The properties of a node that is not an operator. They cannot be changed."""


Hook: TypeAlias = Callable[[NativeFunction | FunctionSchema, OperatorCode], OperatorCode | None]
"""Gets an operator, or the schema of a node that is not an operator, and its code. Returns the code to
generate; None changes nothing."""


def _asked(
    hook: Hook, subject: NativeFunction | FunctionSchema, parts: dict[str, object], place: str
) -> dict[str, object]:
    code = OperatorCode(**parts)  # type: ignore[arg-type]
    func = subject.func if isinstance(subject, NativeFunction) else subject
    try:
        return _changed(code, hook(subject, code), str(func.name))
    except BaseException as error:
        note = f"in the hook for `{func}`" + (f" at {place}" if place else "")
        # Python 3.10 has no `add_note`.
        error.__notes__ = [*getattr(error, "__notes__", []), note]
        raise


def _changed(code: OperatorCode, answer: object, name: str) -> dict[str, object]:
    if answer is None:
        return {}
    if not isinstance(answer, OperatorCode):
        raise TypeError(f"a hook returns an OperatorCode or None, not {type(answer).__name__}")
    changed = {}
    for field in fields(OperatorCode):
        before, now = getattr(code, field.name), getattr(answer, field.name)
        if now == before:
            continue
        if field.name in ("key", "properties"):
            raise ValueError(f"`{field.name}` of `{name}` cannot be changed")
        if before is None:
            raise ValueError(f"`{name}` has no `{field.name}`")
        if field.name == "includes":
            if not isinstance(now, tuple) or not all(isinstance(path, str) for path in now):
                raise TypeError("`includes` is a tuple of strings")
        elif not isinstance(now, type(before)):
            raise TypeError(f"`{field.name}` is of type {type(before).__name__}, not {type(now).__name__}")
        if field.name == "kernel" and not str(now).isidentifier():
            raise ValueError(f"`{now}` is not the name of a kernel")
        changed[field.name] = now
    return changed

"""From arguments to the compiled module, and from its plain data to objects."""

from __future__ import annotations

import os
from collections.abc import Mapping

from . import _torchgen_rs
from ._patches import refuse
from .results import Change, Diagnostic, Edit, Effect, Fix, Label, Run, SchemaError, Span, TorchgenError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Literal

    from ._torchgen_rs import _Diagnostic, _Place, _Report
    from .hooks import Hook


def run(arguments: Sequence[str | os.PathLike[str]]) -> Run:
    """Runs a command line of the program: ``run(["check", "my-ops"])``.

    Paths are relative to the current directory of the process.

    Raises:
        TorchgenError: the run failed.
    """
    return _run(arguments)


def _run(
    arguments: Sequence[str | os.PathLike[str]],
    hook: Hook | None = None,
    fingerprint: str | None = None,
    functions: _Functions | None = None,
) -> Run:
    refuse()
    words = ["torchgen-rs", *(os.fspath(word) for word in arguments)]
    called = None if functions is None else (functions, list(functions.by_name))
    did = _torchgen_rs.run(words, hook, fingerprint, called)
    diagnostics = tuple(map(_diagnostic, did["diagnostics"]))
    status = did["status"]
    if status != 0:
        cause = None if functions is None else functions.raised
        raise TorchgenError(status, diagnostics, did["messages"], did["output"]) from cause
    return Run(
        written=tuple(did["written"]),
        unchanged=did["unchanged"],
        removed=tuple(did["removed"]),
        listed=tuple(did["listed"]),
        skipped=did["skipped"],
        diagnostics=diagnostics,
        output=did["output"],
        messages=did["messages"],
    )


class _Functions:
    """Calls the functions that a generator's templates name. Arguments and results are JSON."""

    def __init__(self, by_name: Mapping[str, Callable[..., object]]) -> None:
        self.by_name = by_name
        self.raised: BaseException | None = None

    def __call__(self, name: str, arguments: str) -> str:
        import json

        try:
            made = self.by_name[name](*json.loads(arguments))
            try:
                return json.dumps(made, allow_nan=False)
            except (TypeError, ValueError, RecursionError) as error:
                raise TypeError(f"a function of a generator returns plain values: {error}") from error
        except BaseException as error:
            self.raised = self.raised or error
            raise


def schema_error(did: _Report) -> SchemaError:
    """The exception for a run that read schemas or files of operators."""
    diagnostics = tuple(map(_diagnostic, did["diagnostics"]))
    status: Literal[1, 2] = 2 if did["status"] == 2 else 1
    # Without the summary of a command.
    messages = "\n".join(found.text for found in diagnostics)
    return SchemaError(status, diagnostics, messages, did["output"])


def call(
    command: str, values: Mapping[str, object], lists: Sequence[str] = (), positional: Sequence[str] = ()
) -> Run:
    """Runs a command with its arguments by name. ``lists`` names the flags that take several words
    at once; ``positional`` the arguments that are no flags. An underscore at the end of a name is not part
    of the flag. ``hook``, ``functions`` and ``fingerprint`` are no flags."""
    flags: dict[str, Any] = dict(values)
    hook, fingerprint = flags.pop("hook", None), flags.pop("fingerprint", None)
    if not (hook is None or callable(hook)):
        raise TypeError(f"`hook` is a function, not {hook!r}")
    functions: Mapping[str, Callable[..., object]] | None = flags.pop("functions", None)
    for name, function in (functions or {}).items():
        if not (isinstance(name, str) and callable(function)):
            raise TypeError(f"`functions` maps names to functions, not {name!r} to {function!r}")
    if not (fingerprint is None or isinstance(fingerprint, str)):
        raise TypeError(f"`fingerprint` is a string, not {fingerprint!r}")
    line: list[str] = [command, "--color=never"]
    for name, value in flags.items():
        if name not in positional:
            line += _flag("--" + name.rstrip("_").replace("_", "-"), value, name in lists)
    words = [word for name in positional for word in _words(flags[name])]
    called = _Functions(functions) if functions else None
    return _run([*line, "--", *words] if words else line, hook, fingerprint, called)


def _flag(flag: str, value: object, is_list: bool) -> list[str]:
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if is_list:
        return [flag, *_words(value)]
    return [f"{flag}={word}" for word in _words(value)]


def _words(value: object) -> list[str]:
    if value is None:
        return []
    if isinstance(value, (str, os.PathLike)):
        return [_path(value)]
    if isinstance(value, int):
        return [str(value)]
    if isinstance(value, Mapping):
        return [f"{name}={_option(one)}" for name, one in value.items()]
    if isinstance(value, (bytes, bytearray)) or not hasattr(value, "__iter__"):
        raise TypeError(f"expected a string, a path, a number or a sequence of them, not {value!r}")
    return [word for item in value for word in _words(item)]


def _option(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(_words(value))


def _path(value: str | os.PathLike[str]) -> str:
    text = os.fspath(value)
    if not isinstance(text, str):
        raise TypeError(f"expected a path of str, not {value!r}")
    return text


def _diagnostic(data: _Diagnostic) -> Diagnostic:
    place = data["place"]
    return Diagnostic(
        code=data["code"],
        name=data["name"],
        severity=data["severity"],
        message=data["message"],
        file=place[0] if place else None,
        span=Span(*place[1:]) if place else None,
        labels=tuple(Label(at[0], Span(*at[1:]), message) for at, message in data["labels"]),
        notes=tuple(data["notes"]),
        help=tuple(data["help"]),
        fixes=tuple(_fix(*fix) for fix in data["fixes"]),
        change=_change(data["change"]) if data["change"] else None,
        text=data["text"].rstrip("\n"),
    )


def _fix(message: str, applicability: Literal["certain", "likely"], edits: list[tuple[_Place, str, str]]) -> Fix:
    return Fix(message, applicability, tuple(Edit(at[0], Span(*at[1:]), old, new) for at, old, new in edits))


def _change(text: str) -> Change:
    import json

    data = json.loads(text)
    return Change(
        kind=data["kind"],
        name=data["name"],
        old=data.get("old"),
        new=data.get("new"),
        effects=tuple(Effect(**effect) for effect in data["effects"]),
    )

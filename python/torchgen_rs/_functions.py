"""Commands whose output is the result."""

from __future__ import annotations

from . import commands
from .results import Facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from typing import Any, Literal

    from .things import Thing

    _Path = str | os.PathLike[str]


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


def facts(
    source_path: _Path | None = None,
    *,
    torch: str | None = None,
    only: str | Sequence[str] | None = None,
    family: str | None = None,
    layout: Literal["aten", "library"] | None = None,
    autograd_dir: _Path | None = None,
    backend_yaml: _Path | None = None,
    lazy: bool = False,
    also: Literal["kernels", "formulas"] | Sequence[Literal["kernels", "formulas"]] | None = None,
    outputs: bool = False,
    data_dir: _Path | Sequence[_Path] | None = None,
    threads: int | None = None,
) -> Facts:
    """The model as data: what the command ``model`` prints, as objects.

    Args:
        source_path: The files or the directory of PyTorch's operators, of a library or of another
            family. Without it, that of the current directory; with ``torch``, the operators that
            the program knows of that version.
        torch: A version of torch, such as ``2.12``.
        only: Only these: operators with or without namespace and overload, or other declarations.
        family: The family of the sources, if their files do not show it.
        layout: The layout of the source path, if its files do not show it.
        autograd_dir: The directory of derivatives.yaml, if it is not in a checkout.
        backend_yaml: Adds the kernels of this YAML of an external backend.
        lazy: Adds the shape functions that a lazy backend must declare.
        also: Adds kernels, with the operators and keys that each serves, or formulas of
            derivatives, with what each differentiates and calls, as things of their own.
        outputs: Adds the generated files about each operator, with lines.
        data_dir: Directories with more tables of facts.
        threads: The number of threads; the default is one for each core.

    Raises:
        TorchgenError: the sources have errors, or there is no such declaration.
    """
    import json

    run = commands.model(
        source_path=source_path,
        torch=torch,
        only=only,
        family=family,
        layout=layout,
        autograd_dir=autograd_dir,
        backend_yaml=backend_yaml,
        lazy=lazy,
        also=also,
        outputs=outputs,
        data_dir=data_dir,
        threads=threads,
    )
    # JSON has no line breaks of its own, but characters at which `splitlines` would break.
    header, *lines = run.output.rstrip("\n").split("\n")
    things: tuple[Thing, ...] = tuple(map(json.loads, lines))

    def by_name(kind: str) -> dict[str, Any]:
        return {thing["name"]: thing for thing in things if thing["kind"] == kind}

    return Facts(
        header=json.loads(header),
        things=things,
        operators=by_name("operator"),
        groups=by_name("group"),
        view_groups=by_name("view_group"),
        kernels=by_name("kernel"),
        formulas=by_name("formula"),
        diagnostics=run.diagnostics,
    )

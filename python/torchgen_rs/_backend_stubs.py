"""The functions of ``torchgen_rs.gen_backend_stubs``."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import NamedTuple

from . import _torchgen_rs, commands
from .model import BackendIndex, DispatchKey, NativeFunction, NativeFunctionsGroup
from .results import SchemaError, TorchgenError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    _Path = str | os.PathLike[str]

__all__ = ["ParsedExternalYaml", "parse_backend_yaml", "run"]


class ParsedExternalYaml(NamedTuple):
    """The YAML of a backend."""

    backend_key: DispatchKey | None
    """The key of its kernels below autograd, if it has any."""
    autograd_key: DispatchKey | None
    """The key of those at autograd, if it has any."""
    class_name: str | None
    """The class of the kernels, if it is given."""
    cpp_namespace: str
    backend_indices: dict[DispatchKey, BackendIndex]
    """All kernels, with the backend's."""


def parse_backend_yaml(
    backend_yaml_path: _Path,
    grouped_native_functions: Sequence[NativeFunction | NativeFunctionsGroup],
    backend_indices: dict[DispatchKey, BackendIndex],
) -> ParsedExternalYaml:
    """Reads the YAML of a backend, and adds its kernels to those of PyTorch.

    Raises:
        SchemaError: the file cannot be read, or has errors: all of them, with their places.
    """
    functions = [f for g in grouped_native_functions for f in (g.functions() if hasattr(g, "functions") else [g])]
    keys, class_name, namespace, indices = _torchgen_rs.parse_backend(backend_yaml_path, functions)
    backend_indices.update(indices)
    below, autograd = (None if key is None else DispatchKey[key] for key in keys)
    return ParsedExternalYaml(below, autograd, class_name, namespace, backend_indices)


def run(source_yaml: _Path, output_dir: _Path, dry_run: bool, impl_path: _Path | None = None) -> None:
    """Runs the command ``backend-stubs``.

    Raises:
        SchemaError: the command failed.
    """
    with schema_errors():
        commands.backend_stubs(
            source_yaml=source_yaml,
            # An empty one is the current directory, as in the reference.
            output_dir=output_dir or ".",
            dry_run=dry_run,
            impl_path=impl_path,
            generated_by=script(),
        )


@contextmanager
def schema_errors() -> Iterator[None]:
    """Makes the errors of commands those of functions that have the reference's names."""
    try:
        yield
    except TorchgenError as error:
        raise SchemaError(error.status, error.diagnostics, str(error), error.output) from None


def script() -> str | None:
    """The name of the script that runs, which comments name as the generating program."""
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    return os.path.basename(path) if path else None

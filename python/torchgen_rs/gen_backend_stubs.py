"""The command ``backend-stubs``, which takes the arguments of the reference's
``torchgen.gen_backend_stubs``; and the functions of that module that scripts call."""

import os
import sys
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._backend_stubs import (
        ParsedExternalYaml as ParsedExternalYaml,
        gen_dispatcher_registrations as gen_dispatcher_registrations,
        gen_dispatchkey_nativefunc_headers as gen_dispatchkey_nativefunc_headers,
        parse_backend_yaml as parse_backend_yaml,
        run as run,
    )
    from .gen import (
        get_grouped_native_functions as get_grouped_native_functions,
        parse_native_yaml as parse_native_yaml,
    )
    from .selective_build.selector import SelectiveBuilder as SelectiveBuilder
    from .utils import FileManager as FileManager

from ._program import command

# Scripts import all, to write a `run` of their own.
__all__ = [
    "FileManager",
    "ParsedExternalYaml",
    "Path",
    "SelectiveBuilder",
    "gen_dispatcher_registrations",
    "gen_dispatchkey_nativefunc_headers",
    "get_grouped_native_functions",
    "main",
    "os",
    "parse_backend_yaml",
    "parse_native_yaml",
    "run",
]
_MODULES = {
    "FileManager": "utils",
    "SelectiveBuilder": "selective_build.selector",
    "get_grouped_native_functions": "gen",
    "parse_native_yaml": "gen",
}

_ELSEWHERE = {
    "error_on_missing_kernels": "`run` checks the sources of `impl_path`",
}


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the command with these arguments, or those of the process. Returns the exit status."""
    return command("backend-stubs", arguments)


# The program needs none of them.
def __getattr__(name: str) -> object:
    from importlib import import_module

    from . import _backend_stubs

    if name in _backend_stubs.__all__:
        return getattr(_backend_stubs, name)
    if name in _MODULES:
        return getattr(import_module(f".{_MODULES[name]}", __package__), name)
    from ._missing import missing

    raise missing(__name__, name, _ELSEWHERE)


if __name__ == "__main__":
    sys.exit(main())

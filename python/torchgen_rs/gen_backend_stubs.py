"""The command ``backend-stubs``, which takes the arguments of the reference's
``torchgen.gen_backend_stubs``; and the functions of that module that scripts call."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._backend_stubs import (
        ParsedExternalYaml as ParsedExternalYaml,
        parse_backend_yaml as parse_backend_yaml,
        run as run,
    )

from ._program import command

_ELSEWHERE = {
    "error_on_missing_kernels": "`run` checks the sources of `impl_path`",
    "gen_dispatcher_registrations": "`run` writes them; `torchgen_rs.hooks` has hooks for it",
    "gen_dispatchkey_nativefunc_headers": "`run` writes them; `torchgen_rs.hooks` has hooks for it",
}


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the command with these arguments, or those of the process. Returns the exit status."""
    return command("backend-stubs", arguments)


# The program needs none of them.
def __getattr__(name: str) -> object:
    from . import _backend_stubs

    if name in _backend_stubs.__all__:
        return getattr(_backend_stubs, name)
    from ._missing import missing

    raise missing(__name__, name, _ELSEWHERE)


if __name__ == "__main__":
    sys.exit(main())

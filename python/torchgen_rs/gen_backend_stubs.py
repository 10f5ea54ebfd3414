"""The command ``backend-stubs``, which takes the arguments of the reference's
``torchgen.gen_backend_stubs``."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

from ._program import command


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the command with these arguments, or those of the process. Returns the exit status."""
    return command("backend-stubs", arguments)


if __name__ == "__main__":
    sys.exit(main())

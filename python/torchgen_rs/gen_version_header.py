"""The command ``gen-version-header``, which takes the arguments of the reference's
``tools.setup_helpers.gen_version_header``."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

from ._program import command


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the command with these arguments, or those of the process. Returns the exit status."""
    return command("gen-version-header", arguments)


if __name__ == "__main__":
    sys.exit(main())

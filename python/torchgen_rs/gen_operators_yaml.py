"""The command ``gen-operators-yaml``, which takes the arguments of the reference's
``tools.code_analyzer.gen_operators_yaml``."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

from ._program import command


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the command with these arguments, or those of the process. Returns the exit status."""
    return command("gen-operators-yaml", arguments)


if __name__ == "__main__":
    sys.exit(main())

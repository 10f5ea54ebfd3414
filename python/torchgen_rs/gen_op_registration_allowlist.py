"""The command ``gen-op-registration-allowlist``, which takes the arguments of the reference's
``tools.code_analyzer.gen_op_registration_allowlist``."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

from ._program import command


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the command with these arguments, or those of the process. Returns the exit status."""
    return command("gen-op-registration-allowlist", arguments)


if __name__ == "__main__":
    sys.exit(main())

"""The command ``autograd`` for backward nodes, ``VariableType`` and the like.

It takes the arguments of the reference's ``tools.autograd.gen_autograd``, and further
flags of the command after them: native_functions.yaml, tags.yaml, the directory to write to, and
the directory of derivatives.yaml.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

from .._program import with_positional

_FLAGS = ("--native-functions-path", "--tags-path", "--out-dir", "--autograd-dir")


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the command with these arguments, or those of the process. Returns the exit status."""
    return with_positional("autograd", _FLAGS, ["--subset=libtorch"], arguments)


if __name__ == "__main__":
    sys.exit(main())

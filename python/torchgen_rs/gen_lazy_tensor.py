"""The command ``lazy-tensor``, which takes the arguments of the reference's
``torchgen.gen_lazy_tensor``; and the function of that module that scripts call."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._lazy_tensor import run_gen_lazy_tensor as run_gen_lazy_tensor

from ._program import command


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the command with these arguments, or those of the process. Returns the exit status."""
    return command("lazy-tensor", arguments)


# The program does not need it.
def __getattr__(name: str) -> object:
    if name == "run_gen_lazy_tensor":
        from ._lazy_tensor import run_gen_lazy_tensor

        return run_gen_lazy_tensor
    from ._missing import missing

    raise missing(__name__, name, {})


if __name__ == "__main__":
    sys.exit(main())

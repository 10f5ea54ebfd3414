"""The program ``torchgen-rs``, and its commands under the names of the reference's scripts.

This imports little: a run that has nothing to do takes milliseconds.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

from . import _torchgen_rs


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the program with these arguments, or those of the process.

    It prints to the streams of the process. Returns the exit status: 0 for success, 1 for errors in
    the input, 2 for bad usage or I/O errors.
    """
    if arguments is not None:
        return _torchgen_rs.main(["torchgen-rs", *arguments])
    try:
        return _torchgen_rs.main(["torchgen-rs", *sys.argv[1:]])
    except KeyboardInterrupt:
        _end_by_interrupt()
        return 130


def command(name: str, arguments: "Sequence[str] | None") -> int:
    """Runs a command of the program, likewise."""
    if arguments is None:
        sys.argv.insert(1, name)
        return main()
    return main([name, *arguments])


def with_positional(
    name: str, flags: "Sequence[str]", more: "Sequence[str]", arguments: "Sequence[str] | None"
) -> int:
    """Runs a command of the program for a script that names files by their position."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    line = [name, *more]
    for flag in flags:
        if words and not words[0].startswith("-"):
            line.append(f"{flag}={words.pop(0)}")
    line += words
    if arguments is None:
        sys.argv[1:] = line
        return main()
    return main(line)


def _end_by_interrupt() -> None:
    """Ends the process as Ctrl-C ends other programs: the shell then stops its script too."""
    import os
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)

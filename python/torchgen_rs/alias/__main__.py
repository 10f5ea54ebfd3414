"""Runs a script, a module or a text in which ``import torchgen`` is this package."""

from __future__ import annotations

import os
import runpy
import sys

from . import install

_USAGE = """usage: python -m torchgen_rs.alias SCRIPT [ARGUMENT]...
       python -m torchgen_rs.alias -m MODULE [ARGUMENT]...
       python -m torchgen_rs.alias --path

Runs a Python script in which `import torchgen` is `torchgen_rs`. --path prints a directory for
PYTHONPATH, which does the same in every Python process."""


def main(words: list[str]) -> int:
    """Runs what the words say. Returns the exit status of a usage error."""
    if words in (["--help"], ["-h"]):
        print(_USAGE)
        return 0
    if words == ["--path"]:
        print(os.path.join(os.path.dirname(os.path.abspath(__file__)), "site"))
        return 0
    if not words or (words[0].startswith("-") and (words[0] != "-m" or len(words) == 1)):
        print(_USAGE, file=sys.stderr)
        return 2
    install()
    if words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        # A script imports what is beside it.
        sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
        runpy.run_path(words[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

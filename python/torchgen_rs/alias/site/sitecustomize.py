"""Makes ``import torchgen`` the package torchgen_rs in each process that has this directory in its
path, and then runs the file of this name that would have run without it."""

import os
import sys


def _chain() -> None:
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path) != here]
    found = PathFinder.find_spec("sitecustomize", others)
    if found is not None and found.loader is not None:
        found.loader.exec_module(module_from_spec(found))


def _install() -> None:
    try:
        from torchgen_rs.alias import install
    except ImportError as error:
        # A process of another Python, which has no such package.
        print(f"torchgen_rs.alias has no effect in {sys.executable}: {error}", file=sys.stderr)
    else:
        install()


_install()
_chain()

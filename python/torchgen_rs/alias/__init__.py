"""``import torchgen`` as this package, for scripts whose imports cannot change.

``python -m torchgen_rs.alias SCRIPT`` runs a script so. With the directory that
``python -m torchgen_rs.alias --path`` prints first in ``PYTHONPATH``, every Python process does it.
Nothing is installed under the name ``torchgen``, and without one of the two nothing changes.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import sys
from importlib.abc import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

__all__ = ["install"]

_NAME, _PACKAGE = "torchgen", "torchgen_rs"


class _Finder:
    """Finds modules of ``torchgen`` in this package, and lets no other finder look for them."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != _NAME and not name.startswith(f"{_NAME}."):
            return None
        own = f"{_PACKAGE}{name[len(_NAME) :]}"
        found = importlib.util.find_spec(own)
        if found is None:
            raise ModuleNotFoundError(f"`import {name}` is `{own}` here, which does not exist", name=name)
        if name == _NAME:
            # Scripts look for PyTorch's YAML beside it: it is where torch has its own, if there is one.
            of_torch = importlib.machinery.PathFinder.find_spec(name)
            origin = of_torch.origin if of_torch else _beside_files() or found.origin
            beside = [os.path.dirname(origin)] if origin else []
            return importlib.util.spec_from_file_location(
                name, origin, loader=_Package(), submodule_search_locations=beside
            )
        is_package = found.submodule_search_locations is not None
        return importlib.machinery.ModuleSpec(name, _Loader(own), origin=found.origin, is_package=is_package)


def _beside_files() -> str | None:
    """Where the package seems to be if there is no torch: beside the files of the newest version."""
    from ..packaged import path

    try:
        return str(path().parent.parent / "__init__.py")
    except (OSError, RuntimeError):  # There is no place for files, or no home.
        return None


def _public(module: str) -> str:
    """The module without its private parts: classes of `model._keys` are in `model` in torchgen."""
    return ".".join(part for part in module.split(".") if not part.startswith("_"))


class _Package(Loader):
    """Makes the package itself, which has nothing but its modules."""

    def exec_module(self, module: ModuleType) -> None:
        """Does nothing."""


class _Loader(Loader):
    """Puts another module of this package in place of the one that is loaded."""

    def __init__(self, own: str) -> None:
        self.own = own

    def exec_module(self, module: ModuleType) -> None:
        """Imports the other module, which is what the name then is, also in the texts of its classes."""
        sys.modules[module.__name__] = own = importlib.import_module(self.own)
        for value in vars(own).values():
            if isinstance(value, type):
                home = _public(value.__module__)
                if home == self.own or home.startswith(f"{self.own}."):
                    value.__module__ = f"{_NAME}{home[len(_PACKAGE) :]}"

    def get_code(self, name: str) -> CodeType | None:
        """The code of the other module, for ``python -m``."""
        spec = importlib.util.find_spec(self.own)
        return spec.loader.get_code(self.own)  # type: ignore[union-attr]


def install() -> None:
    """Makes ``import torchgen`` this package in the running process.

    Raises:
        RuntimeError: ``torchgen`` is imported already.
    """
    if _Finder in sys.meta_path:
        return
    if _NAME in sys.modules:
        raise RuntimeError("`torchgen` is imported already: call `torchgen_rs.alias.install` before")
    sys.meta_path.insert(0, _Finder)  # type: ignore[arg-type]

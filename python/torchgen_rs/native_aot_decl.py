"""What torch itself uses of declarations of kernels that are compiled ahead of time, by the names of
the reference's ``torchgen.native_aot_decl``. ``generate`` reads the declarations."""

from __future__ import annotations

import importlib.util

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["decl_id_for_op", "load_by_path"]


def decl_id_for_op(aten_op: str) -> str:
    """An operator's name as a word of C++, as in the names of stubs: ``gt.Tensor`` is ``gt_Tensor``."""
    return aten_op.replace(".", "_")


def load_by_path(name: str, path: str) -> ModuleType:
    """Runs a Python file as a module of that name, which is not among the imported ones.

    Raises:
        ImportError: Python cannot load such a file.
    """
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load a module from `{path}`")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def __getattr__(name: str) -> object:
    from ._missing import missing

    raise missing(__name__, name, dict.fromkeys(_OF_TOOLS, "`torchgen_rs.commands.generate` reads declarations"))


_OF_TOOLS = ("discover_declarations", "load_declaration", "load_declarations")

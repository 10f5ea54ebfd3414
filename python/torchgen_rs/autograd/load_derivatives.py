"""Reads derivatives.yaml."""

from __future__ import annotations

import os

from .. import _torchgen_rs
from ..api.autograd import DifferentiabilityInfo
from ..model import FunctionSchema

TYPE_CHECKING = False
if TYPE_CHECKING:
    _Path = str | os.PathLike[str]

__all__ = ["load_derivatives"]


def load_derivatives(
    derivatives_yaml_path: _Path, native_yaml_path: _Path, tags_yaml_path: _Path
) -> tuple[dict[FunctionSchema, dict[str, DifferentiabilityInfo]], set[str]]:
    """Reads the derivatives of operators, by schema and key, and all keys that are used. Copies of
    views have those of the views. Every call reads the files.

    Raises:
        SchemaError: a file cannot be read, or has errors: all of them, with their places.
    """
    infos, keys = _torchgen_rs.load_derivatives(derivatives_yaml_path, native_yaml_path, tags_yaml_path)
    return dict(infos), keys


_READS = "`load_derivatives` reads all entries"
_ELSEWHERE = {
    "add_view_copy_derivatives": "`load_derivatives` adds them",
    "cpp_arguments": "use `api.types.CppSignatureGroup`",
    "create_derivative": _READS,
    "create_differentiability_info": _READS,
    "create_forward_derivative": _READS,
    "postprocess_forward_derivatives": _READS,
    "saved_variables": _READS,
}


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

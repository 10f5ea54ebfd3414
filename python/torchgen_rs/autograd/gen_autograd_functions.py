"""The nodes of autograd, which compute gradients.

Functions that a script replaces in this module are the ones that the others call.
"""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from ..api.autograd import DifferentiabilityInfo
from ..code_template import CodeTemplate
from ..model import FunctionSchema
from ..utils import FileManager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    _Part = Literal["declaration", "definition", "python_class", "python_getters"]

__all__ = [
    "FUNCTION_DECLARATION",
    "FUNCTION_DEFINITION",
    "PY_FUNCTION_DEFINITION",
    "PY_FUNCTION_PROPS_AND_GETTERS",
    "gen_autograd_functions_lib",
    "gen_autograd_functions_python",
    "get_infos_with_derivatives_list",
    "process_function",
]

FUNCTION_DECLARATION = CodeTemplate("${declaration}")
"""The class of a node."""
FUNCTION_DEFINITION = CodeTemplate("${definition}")
"""Its methods."""
PY_FUNCTION_DEFINITION = CodeTemplate("${python_class}")
"""What adds the class to Python."""
PY_FUNCTION_PROPS_AND_GETTERS = CodeTemplate("${python_getters}")
"""What Python can read of a node."""

_PARTS: dict[str, _Part] = {
    FUNCTION_DECLARATION.pattern: "declaration",
    FUNCTION_DEFINITION.pattern: "definition",
    PY_FUNCTION_DEFINITION.pattern: "python_class",
    PY_FUNCTION_PROPS_AND_GETTERS.pattern: "python_getters",
}


def get_infos_with_derivatives_list(
    differentiability_infos: dict[FunctionSchema, dict[str, DifferentiabilityInfo]],
) -> list[DifferentiabilityInfo]:
    """The derivatives that have a node, for all keys."""
    return [info for by_key in differentiability_infos.values() for info in by_key.values() if info.has_derivatives]


def process_function(info: DifferentiabilityInfo, template: CodeTemplate) -> str:
    """A part of a node: one of the four templates of this module says which.

    Raises:
        ValueError: it is another template, or no input has a gradient.
        SchemaError: a formula saves something that a node cannot save.
    """
    part = _PARTS.get(template.pattern)
    if part is None:
        raise ValueError("nodes are made with the templates of this module")
    made = _torchgen_rs.node_part(info, part)
    if made is None:
        raise ValueError(f"no input of `{info.name}` has a gradient, so it has no node")
    return made


def gen_autograd_functions_lib(
    out: str,
    differentiability_infos: dict[FunctionSchema, dict[str, DifferentiabilityInfo]],
    template_path: str,
) -> None:
    """Writes Functions.h and Functions.cpp from templates of these names.

    Raises:
        SchemaError: a formula saves something that a node cannot save.
    """
    infos = get_infos_with_derivatives_list(differentiability_infos)
    parts = {
        "autograd_function_declarations": [process_function(info, FUNCTION_DECLARATION) for info in infos],
        "autograd_function_definitions": [process_function(info, FUNCTION_DEFINITION) for info in infos],
    }
    manager = FileManager(install_dir=out, template_dir=template_path, dry_run=False)
    for name in ("Functions.h", "Functions.cpp"):
        made_from = f"@generated from {manager.template_dir_for_comments()}/{name}"
        values = {"generated_comment": made_from, **parts}
        manager.write(name, lambda values=values: values)  # type: ignore[misc]


def gen_autograd_functions_python(
    out: str,
    differentiability_infos: dict[FunctionSchema, dict[str, DifferentiabilityInfo]],
    template_path: str,
) -> None:
    """Writes python_functions.h and the shards of python_functions.cpp from templates of these names.

    Raises:
        SchemaError: a formula saves something that a node cannot save.
    """
    declarations, calls = _torchgen_rs.node_shards()
    manager = FileManager(install_dir=out, template_dir=template_path, dry_run=False)
    made_from = f"@generated from {manager.template_dir_for_comments()}/python_functions"
    header = {
        "generated_comment": f"{made_from}.h",
        "shard_forward_declare": declarations,
        "shard_call": calls,
    }
    manager.write("python_functions.h", lambda: header)

    def parts(info: DifferentiabilityInfo) -> dict[str, list[str]]:
        return {
            "py_function_initializers": [process_function(info, PY_FUNCTION_DEFINITION)],
            "py_function_props_and_getters": [process_function(info, PY_FUNCTION_PROPS_AND_GETTERS)],
        }

    manager.write_sharded(
        "python_functions.cpp",
        get_infos_with_derivatives_list(differentiability_infos),
        key_fn=lambda info: info.name,
        base_env={"generated_comment": f"{made_from}.cpp"},
        env_callable=parts,
        num_shards=len(calls),
        sharded_keys={"py_function_initializers", "py_function_props_and_getters"},
    )

watch(__name__, {"get_infos_with_derivatives_list", "process_function"})

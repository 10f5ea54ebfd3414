"""The C++ functions that make tensors and set whether those require gradients."""

from __future__ import annotations

from .. import _torchgen_rs
from .._operators import parse_native_yaml
from .._patches import watch
from ..api import cpp, python
from ..model import NativeFunction, Variant
from ..utils import FileManager, mapMaybe

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

__all__ = ["gen_variable_factories", "is_factory_function", "process_function"]


def is_factory_function(f: NativeFunction) -> bool:
    """Whether an operator is such a function: it takes what tensors are made with, or is named like
    another tensor."""
    if Variant.function not in f.variants:
        return False
    return python.has_tensor_options(f) or cpp.name(f.func).endswith("_like")


def process_function(f: NativeFunction) -> str | None:
    """The functions of an operator; None if it makes no tensor.

    Raises:
        SchemaError: an argument has no form in C++.
    """
    return _torchgen_rs.factory_definition(f)


def gen_variable_factories(
    out: str, native_yaml_path: str | os.PathLike[str], tags_yaml_path: str | os.PathLike[str], template_path: str
) -> None:
    """Writes variable_factories.h from the template of this name.

    Raises:
        SchemaError: the operators cannot be read.
    """
    functions = parse_native_yaml(native_yaml_path, tags_yaml_path).native_functions
    factories = [f for f in functions if is_factory_function(f)]
    manager = FileManager(install_dir=out, template_dir=template_path, dry_run=False)
    name = "variable_factories.h"
    manager.write_with_template(
        name,
        name,
        lambda: {
            "generated_comment": f"@generated from {manager.template_dir_for_comments()}/{name}",
            "ops_headers": [f"#include <ATen/ops/{f.root_name}.h>" for f in factories],
            "function_definitions": list(mapMaybe(process_function, factories)),
        },
    )


watch(__name__)

"""Reads derivatives.yaml."""

from __future__ import annotations

import os
from collections import Counter

from .. import _torchgen_rs, gen
from .._patches import watch
from .._operators import get_grouped_by_view_native_functions, parse_native_yaml
from .._said import said_as
from ..api.autograd import Derivative, DifferentiabilityInfo
from ..model import FunctionSchema, NativeFunction, NativeFunctionsViewGroup
from ..model._yaml import entries_text, key_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    _Path = str | os.PathLike[str]
    _Infos = dict[FunctionSchema, dict[str, DifferentiabilityInfo]]

__all__ = ["create_derivative", "create_differentiability_info", "load_derivatives"]


def load_derivatives(
    derivatives_yaml_path: _Path, native_yaml_path: _Path, tags_yaml_path: _Path
) -> tuple[_Infos, set[str]]:
    """Reads the derivatives of operators, by schema and key, and all keys that are used. Copies of
    views have those of the views. Every call reads the files.

    Raises:
        SchemaError: a file cannot be read, or has errors: all of them, with their places.
    """
    read = gen.parse_native_yaml
    if read is not parse_native_yaml:
        return _load(derivatives_yaml_path, read(native_yaml_path, tags_yaml_path).native_functions)
    infos, keys = _torchgen_rs.load_derivatives(derivatives_yaml_path, native_yaml_path, tags_yaml_path, key_names(None))
    return dict(infos), keys


def _load(path: _Path, functions: Sequence[NativeFunction]) -> tuple[_Infos, set[str]]:
    """The derivatives of operators that a function of the script reads."""
    import yaml  # type: ignore[import-untyped]

    from ..yaml_utils import YamlLoader

    with open(path, encoding="utf-8") as file:
        entries = yaml.load(file, Loader=YamlLoader)
    by_signature: dict[FunctionSchema, list[NativeFunction]] = {}
    for f in functions:
        by_signature.setdefault(f.func.signature(), []).append(f)
    by_schema = {str(f.func): f for f in functions}
    counter: Counter[str] = Counter()
    keys: set[str] = set()
    infos: _Infos = {}
    for entry in entries:
        if "dispatch" not in entry:
            named = {name: entry.pop(name) for name in ("name", "output_differentiability") if name in entry}
            entry = {**named, "dispatch": {"Default": entry}}
        schema, by_key = create_differentiability_info(entry, by_signature, by_schema, counter, keys)
        infos[schema] = by_key
    grouped = get_grouped_by_view_native_functions(functions)
    views = {g.view.func: g for g in grouped if isinstance(g, NativeFunctionsViewGroup)}
    for schema, by_key in list(infos.items()):
        g = views.get(schema)
        if g is not None and g.view_copy is not None and g.view_copy.func not in infos:
            copies = {key: info.create_view_copy_from_view_derivative(g) for key, info in by_key.items()}
            infos[g.view_copy.func] = {key: info for key, info in copies.items() if info is not None}
    return infos, keys


def create_derivative(
    f: NativeFunction, formula: str, var_names: tuple[str, ...], available_named_gradients: Sequence[str]
) -> Derivative:
    """The formula for the gradients of some inputs, with what it saves and the gradients that it uses
    by name. Its other names are not checked.

    Raises:
        SchemaError: it asks for something that cannot be saved, or for the gradient of an output that
            does not exist.
    """
    return _torchgen_rs.derivative_of_formula(f, formula, var_names, available_named_gradients)


def create_differentiability_info(
    defn_dict: dict[Any, Any],
    functions_by_signature: Mapping[FunctionSchema, Sequence[NativeFunction]],
    functions_by_schema: Mapping[str, NativeFunction],
    op_counter: Counter[str],
    used_dispatch_keys: set[str],
) -> tuple[FunctionSchema, dict[str, DifferentiabilityInfo]]:
    """The derivatives by key of an entry of derivatives.yaml, and the schema that they are for.

    Args:
        defn_dict: The entry, whose formulas are below ``dispatch``. It loses ``name`` and
            ``output_differentiability``.
        functions_by_signature: Operators with their variants.
        functions_by_schema: Operators by schema.
        op_counter: The number of nodes with each class, to which those of the entry are added.
        used_dispatch_keys: All keys, to which those of the entry are added.

    Raises:
        SchemaError: the entry has errors. The diagnostics show it as JSON.
    """
    specification = defn_dict.pop("name")
    entry = {"name": specification, "dispatch": defn_dict["dispatch"]}
    differentiability = defn_dict.pop("output_differentiability", None)
    if differentiability:
        entry["output_differentiability"] = differentiability
    f = functions_by_schema.get(specification)
    functions = list(functions_by_schema.values() if f is None else functions_by_signature[f.func.signature()])
    with said_as("derivatives", entry["name"]):
        at, infos = _torchgen_rs.derivatives_of_entry(entries_text([entry]), functions, op_counter)
    used_dispatch_keys.update(infos)
    return functions[at].func, infos


_READS = "`load_derivatives` reads all entries, and `create_differentiability_info` one"
_ELSEWHERE = {
    "add_view_copy_derivatives": "`load_derivatives` adds them",
    "cpp_arguments": "use `api.types.CppSignatureGroup`",
    "create_forward_derivative": _READS,
    "postprocess_forward_derivatives": _READS,
    "saved_variables": "use `create_derivative`",
}


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

watch(__name__)

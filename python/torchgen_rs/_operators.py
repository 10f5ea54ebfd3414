"""Reads and groups operators: the functions of ``torchgen_rs.gen``."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import NamedTuple, overload

from . import _torchgen_rs
from .model import BackendIndex, DispatchKey, NativeFunction, NativeFunctionsGroup, NativeFunctionsViewGroup
from ._patches import is_replaced, refuse
from ._said import said_as
from .model._yaml import entries_text, key_names, with_key_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    _Path = str | os.PathLike[str]

__all__ = [
    "ParsedYaml",
    "cpp_string",
    "error_check_native_functions",
    "get_grouped_by_view_native_functions",
    "get_grouped_native_functions",
    "parse_native_yaml",
    "parse_native_yaml_struct",
    "parse_tags_yaml",
    "parse_tags_yaml_struct",
]


class ParsedYaml(NamedTuple):
    """The operators of a file, and their kernels by dispatch key. A key without kernels has an index
    of the key ``Undefined``."""

    native_functions: list[NativeFunction]
    backend_indices: dict[DispatchKey, BackendIndex]


def _no_kernels() -> BackendIndex:
    return BackendIndex(
        dispatch_key=DispatchKey.Undefined, use_out_as_primary=True, device_guard=False, external=False, index={}
    )


def _parsed(read: tuple[list[NativeFunction], dict[DispatchKey, BackendIndex]]) -> ParsedYaml:
    functions, indices = read
    return ParsedYaml(functions, defaultdict(_no_kernels, indices))


_GLOBAL_PARSE_NATIVE_YAML_CACHE: dict[object, object] = {}
"""Empty, since every call reads the files: scripts clear the reference's between two calls."""


@overload
def parse_native_yaml(
    path: _Path,
    tags_yaml_path: _Path,
    ignore_keys: set[DispatchKey] | None = None,
    *,
    skip_native_fns_gen: bool = False,
    loaded_yaml: object | None = None,
    torch: None = None,
) -> ParsedYaml: ...
@overload
def parse_native_yaml(
    path: None = None,
    tags_yaml_path: None = None,
    ignore_keys: set[DispatchKey] | None = None,
    *,
    skip_native_fns_gen: bool = False,
    loaded_yaml: None = None,
    torch: str,
) -> ParsedYaml: ...
def parse_native_yaml(
    path: _Path | None = None,
    tags_yaml_path: _Path | None = None,
    ignore_keys: set[DispatchKey] | None = None,
    *,
    skip_native_fns_gen: bool = False,
    loaded_yaml: object | None = None,
    torch: str | None = None,
) -> ParsedYaml:
    """Reads PyTorch's native_functions.yaml. Every call reads the files.

    Args:
        path: The file. The version of torch that it is of decides its rules.
        tags_yaml_path: The tags.yaml beside it.
        ignore_keys: Dispatch keys whose kernels are left out.
        skip_native_fns_gen: Leave out the variants that are generated.
        loaded_yaml: What a YAML parser read, in place of the file.
        torch: A version of torch, such as ``2.15``, whose operators the program knows, in place of files.

    Raises:
        SchemaError: a file cannot be read, or has errors: all of them, with their places.
        TypeError: neither two files nor a version are given, or both.
        ValueError: the program does not know the operators of this version.
    """
    if torch is not None:
        if not (path is tags_yaml_path is loaded_yaml is None):
            raise TypeError("`torch` takes the place of files")
        return _parsed(_torchgen_rs.parse_torch(torch, key_names(ignore_keys), not skip_native_fns_gen))
    if path is None or tags_yaml_path is None:
        raise TypeError("two files or a version of torch are needed: `path` and `tags_yaml_path`, or `torch`")
    if loaded_yaml is not None:
        tags = parse_tags_yaml(tags_yaml_path)
        return parse_native_yaml_struct(loaded_yaml, tags, ignore_keys, os.fspath(path), skip_native_fns_gen)
    generates = not skip_native_fns_gen
    with said_as("entries"):
        made = _parsed(_torchgen_rs.parse_files(path, tags_yaml_path, key_names(ignore_keys), generates))
    if is_replaced("DispatchKey.parse") and any(DispatchKey.parse(key.name) is not key for key in made.backend_indices):
        # The program read the names of keys.
        refuse("DispatchKey.parse")
    return made


def parse_native_yaml_struct(
    es: object,
    valid_tags: set[str],
    ignore_keys: set[DispatchKey] | None = None,
    path: str = "<stdin>",
    skip_native_fns_gen: bool = False,
) -> ParsedYaml:
    """Reads entries that a YAML parser read: a list of mappings, each with its line as ``__line__``.

    Raises:
        SchemaError: an entry has errors. The diagnostics show the entry as JSON.
    """
    text = entries_text(map(with_key_names, _list(es)))
    generates = not skip_native_fns_gen
    with said_as("entries"):
        return _parsed(_torchgen_rs.parse_text(path, text, set(valid_tags), key_names(ignore_keys), generates))


def parse_tags_yaml(path: _Path) -> set[str]:
    """Reads PyTorch's tags.yaml.

    Raises:
        SchemaError: the file cannot be read, or has errors.
    """
    return _torchgen_rs.parse_tags(path)


def parse_tags_yaml_struct(es: object, path: str = "<stdin>") -> set[str]:
    """Reads tags that a YAML parser read.

    Raises:
        SchemaError: a tag has errors.
    """
    return _torchgen_rs.parse_tags_text(path, entries_text(_list(es)))


def _list(es: object) -> list[Mapping[str, object]]:
    if not isinstance(es, list) or not all(isinstance(entry, dict) for entry in es):
        raise AssertionError("expected a list of mappings")
    return es


def error_check_native_functions(funcs: Sequence[NativeFunction]) -> None:
    """Checks what concerns several operators, such as their delegates.

    Raises:
        SchemaError: they break a rule.
    """
    _torchgen_rs.check_together(funcs)


def get_grouped_native_functions(
    native_functions: Sequence[NativeFunction],
) -> Sequence[NativeFunction | NativeFunctionsGroup]:
    """Groups operators with their variants. An operator that has no group is by itself.

    Raises:
        SchemaError: a group breaks a rule.
    """
    return _torchgen_rs.grouped(native_functions)


def get_grouped_by_view_native_functions(
    native_functions: Sequence[NativeFunction],
) -> Sequence[NativeFunction | NativeFunctionsViewGroup]:
    """Groups views with their copy and inplace variants. An operator that has no group is by itself.

    Raises:
        SchemaError: a group breaks a rule.
    """
    return _torchgen_rs.grouped_by_view(native_functions)


def cpp_string(s: str) -> str:
    """A string literal of C++."""
    escapes = {"\\": "\\\\", '"': '\\"', "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\v": "\\v", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, c) for c in s) + '"'

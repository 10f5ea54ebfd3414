"""The functions of ``torchgen_rs.gen_backend_stubs``."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import NamedTuple

from . import _torchgen_rs, commands, dest
from ._patches import refuse_text
from ._said import said_as
from .model import BackendIndex, DispatchKey, NativeFunction, NativeFunctionsGroup
from .results import SchemaError, TorchgenError
from .selective_build.selector import SelectiveBuilder
from .utils import FileManager, NamespaceHelper, Target, concatMap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    _Path = str | os.PathLike[str]

__all__ = [
    "ParsedExternalYaml",
    "gen_dispatcher_registrations",
    "gen_dispatchkey_nativefunc_headers",
    "parse_backend_yaml",
    "run",
]


class ParsedExternalYaml(NamedTuple):
    """The YAML of a backend."""

    backend_key: DispatchKey | None
    """The key of its kernels below autograd, if it has any."""
    autograd_key: DispatchKey | None
    """The key of those at autograd, if it has any."""
    class_name: str | None
    """The class of the kernels, if it is given."""
    cpp_namespace: str
    backend_indices: dict[DispatchKey, BackendIndex]
    """All kernels, with the backend's."""


def parse_backend_yaml(
    backend_yaml_path: _Path,
    grouped_native_functions: Sequence[NativeFunction | NativeFunctionsGroup],
    backend_indices: dict[DispatchKey, BackendIndex],
) -> ParsedExternalYaml:
    """Reads the YAML of a backend, and adds its kernels to those of PyTorch.

    Raises:
        SchemaError: the file cannot be read, or has errors: all of them, with their places.
    """
    functions = [f for g in grouped_native_functions for f in (g.functions() if hasattr(g, "functions") else [g])]
    with said_as("backend"):
        keys, class_name, namespace, indices = _torchgen_rs.parse_backend(backend_yaml_path, functions)
    backend_indices.update(indices)
    below, autograd = (None if key is None else DispatchKey[key] for key in keys)
    return ParsedExternalYaml(below, autograd, class_name, namespace, backend_indices)


def gen_dispatchkey_nativefunc_headers(
    fm: FileManager,
    class_name: str,
    cpp_namespace: str,
    backend_indices: dict[DispatchKey, BackendIndex],
    grouped_native_functions: Sequence[NativeFunction | NativeFunctionsGroup],
    backend_dispatch_key: DispatchKey,
    autograd_dispatch_key: DispatchKey | None,
    backend_name: str = "",
) -> None:
    """Writes the header with the class of a backend's kernels.

    Raises:
        SchemaError: a kernel has no signature in C++.
    """

    def declared(key: DispatchKey | None) -> list[str]:
        if key is None:
            return []
        index = backend_indices[key]
        texts = (dest.compute_native_function_declaration(f, index) for f in grouped_native_functions)
        return sorted({text for of_one in texts for text in of_one})

    key = backend_dispatch_key
    refuse_text(key)
    comment, *_ = _torchgen_rs.backend_texts(key, key, "", (False, False), None, ())
    namespace = NamespaceHelper(cpp_namespace)
    fm.write_with_template(
        f"{key}NativeFunctions.h",
        "DispatchKeyNativeFunctions.h",
        lambda: {
            "generated_comment": comment,
            "namespace_prologue": namespace.prologue,
            "class_name": class_name,
            "namespace_epilogue": namespace.epilogue,
            "dispatch_declarations": declared(key) + declared(autograd_dispatch_key),
            "BackendName": backend_name,
            "DispatchKey": key,
        },
    )


def gen_dispatcher_registrations(
    fm: FileManager,
    output_dir: str,
    class_name: str,
    backend_indices: dict[DispatchKey, BackendIndex],
    grouped_native_functions: Sequence[NativeFunction | NativeFunctionsGroup],
    backend_dispatch_key: DispatchKey,
    dispatch_key: DispatchKey,
    selector: SelectiveBuilder,
    build_in_tree: bool = False,
    per_operator_headers: bool = False,
    backend_name: str = "",
    eager_registration: bool = True,
) -> None:
    """Writes the source with the wrappers around a backend's kernels for a key, and their registration.

    Raises:
        SchemaError: an operator has no wrapper.
    """
    index = backend_indices[dispatch_key]

    def code(target: Target) -> list[str]:
        make = dest.RegisterDispatchKey(
            index,
            target,
            selector,
            rocm=False,
            symint=True,
            class_method_name=class_name,
            skip_dispatcher_op_registration=False,
        )
        return list(concatMap(make, grouped_native_functions))

    refuse_text(dispatch_key)
    flags, deferred = (build_in_tree, per_operator_headers), None if eager_registration else backend_name
    _, header, functions, registrations = _torchgen_rs.backend_texts(
        backend_dispatch_key, dispatch_key, output_dir, flags, deferred, code(Target.REGISTRATION)
    )
    namespace = NamespaceHelper(namespace_str="at")

    def definitions() -> list[str]:
        env = {
            "ns_prologue": namespace.prologue,
            "ns_epilogue": namespace.epilogue,
            "static_init_dispatch_registrations": registrations if eager_registration else "",
            "deferred_dispatch_registrations": "" if eager_registration else registrations,
            "dispatch_namespace": dispatch_key.lower(),
            "dispatch_namespaced_definitions": "",
            "dispatch_anonymous_definitions": code(Target.ANONYMOUS_DEFINITION),
        }
        return fm.substitute_with_template("RegisterDispatchDefinitions.ini", lambda: env).split("\n")

    fm.write_with_template(
        f"Register{dispatch_key}.cpp",
        "RegisterDispatchKey.cpp",
        lambda: {
            "extra_cuda_headers": "",
            "external_backend_headers": header.rstrip("\n"),
            "ops_headers": functions.rstrip("\n"),
            "DispatchKey": dispatch_key,
            "dispatch_namespace": dispatch_key.lower(),
            "dispatch_headers": dest.gen_registration_headers(index, per_operator_headers, rocm=False),
            "dispatch_helpers": dest.gen_registration_helpers(index),
            "dispatch_definitions": definitions(),
        },
    )


def run(source_yaml: _Path, output_dir: _Path, dry_run: bool, impl_path: _Path | None = None) -> None:
    """Runs the command ``backend-stubs``.

    Raises:
        SchemaError: the command failed.
    """
    with said_as("backend"), schema_errors():
        commands.backend_stubs(
            source_yaml=source_yaml,
            # An empty one is the current directory, as in the reference.
            output_dir=output_dir or ".",
            dry_run=dry_run,
            impl_path=impl_path,
            generated_by=script(),
        )


@contextmanager
def schema_errors() -> Iterator[None]:
    """Makes the errors of commands those of functions that have the reference's names."""
    try:
        yield
    except TorchgenError as error:
        raise SchemaError(error.status, error.diagnostics, str(error), error.output) from None


def script() -> str | None:
    """The name of the script that runs, which comments name as the generating program."""
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    return os.path.basename(path) if path else None

"""The C shims of operators for AOTInductor, and which functions they call, by the names of the
reference's ``torchgen.gen_aoti_c_shim``. ``generate`` writes those of PyTorch."""

from __future__ import annotations

import re

from . import _torchgen_rs
from .api.types import CppSignature, CppSignatureGroup, DispatcherSignature
from .model import (
    BackendIndex,
    DispatchKey,
    FunctionSchema,
    NativeFunction,
    NativeFunctionsGroup,
    OperatorName,
    Variant,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "gen_declaration_and_definition",
    "gen_static_dispatch_backend_call",
    "gen_static_dispatch_backend_call_signature",
    "get_backend_index_for_aoti",
    "get_fallback_op_name",
    "get_header_for_aoti",
]

_COMPOSITES = (
    DispatchKey.CompositeExplicitAutograd,
    DispatchKey.CompositeExplicitAutogradNonFunctional,
    DispatchKey.CompositeImplicitAutograd,
)


def gen_static_dispatch_backend_call_signature(f: NativeFunction) -> CppSignature:
    """The signature of an operator's C++ function that takes symbolic integers, if it has any."""
    group = CppSignatureGroup.from_native_function(f, method=False)
    symbolic = f.func.has_symint() and DispatcherSignature.from_schema(f.func).symint
    found = group.symint_signature if symbolic else group.signature
    if found is None:
        raise AssertionError(f"`{f.func.name}` has no function in C++ for symbolic integers")
    return found


def gen_static_dispatch_backend_call(f: NativeFunction, backend_index: BackendIndex | None = None) -> str:
    """The name of the C++ function for a backend, or of the one that calls the dispatcher."""
    name = gen_static_dispatch_backend_call_signature(f).name()
    if backend_index is not None:
        return f"at::{backend_index.dispatch_key.lower()}::{name}"
    if f.func.has_symint() and Variant.function not in f.variants:
        return f"at::symint::{name.removesuffix('_symint')}<c10::SymInt>"
    return f"at::{name}"


def get_backend_index_for_aoti(
    func: NativeFunction,
    func_group_mapping: dict[OperatorName, NativeFunctionsGroup],
    dispatch_key: DispatchKey | None,
    backend_indices: dict[DispatchKey, BackendIndex],
    extend_aoti_c_shim: bool,
) -> BackendIndex | None:
    """The kernels that an operator's shim for a key calls: the key's, or composite ones unless the shim is
    for a backend outside PyTorch. None without a key, and without such a kernel."""
    if dispatch_key is None:
        return None
    group = func_group_mapping.get(func.structured_delegate) if func.structured_delegate else None
    own = backend_indices[dispatch_key]
    if own.has_kernel(func) or (group is not None and own.has_kernel(group)):
        return own
    composites = () if extend_aoti_c_shim else _COMPOSITES
    return next((backend_indices[key] for key in composites if backend_indices[key].has_kernel(func)), None)


def get_header_for_aoti(
    func: NativeFunction,
    func_group_mapping: dict[OperatorName, NativeFunctionsGroup],
    dispatch_key: DispatchKey | None,
    backend_indices: dict[DispatchKey, BackendIndex],
    extend_aoti_c_shim: bool,
) -> str | None:
    """The line that includes the declaration of the function that a shim calls, if it calls one."""
    if dispatch_key is None:
        return f"#include <ATen/ops/{func.root_name}.h>"
    index = get_backend_index_for_aoti(func, func_group_mapping, dispatch_key, backend_indices, extend_aoti_c_shim)
    if index is None:
        return None
    return f"#include <ATen/ops/{func.root_name}_{index.dispatch_key.lower()}_dispatch.h>"


def get_fallback_op_name(func: NativeFunction) -> str:
    """The name of an operator in ``torch.ops``, as tables of fallbacks have it."""
    name = func.func.name
    return f"{func.namespace}.{name.name}.{name.overload_name or 'default'}"


_VERSION = re.compile(r"TORCH_VERSION_\d+_\d+_\d+")


def gen_declaration_and_definition(
    schema: FunctionSchema, device: str, backend_call: str, op_metadata: Mapping[str, object]
) -> tuple[str, str]:
    """The declarations and the definitions of a schema's shims for a device, which call a function.
    ``op_metadata`` is as in ``aoti.fallback_ops``: the release of the shim, and its later versions.

    Raises:
        NotImplementedError: C cannot express an argument or a return.
        AssertionError: ``op_metadata`` is not of this form.
    """
    later = []
    for key, version in op_metadata.items():
        if key == "since":
            continue
        form = version if isinstance(version, dict) else {"new_args": None}
        added = form.get("new_args", [])
        number = int(key[1:]) if key[:1] == "v" and key[1:].isdecimal() else 0
        if number < 2 or not isinstance(added, list):
            raise AssertionError(f"`{key}` of `{schema.name}` is not `v2` or later with a list of `new_args`")
        later.append((number, added, _since(form)))
    declarations, definitions = _torchgen_rs.shim_texts(schema, device, backend_call, _since(op_metadata), later)
    return declarations.rstrip("\n"), definitions


def _since(version: Mapping[str, object]) -> str | None:
    since = version.get("since")
    if since is not None and not (isinstance(since, str) and _VERSION.fullmatch(since)):
        raise AssertionError(f"`since` is {since!r}, and not of the form TORCH_VERSION_X_Y_Z")
    return since


_WRITTEN = "`torchgen_rs.commands.generate` writes the shims"
_ELSEWHERE = dict.fromkeys(
    ("gen_aoti_c_shim", "gen_aoti_c_shim_files", "gen_c_shim"), _WRITTEN
)


def __getattr__(name: str) -> object:
    from ._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

"""The variants of operators that are generated, by the names of the reference's
``torchgen.native_function_generation``."""

from __future__ import annotations

from . import _torchgen_rs
from ._patches import watch
from .model import BackendIndex, BackendMetadata, DispatchKey, FunctionSchema, NativeFunction, OperatorName, SchemaKind

__all__ = [
    "add_generated_native_functions",
    "functional_to_out_signature",
    "mutable_to_out_signature",
    "pre_group_native_functions",
    "self_to_out_signature",
]


def pre_group_native_functions(
    native_functions: list[NativeFunction],
) -> dict[FunctionSchema, dict[SchemaKind, NativeFunction]]:
    """Operators by what variants have in common, and by their kind.

    Raises:
        AssertionError: two operators are the same variant.
    """
    groups: dict[FunctionSchema, dict[SchemaKind, NativeFunction]] = {}
    for f in native_functions:
        group, kind = groups.setdefault(f.func.signature(), {}), f.func.kind()
        if kind in group:
            raise AssertionError(f"`{f.func.name}` and `{group[kind].func.name}` are the same variant")
        group[kind] = f
    return groups


def add_generated_native_functions(
    rs: list[NativeFunction], indices: dict[DispatchKey, dict[OperatorName, BackendMetadata]]
) -> None:
    """Adds the functional and out variants that operators lack, and their kernels.

    Raises:
        SchemaError: an operator can have no such variant, or its name is in use.
    """
    key, made = _torchgen_rs.generated_variants(rs)
    for f, kernel in made:
        indices.setdefault(key, {})
        BackendIndex.grow_index(indices, {key: {f.func.name: kernel}})
        rs.append(f)


def _out(func: FunctionSchema, kind: SchemaKind) -> FunctionSchema:
    if func.kind() is not kind:
        raise AssertionError(f"`{func.name}` is not {'an' if kind is SchemaKind.inplace else 'a'} {kind.name} variant")
    return _torchgen_rs.out_schema(func)


def self_to_out_signature(func: FunctionSchema) -> FunctionSchema:
    """The schema of an inplace variant's out variant.

    Raises:
        AssertionError: it is another variant.
        SchemaError: it can have no out variant.
    """
    return _out(func, SchemaKind.inplace)


def functional_to_out_signature(func: FunctionSchema) -> FunctionSchema:
    """The schema of a functional variant's out variant.

    Raises:
        AssertionError: it is another variant.
        SchemaError: it can have no out variant.
    """
    return _out(func, SchemaKind.functional)


def mutable_to_out_signature(func: FunctionSchema) -> FunctionSchema:
    """The schema of a mutable variant's out variant.

    Raises:
        AssertionError: it is another variant.
        SchemaError: it can have no out variant.
    """
    return _out(func, SchemaKind.mutable)


_ELSEWHERE = {
    "gen_composite_functional_kernel": "`torchgen_rs.generate` writes it",
    "gen_composite_out_kernel": "`torchgen_rs.generate` writes it",
    "generate_function": "`add_generated_native_functions` adds all variants that are generated",
    "generate_out_args_from_schema": "use `functional_to_out_signature` and its like",
}


def __getattr__(name: str) -> object:
    from ._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

watch(__name__)

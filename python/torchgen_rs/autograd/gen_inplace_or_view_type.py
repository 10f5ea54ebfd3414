"""What kernels of autograd have in common, and those that count versions and track views.

Functions that a script replaces in this module are the ones that the others call.
"""

from __future__ import annotations

from dataclasses import replace

from .. import _torchgen_rs
from .._patches import watch
from ..api import cpp
from ..api.autograd import NativeFunctionWithDifferentiabilityInfo
from ..api.types import Binding
from ..code_template import CodeTemplate
from ..context import native_function_manager
from ..model import NativeFunction, Type
from ..utils import FileManager

__all__ = [
    "METHOD_DEFINITION",
    "extract_bindings",
    "gen_formals",
    "gen_inplace_or_view_type",
    "gen_inplace_or_view_type_env",
    "inplace_or_view_method_definition",
    "inplace_or_view_method_registration",
    "is_tensor_list_type",
    "unpack_args",
    "unpacked_name",
    "use_derived",
]

METHOD_DEFINITION = CodeTemplate(
    _torchgen_rs.kernel_text("${return_type}", "${type_wrapper_name}", "${formals}", "${type_definition_body}")
)
"""A kernel, with places for its parts."""


def gen_formals(f: NativeFunction) -> str:
    """The parameters of an operator's kernel."""
    return _torchgen_rs.kernel_parts(f, "Default")[1]


def is_tensor_list_type(t: Type) -> bool:
    """Whether it is a list of tensors."""
    return t.is_tensor_like() and t.is_list_like() is not None


def unpacked_name(arg_name: str) -> str:
    """The name in a kernel of a tensor that is always there."""
    return f"{arg_name}_"


def extract_bindings(f: NativeFunction) -> list[Binding]:
    """The arguments of an operator in C++, each by itself."""
    as_they_are = {"method": False, "symint": True, "faithful": False, "has_tensor_options": False}
    return [
        binding
        for a in f.func.schema_order_arguments()
        for binding in cpp.argument(a, cpp_no_default_args=set(), **as_they_are)
    ]


def unpack_args(f: NativeFunction) -> tuple[list[str], list[Binding]]:
    """The statements that an operator's kernel begins with, and its arguments as it has them then.
    ``emit_body`` uses the statements of a function that a script puts in its place."""
    statements, names = _torchgen_rs.unpacking(f)
    with native_function_manager(f):
        return statements, [replace(one, name=name) for one, name in zip(extract_bindings(f), names)]


_UNPACK_ARGS = unpack_args


def use_derived(fn: NativeFunctionWithDifferentiabilityInfo) -> bool:
    """Whether an operator's kernel is generated."""
    return _torchgen_rs.is_derived(fn)


def inplace_or_view_method_definition(fn: NativeFunctionWithDifferentiabilityInfo) -> str | None:
    """The kernel that counts versions of arguments and tracks views; None if an operator needs none.

    Raises:
        SchemaError: the derivatives do not match the operator.
    """
    parts = _torchgen_rs.inplace_or_view_parts(fn)
    return parts and parts[1]


def inplace_or_view_method_registration(fn: NativeFunctionWithDifferentiabilityInfo) -> str | None:
    """The registration of this kernel; None if an operator needs none.

    Raises:
        SchemaError: the derivatives do not match the operator.
    """
    parts = _torchgen_rs.inplace_or_view_parts(fn)
    return parts and parts[2]


def gen_inplace_or_view_type_env(fn: NativeFunctionWithDifferentiabilityInfo) -> dict[str, list[str]]:
    """What an operator has in ADInplaceOrViewType.cpp, by the names of the file's template.

    Raises:
        SchemaError: the derivatives do not match the operator.
    """
    parts = _torchgen_rs.inplace_or_view_parts(fn)
    texts = {
        "ops_headers": parts and parts[0],
        "inplace_or_view_method_definitions": inplace_or_view_method_definition(fn),
        "inplace_or_view_wrapper_registrations": inplace_or_view_method_registration(fn),
    }
    return {name: [] if text is None else [text] for name, text in texts.items()}


def gen_inplace_or_view_type(
    out: str,
    native_yaml_path: str,
    tags_yaml_path: str,
    fns_with_infos: list[NativeFunctionWithDifferentiabilityInfo],
    template_path: str,
) -> None:
    """Writes the shards of ADInplaceOrViewType.cpp from the template of this name. Nothing is read
    from the two YAML files.

    Raises:
        SchemaError: the derivatives do not match an operator.
    """
    del native_yaml_path, tags_yaml_path
    manager = FileManager(install_dir=out, template_dir=template_path, dry_run=False)
    name = "ADInplaceOrViewType.cpp"
    manager.write_sharded(
        name,
        [fn for fn in fns_with_infos if use_derived(fn)],
        key_fn=lambda fn: fn.func.root_name,
        base_env={"generated_comment": f"@generated from {manager.template_dir_for_comments()}/{name}"},
        env_callable=gen_inplace_or_view_type_env,
        num_shards=2,
        sharded_keys={
            "ops_headers",
            "inplace_or_view_method_definitions",
            "inplace_or_view_wrapper_registrations",
        },
    )


_ELSEWHERE = {"emit_inplace_or_view_body": "use `inplace_or_view_method_definition`"}


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

watch(
    __name__,
    {
        "extract_bindings",
        "gen_inplace_or_view_type_env",
        "inplace_or_view_method_definition",
        "inplace_or_view_method_registration",
        "unpack_args",
        "use_derived",
    },
)

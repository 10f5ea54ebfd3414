"""Parts of kernels that turn mutations into pure operators, by the names of the reference's
``torchgen.gen_functionalization_type``. ``generate`` writes the kernels of PyTorch's operators."""

from __future__ import annotations

from . import _torchgen_rs
from ._patches import watch
from .api import cpp, dispatcher
from .api._toggles import toggles
from .api.types import Binding, DispatcherSignature
from .model import Argument, FunctionSchema, NativeFunction, Return, SelfArgument, TensorOptionsArguments

__all__ = [
    "convert_to_meta_tensors",
    "get_mutable_redispatch_return_names",
    "is_tensor_like",
    "maybe_create_output",
    "modifies_arguments",
    "return_from_mutable_noop_redispatch",
    "return_str",
    "unwrap_tensor_args",
    "wrapper_name",
]


def is_tensor_like(a: Argument | TensorOptionsArguments | SelfArgument) -> bool:
    """Whether an argument contains tensors."""
    return isinstance(a, SelfArgument) or (isinstance(a, Argument) and a.type.is_tensor_like())


def modifies_arguments(f: NativeFunction) -> bool:
    """Whether an operator mutates an argument."""
    return any(a.is_write for a in f.func.arguments.flat_all)


def wrapper_name(func: FunctionSchema) -> str:
    """The name of a schema's kernel."""
    return "_".join(filter(None, (cpp.name(func), func.name.overload_name)))


def _in_place_of_tensors(sig: DispatcherSignature, suffix: str) -> list[Binding]:
    return [a.with_name(a.name + suffix) if is_tensor_like(a.argument) else a for a in sig.arguments()]


def unwrap_tensor_args(sig: DispatcherSignature, *, is_view_op: bool) -> tuple[str, list[Binding]]:
    """The statements that take the tensors out of a kernel's parameters, and the parameters with those
    in their place. Unless the operator is a view, pending mutations of the tensors are applied first."""
    text = _torchgen_rs.tensor_statements("unwrap" if is_view_op else "sync", sig.func, sig.symint, toggles())
    return text.rstrip("\n") if text.strip() else "", _in_place_of_tensors(sig, "_")


def convert_to_meta_tensors(sig: DispatcherSignature) -> tuple[str, list[Binding]]:
    """The statements that make meta tensors of a kernel's parameters, and the parameters with those in
    their place."""
    text = _torchgen_rs.tensor_statements("meta", sig.func, sig.symint, toggles())
    return text.strip(), _in_place_of_tensors(sig, "_meta")


def return_str(rets: tuple[Return, ...], names: list[str]) -> str:
    """The statement that returns variables; nothing if there are none.

    Raises:
        AssertionError: there are more or fewer names than returns.
    """
    if len(rets) != len(names):
        raise AssertionError(f"there are {len(rets)} returns and {len(names)} names")
    if len(rets) < 2:
        return "".join(f"return {name};" for name in names)
    return f"return {dispatcher.returns_type(rets).cpp_type()}({', '.join(names)});"


def maybe_create_output(f: NativeFunction, var_name: str) -> str:
    """What precedes the call of an operator whose result is kept in a variable."""
    if not f.func.returns:
        return ""
    return f"{dispatcher.returns_type(f.func.returns).remove_const_ref().cpp_type()} {var_name} = "


def get_mutable_redispatch_return_names(f: NativeFunction, inner_return_var: str) -> tuple[list[str], list[str]]:
    """The returns of an operator that are arguments, and the parts of the result of its call that are
    the others."""
    names = f.func.aliased_return_names()
    parts = [inner_return_var] if len(names) == 1 else [f"std::get<{i}>({inner_return_var})" for i in range(len(names))]
    return [name for name in names if name is not None], [part for part, name in zip(parts, names) if name is None]


def return_from_mutable_noop_redispatch(f: NativeFunction, inner_return_var: str) -> str:
    """The statement that returns what an operator returns, after a call of it with the tensors that
    were taken out of its arguments."""
    arguments, others = get_mutable_redispatch_return_names(f, inner_return_var)
    return return_str(f.func.returns, arguments + others)


_WRITTEN = "`torchgen_rs.generate` writes the kernels, and for the bindings `generate_code`"
_ELSEWHERE = dict.fromkeys(
    (
        "GenCompositeViewCopyKernel",
        "emit_inplace_functionalization_body",
        "emit_view_functionalization_body",
        "gen_functionalization_definition",
        "gen_functionalization_registration",
        "gen_functionalization_view_inverse_declaration",
        "gen_functionalization_view_meta_classes",
        "gen_functionalization_view_meta_classes_decl",
        "gen_functionalization_view_meta_classes_impl",
    ),
    _WRITTEN,
)


def __getattr__(name: str) -> object:
    from ._missing import missing

    raise missing(__name__, name, _ELSEWHERE)


watch(__name__)

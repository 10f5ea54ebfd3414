"""What kernels of autograd have in common."""

from __future__ import annotations

from .. import _torchgen_rs
from ..api.autograd import NativeFunctionWithDifferentiabilityInfo
from ..code_template import CodeTemplate
from ..model import NativeFunction

__all__ = ["METHOD_DEFINITION", "gen_formals", "use_derived"]

METHOD_DEFINITION = CodeTemplate(
    _torchgen_rs.kernel_text("${return_type}", "${type_wrapper_name}", "${formals}", "${type_definition_body}")
)
"""A kernel, with places for its parts."""


def gen_formals(f: NativeFunction) -> str:
    """The parameters of an operator's kernel."""
    return _torchgen_rs.kernel_parts(f, "Default")[1]


def use_derived(fn: NativeFunctionWithDifferentiabilityInfo) -> bool:
    """Whether an operator's kernel is generated."""
    return _torchgen_rs.is_derived(fn)


_ELSEWHERE = {
    "emit_inplace_or_view_body": "`torchgen_rs.commands.autograd` writes it",
    "gen_inplace_or_view_type": "`torchgen_rs.commands.autograd` writes the files",
    "inplace_or_view_method_definition": "`torchgen_rs.commands.autograd` writes it",
}


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

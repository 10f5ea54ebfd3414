"""Calls of a backend without the dispatcher, and the selection of a build: functions of
``torchgen_rs.gen``."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from . import _torchgen_rs
from ._declarations import NO_KERNELS
from .api.translate import translate
from .api.types import Binding, CppSignature, DispatcherSignature, SpecialArgName
from .context import native_function_manager
from .gen_aoti_c_shim import gen_static_dispatch_backend_call_signature
from .model import DEFAULT_KERNEL_NAMESPACE, BackendIndex, NativeFunction
from .selective_build.selector import SelectiveBuilder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["RegisterSchema", "generate_static_dispatch_backend_call", "get_custom_build_selector", "translate_args"]

_WITH_TAGS = ", tags_0);\n"
_MEMORY_FORMAT = SpecialArgName.possibly_redundant_memory_format


def translate_args(sig: CppSignature | DispatcherSignature, cpp_sig: CppSignature) -> str:
    """The arguments of a function with one signature, passed to one with another."""
    goals = list(cpp_sig.arguments())
    facts: Sequence[Binding] = sig.arguments()
    # Options of tensors may have a memory format too: a goal that minds takes one that says so.
    if any(goal.nctype.name == _MEMORY_FORMAT for goal in goals):
        minding = [replace(fact, nctype=replace(fact.nctype, name=_MEMORY_FORMAT)) for fact in facts]
        facts = [one if fact.name == "memory_format" else fact for fact, one in zip(facts, minding)]
    return ", ".join(made.expr for made in translate(facts, goals))


def generate_static_dispatch_backend_call(
    sig: CppSignature | DispatcherSignature, f: NativeFunction, backend_index: BackendIndex
) -> str:
    """The statement that calls a backend's function of an operator, in a function with a signature."""
    called = gen_static_dispatch_backend_call_signature(f)
    kernel = backend_index.get_kernel(f)
    namespace = (kernel and kernel.cpp_namespace) or DEFAULT_KERNEL_NAMESPACE
    function = "::".join((namespace.replace("::native", ""), backend_index.dispatch_key.lower(), called.name()))
    return f"return {function}({translate_args(sig, called)});"


def get_custom_build_selector(
    provided_op_registration_allowlist: list[str] | None, op_selection_yaml_path: str | None
) -> SelectiveBuilder:
    """The selection of a build: the operators of a list, of a file, or all.

    Raises:
        AssertionError: there are a list and a file.
        SchemaError: the file cannot be read, or has errors.
    """
    if provided_op_registration_allowlist is None:
        if op_selection_yaml_path is None:
            return SelectiveBuilder.get_nop_selector()
        return SelectiveBuilder.from_yaml_path(op_selection_yaml_path)
    if op_selection_yaml_path is not None:
        raise AssertionError("a build has a list of operators or a file, not both")
    return SelectiveBuilder.from_legacy_op_registration_allow_list(set(provided_op_registration_allowlist), True, False)


@dataclass(frozen=True)
class RegisterSchema:
    """The registration of operators' schemas, one by one."""

    selector: SelectiveBuilder
    known_tags: dict[str, int] = field(default_factory=dict)
    """The lists of tags so far, and the numbers of their constants."""

    def __call__(self, f: NativeFunction) -> str | None:
        """The statement for an operator, after the constant of its tags if they are new. None if the build
        does not have it."""
        if not self.selector.is_native_function_selected(f):
            return None
        with native_function_manager(f):
            of_torch = replace(f, namespace="aten")
            (text,), _ = _torchgen_rs.schema_registrations([of_torch], [True], NO_KERNELS)
        constant, has_tags, statement = text.rpartition("\nm.def(")
        if not has_tags:
            return text
        tags = constant.partition(" = ")[2]
        is_known = tags in self.known_tags
        number = self.known_tags.setdefault(tags, len(self.known_tags))
        registered = f"m.def({statement.removesuffix(_WITH_TAGS)}, tags_{number});\n"
        return registered if is_known else f"{constant.replace('tags_0', f'tags_{number}', 1)}\n{registered}"

"""Derivatives: formulas, what they save, and the operators that use them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .. import _torchgen_rs
from .._patches import watch
from ..model import FunctionSchema, NativeFunction, NativeFunctionsViewGroup, Type
from .types.types_base import Binding, NamedCType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Derivative",
    "DifferentiabilityInfo",
    "DifferentiableInput",
    "DifferentiableOutput",
    "ForwardDerivative",
    "NativeFunctionWithDifferentiabilityInfo",
    "SavedAttribute",
    "dispatch_strategy",
    "gen_differentiable_outputs",
    "is_differentiable",
    "is_foreach_func",
    "match_differentiability_info",
    "uses_ident",
    "uses_retain_variables",
    "uses_single_grad",
]


@dataclass(frozen=True)
class SavedAttribute:
    """An input or an output that a node keeps, or a property of one."""

    nctype: NamedCType
    """Its name in formulas, and its type."""
    expr: str
    """The expression that makes it."""


@dataclass(frozen=True)
class Derivative:
    """A formula for the gradients of inputs."""

    formula: str
    """With the names of what is saved."""
    original_formula: str
    """As written."""
    var_names: tuple[str, ...]
    """The inputs."""
    saved_inputs: tuple[SavedAttribute, ...]
    saved_outputs: tuple[SavedAttribute, ...]
    named_gradients: set[str]
    """The gradients that it uses by name."""


@dataclass(frozen=True)
class ForwardDerivative:
    """A formula for the tangents of outputs."""

    formula: str
    var_names: tuple[str, ...]
    """The outputs."""
    var_types: tuple[Type, ...]
    """Their types."""
    required_inputs_fw_grad: tuple[str, ...] | None
    """The inputs whose tangents it needs."""
    required_inputs_primal: tuple[str, ...] | None
    """The inputs whose values it needs."""
    required_original_self_value: bool
    """Whether it needs ``self`` from before it was written."""
    is_reusing_outplace_formula: bool
    """Whether it was written for the functional variant."""


@dataclass(frozen=True)
class DifferentiabilityInfo:
    """The derivatives of an operator for a dispatch key."""

    name: str
    """The name in derivatives.yaml, without the overload."""
    func: NativeFunction
    op: str | None
    """The class of the node, if an input is differentiable."""
    derivatives: Sequence[Derivative]
    forward_derivatives: Sequence[ForwardDerivative]
    all_saved_inputs: Sequence[SavedAttribute]
    """What the formulas need of inputs, each once."""
    all_saved_outputs: Sequence[SavedAttribute]
    """What they need of outputs, each once."""
    available_named_gradients: Sequence[str]
    used_named_gradients: set[str]
    args_with_derivatives: Sequence[Binding]
    """The inputs that have gradients."""
    non_differentiable_arg_names: Sequence[str]
    """The inputs that are declared to have none."""
    output_differentiability: list[bool] | None
    """Whether each output is differentiable, if the entry says it."""
    output_differentiability_conditions: list[str] | None
    """The condition for it."""

    @property
    def has_derivatives(self) -> bool:
        """Whether an input has a gradient."""
        return bool(self.args_with_derivatives)

    def create_view_copy_from_view_derivative(self, g: NativeFunctionsViewGroup) -> DifferentiabilityInfo | None:
        """The same derivatives for the copy of a view, if there is one."""
        if g.view_copy is None:
            return None
        base, _, overload = self.name.partition(".")
        op = self.op and f"{self.op}_copy"
        return replace(self, name=f"{base}_copy.{overload}", func=g.view_copy, op=op)


@dataclass(frozen=True)
class DifferentiableInput:
    """An input that has a gradient."""

    name: str
    type: Type
    cpp_type: str


@dataclass(frozen=True)
class DifferentiableOutput:
    """An output that gradients flow from."""

    name: str
    type: Type
    cpp_type: str


@dataclass(frozen=True)
class NativeFunctionWithDifferentiabilityInfo:
    """An operator and its derivatives by key."""

    func: NativeFunction
    info: dict[str, DifferentiabilityInfo] | None
    fw_derivatives: dict[str, Sequence[ForwardDerivative]] | None
    """The formulas for tangents, adapted to the operator."""


def uses_ident(info: DifferentiabilityInfo | None, ident: str) -> bool:
    """Whether a formula for gradients uses a name."""
    return info is not None and any(_torchgen_rs.formula_has(d.formula, ident) for d in info.derivatives)


def uses_retain_variables(info: DifferentiabilityInfo | None) -> bool:
    """Whether a formula asks if the node is needed again."""
    return uses_ident(info, "retain_variables")


def uses_single_grad(info: DifferentiabilityInfo | None) -> bool:
    """Whether a formula uses the gradient of the first output as ``grad``."""
    return uses_ident(info, "grad")


def dispatch_strategy(fn: NativeFunctionWithDifferentiabilityInfo) -> str:
    """How the kernel is called: ``use_derived``, below autograd, or ``use_type``, since it is made of
    operators that are recorded themselves."""
    infos = fn.info.values() if fn.info else ()
    return "use_derived" if fn.func.is_abstract or any(info.has_derivatives for info in infos) else "use_type"


def is_foreach_func(f: NativeFunction) -> bool:
    """Whether it works on lists of tensors, one by one."""
    return f.root_name.startswith("_foreach_")


def is_differentiable(name: str, type: Type, info: DifferentiabilityInfo | None) -> bool:
    """Whether gradients can flow to or from something of that name and type."""
    return type.is_tensor_like() and (info is None or name not in info.non_differentiable_arg_names)


def gen_differentiable_outputs(
    fn: NativeFunctionWithDifferentiabilityInfo, key: str = "Default"
) -> list[DifferentiableOutput]:
    """The outputs that gradients flow from.

    Raises:
        KeyError: there are derivatives, but not for the key.
        SchemaError: ``output_differentiability:`` does not fit the operator.
    """
    infos = {key: fn.info[key]} if fn.info else None
    return [DifferentiableOutput(*output) for output in _torchgen_rs.differentiable_outputs(fn.func, infos, key)]


def match_differentiability_info(
    native_functions: list[NativeFunction],
    differentiability_infos: dict[FunctionSchema, dict[str, DifferentiabilityInfo]],
) -> list[NativeFunctionWithDifferentiabilityInfo]:
    """Finds the derivatives of operators: their own, those of another variant, or for ``_foreach_``
    operators those of the operator on single tensors. What is made for these is added to the
    dictionary.

    Raises:
        SchemaError: the derivatives of another variant cannot be used.
    """
    given = list(differentiability_infos.values())
    return [
        _matched(f, found, given, differentiability_infos)
        for f, found in zip(native_functions, _torchgen_rs.match_derivatives(native_functions, given), strict=True)
    ]


def _matched(
    f: NativeFunction,
    found: _torchgen_rs._Found | None,
    given: list[dict[str, DifferentiabilityInfo]],
    infos: dict[FunctionSchema, dict[str, DifferentiabilityInfo]],
) -> NativeFunctionWithDifferentiabilityInfo:
    if found is None:
        return NativeFunctionWithDifferentiabilityInfo(f, None, None)
    made, at = found["made"], found["at"]
    if made is not None:
        own = infos[f.func] = {"Default": made}
    else:
        own = given[at or 0]
        own = {"Default": own["Default"]} if found["default_only"] else own
    forward = {key: found["forward"].get(key, info.forward_derivatives) for key, info in own.items()}
    return NativeFunctionWithDifferentiabilityInfo(f, own, forward)


_ELSEWHERE = {
    "gen_foreach_derivativeinfo": "`match_differentiability_info` makes them",
    "is_reference_for_foreach": "`match_differentiability_info` finds it",
}


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, _ELSEWHERE)

watch(__name__)

"""Classes whose methods can be overridden to decide the code of lazy backends.

``gen_lazy_tensor.run_gen_lazy_tensor`` takes such classes. The methods here return what the program
generates for the operator, so they work only in a call from there.
"""

from __future__ import annotations

from abc import ABC
from contextvars import ContextVar
from dataclasses import dataclass, replace

from .. import _torchgen_rs
from .._patches import watch
from ..api.lazy import LazyIrProperties, LazyIrSchema, getValueT
from ..api.translate import translate
from ..api.types import DispatcherSignature, NativeSignature, kernel_signature
from ..context import native_function_manager
from ..hooks import OperatorCode
from ..model import BackendIndex, FunctionSchema, NativeFunction, NativeFunctionsGroup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..hooks import Hook

__all__ = [
    "GenLazyIR",
    "GenLazyNativeFuncDefinition",
    "GenLazyShapeInferenceDefinition",
    "GenTSLazyIR",
    "aten_symbol",
    "gen_fallback_code",
    "node_ctor_inputs",
]

_CODE: ContextVar[OperatorCode] = ContextVar("torchgen_rs.dest.lazy_ir")


def _part(name: str) -> str:
    try:
        text = getattr(_CODE.get(), name)
    except LookupError:
        raise RuntimeError("only `run_gen_lazy_tensor` can call this") from None
    return str(text or "")


def aten_symbol(schema: LazyIrSchema) -> str:
    """The symbol of an operator."""
    return _torchgen_rs.node_symbol(schema.aten_name)


def gen_fallback_code(schema: LazyIrSchema, sig: DispatcherSignature | NativeSignature, overload_name: str) -> str:
    """The statements of a kernel that call the eager one, if the user of the program asks for it. A
    function that a script puts in its place decides them.

    Raises:
        UnsatError: they cannot be called with the arguments of the kernel.
    """
    exprs = translate(sig.arguments(), DispatcherSignature.from_schema(schema.func).arguments())
    made = _torchgen_rs.eager_fallback(schema.aten_name, overload_name, [e.expr for e in exprs])
    return f"{made.rstrip()}\n"


_GEN_FALLBACK_CODE = gen_fallback_code


def node_ctor_inputs(schema: LazyIrSchema) -> str:
    """What the constructor of a node takes, made of the arguments of its kernel.

    Raises:
        SchemaError: nodes have no such arguments.
    """
    return _torchgen_rs.node_inputs(schema.func, str(getValueT()), schema.symint)


@dataclass(frozen=True)
class GenLazyIR(ABC):
    """The classes of nodes."""

    backend_index: BackendIndex
    backend_name: str
    node_base: str
    use_lazy_shape: bool

    def __call__(self, f: NativeFunctionsGroup | NativeFunction) -> list[str]:
        """The class for an operator."""
        one = f.functional if isinstance(f, NativeFunctionsGroup) else f
        kernel = self.backend_index.get_kernel(one)
        return self.gen(LazyIrSchema(one.func, symint=kernel is not None and kernel.supports_symint()))

    def lowering_function(self, schema: LazyIrSchema) -> str:
        """The member function ``Lower``."""
        return _part("lowering")

    def create_function(self, schema: LazyIrSchema, node_ctor_args: str) -> str:
        """The member function ``Create``."""
        return _part("create")

    def can_be_reused_function(self, schema: LazyIrSchema, node_ctor_args: str) -> str:
        """The member function ``CanBeReused``."""
        return _part("can_be_reused")

    def node_base_ctor_call(self, schema: LazyIrSchema) -> str:
        """The call of the constructor of the base class."""
        return _part("base")

    def gen(self, schema: LazyIrSchema) -> list[str]:
        """The class for a schema."""
        return [_part("node")]


@dataclass(frozen=True)
class GenTSLazyIR(GenLazyIR):
    """The classes of nodes that lower to TorchScript."""


@dataclass(frozen=True)
class GenLazyNativeFuncDefinition:
    """The kernels. The methods ``shape_inference`` and ``build_ir_node``, and the call itself, can be
    overridden."""

    class_method_name: str
    backend_index: BackendIndex
    tensor_class: str
    gen_forced_fallback_code: bool
    backend_namespace: str
    get_tensorlist: str
    get_tensor_or_wrap_number: str
    try_get_tensor: str
    metrics_counter: str
    create_tensor: str
    create_from_first_tensor: bool
    create_aten_from_ltc_tensor: str
    tuple_aten_from_ltc_tensors: str
    lazy_tensor_ptr: str
    get_device_fn: str

    def shape_inference(self, func: NativeFunction, schema: LazyIrSchema) -> str:
        """The statements that compute the shapes of a node."""
        return _part("shapes")

    def build_ir_node(self, func: NativeFunction, schema: LazyIrSchema) -> str:
        """The statements that make a node, or reuse one."""
        return _part("make_node")

    def __call__(self, func: NativeFunction) -> list[str]:
        """The kernel of an operator."""
        return [_part("definition")]


@dataclass(frozen=True)
class GenLazyShapeInferenceDefinition:
    """The declarations of functions that compute shapes."""

    backend_index: BackendIndex
    tensor_class: str

    def __call__(self, f: NativeFunction) -> list[str]:
        """That of an operator; none if PyTorch computes them.

        Raises:
            AssertionError: the backend has no kernel for it.
        """
        kernel = self.backend_index.get_kernel(f)
        if kernel is None:
            raise AssertionError(f"there is no kernel for `{f.func.name}`")
        declaration = _torchgen_rs.shape_function(f, kernel.kernel)
        return [] if declaration is None else [f"{declaration};"]


_NODE = {
    "lowering_function": "lowering",
    "create_function": "create",
    "can_be_reused_function": "can_be_reused",
    "node_base_ctor_call": "base",
    "gen": "node",
}
_KERNEL = {"build_ir_node": "make_node", "shape_inference": "shapes", "__call__": "definition"}
_FIXED = (
    "lazy_tensor_decls",
    "force_eager_fallback",
    "metrics",
    "get_device",
    "create_lazy_tensor",
    "return_aten_tensor",
)


def overridden(cls: type, base: type, names: dict[str, str]) -> list[str]:
    """The methods that a class overrides."""
    return [name for name in names if getattr(cls, name) is not getattr(base, name)]


def hook_of(nodes: GenLazyIR, kernels: GenLazyNativeFuncDefinition) -> Hook | None:
    """A hook that calls what classes override; None if they override nothing.

    Raises:
        TypeError: a class overrides what cannot be decided.
    """
    fixed = [name for name in _FIXED if hasattr(kernels, name)]
    if fixed:
        raise TypeError(f"`{fixed[0]}` of {type(kernels).__name__} is not called: override `__call__`")
    base = GenTSLazyIR if isinstance(nodes, GenTSLazyIR) else GenLazyIR
    of_nodes = overridden(type(nodes), base, _NODE)
    of_kernels = overridden(type(kernels), GenLazyNativeFuncDefinition, _KERNEL)
    own_fallback = kernels.gen_forced_fallback_code and gen_fallback_code is not _GEN_FALLBACK_CODE
    if not of_nodes and not of_kernels and not own_fallback:
        return None

    def hook(operator: NativeFunction | FunctionSchema, code: OperatorCode) -> OperatorCode:
        changes: dict[str, Any] = {}
        before = _CODE.set(code)
        try:
            if isinstance(operator, FunctionSchema):
                properties = LazyIrProperties("ShapeCache", "CanBeReused", "LowerDeclOnly", *code.properties)
                schema = LazyIrSchema(operator, properties, symint=True)
                changes = _of_node(nodes, of_nodes, schema)
            else:
                with native_function_manager(operator):
                    schema = LazyIrSchema(operator.func, symint="_symint" in (code.kernel or ""))
                    if code.node is not None:
                        changes = _of_node(nodes, of_nodes, schema)
                    if code.definition is not None:
                        changes |= _of_kernel(kernels, of_kernels, operator, schema)
                    if own_fallback and code.fallback is not None:
                        sig = kernel_signature(operator, kernels.backend_index)
                        changes["fallback"] = gen_fallback_code(schema, sig, operator.func.name.overload_name)
        finally:
            _CODE.reset(before)
        return replace(code, **changes)

    return hook


def _of_node(nodes: GenLazyIR, names: list[str], schema: LazyIrSchema) -> dict[str, str]:
    parameters = ", ".join(f"const {a.lazy_type.cpp_type()}& {a.name}" for a in schema.filtered_args())
    changes = {}
    for name in names:
        method = getattr(nodes, name)
        made = method(schema, parameters) if name.endswith(("create_function", "reused_function")) else method(schema)
        changes[_NODE[name]] = "".join(made) if name == "gen" else made
    return changes


def _of_kernel(
    kernels: GenLazyNativeFuncDefinition, names: list[str], f: NativeFunction, schema: LazyIrSchema
) -> dict[str, str]:
    changes = {}
    for name in names:
        made = getattr(kernels, name)(f) if name == "__call__" else getattr(kernels, name)(f, schema)
        changes[_KERNEL[name]] = "".join(made)
    return changes


watch(__name__, {"gen_fallback_code"})

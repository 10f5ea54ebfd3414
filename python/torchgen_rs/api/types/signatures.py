"""The signatures of an operator's C++ functions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...model import (
    BackendIndex,
    FunctionSchema,
    NativeFunction,
    NativeFunctionsGroup,
    NativeFunctionsViewGroup,
)
from .. import cpp, dispatcher, functionalization, native, structured, translate
from .types_base import Binding, CType, Expr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "CppSignature",
    "CppSignatureGroup",
    "DispatcherSignature",
    "NativeSignature",
    "StructuredImplSignature",
    "ViewInverseSignature",
    "kernel_signature",
]

_KEY_SET = "c10::DispatchKeySet dispatchKeySet"


def _declared(returns: CType, name: str, parameters: list[str], redispatches: bool = False) -> str:
    """``returns name(parameters)``; a function that redispatches takes the keys first."""
    return f"{returns.cpp_type()} {name}({', '.join([_KEY_SET, *parameters] if redispatches else parameters)})"


def _types(bindings: Sequence[Binding]) -> str:
    return ", ".join(binding.type for binding in bindings)


@dataclass(frozen=True)
class CppSignature:
    """A function or method of the public C++ API."""

    func: FunctionSchema
    method: bool
    faithful: bool
    """Whether it follows the schema: no gathered options, out arguments last."""
    symint: bool
    """Whether it keeps symbolic integers."""
    cpp_no_default_args: set[str]
    fallback_binding: bool = False
    """Whether it is the fallback of a binding that is written by hand."""

    def arguments(self) -> Sequence[Binding]:
        """Its parameters."""
        return cpp.parameters(self.func, self.faithful, self.symint, self.method, self.cpp_no_default_args)

    def _returns_type(self) -> CType:
        return cpp.returns_type(self.func.returns, symint=self.symint)

    def name(self, *, suppress_symint_suffix: bool = False) -> str:
        """Its name."""
        symint = self.symint and not suppress_symint_suffix
        name = cpp.name(self.func, faithful_name_for_out_overloads=self.faithful, symint_overload=symint)
        return f"__dispatch_{name}" if self.fallback_binding else name

    def decl(
        self,
        *,
        name: str | None = None,
        prefix: str = "",
        is_redispatching_fn: bool = False,
        suppress_symint_suffix: bool = False,
    ) -> str:
        """The declaration."""
        if name is None:
            name = prefix + self.name(suppress_symint_suffix=suppress_symint_suffix)
        return _declared(self._returns_type(), name, [a.decl() for a in self.arguments()], is_redispatching_fn)

    def defn(self, *, name: str | None = None, prefix: str = "", is_redispatching_fn: bool = False) -> str:
        """The head of the definition."""
        if name is None:
            name = prefix + self.name()
        return _declared(self._returns_type(), name, [a.defn() for a in self.arguments()], is_redispatching_fn)

    def ptr_type(self) -> str:
        """The type of a pointer to it."""
        return f"{self._returns_type().cpp_type()} (*)({_types(self.arguments())})"

    def type(self) -> str:
        """The type of the function."""
        return f"{self._returns_type().cpp_type()} ({_types(self.arguments())})"


@dataclass(frozen=True)
class CppSignatureGroup:
    """All functions, or methods, of an operator in the public C++ API."""

    func: FunctionSchema
    signature: CppSignature
    faithful_signature: CppSignature | None
    symint_signature: CppSignature | None
    symint_faithful_signature: CppSignature | None

    def most_faithful_signature(self) -> CppSignature:
        """The one that follows the schema most."""
        return self.faithful_signature or self.signature

    def signatures(self, *, symint: bool = True) -> Iterator[CppSignature]:
        """All of them, those with symbolic integers last."""
        some = [self.signature, self.faithful_signature]
        some += [self.symint_signature, self.symint_faithful_signature] if symint else []
        return (signature for signature in some if signature is not None)

    @staticmethod
    def from_native_function(
        f: NativeFunction, *, method: bool, fallback_binding: bool = False
    ) -> CppSignatureGroup:
        """Those of an operator."""
        arguments = f.func.arguments
        plain = CppSignature(f.func, method, False, False, f.cpp_no_default_args, fallback_binding)
        differs = arguments.tensor_options is not None or bool(arguments.out)
        faithful = replace(plain, faithful=True) if differs else None
        symint = f.func.has_symint()
        return CppSignatureGroup(
            func=f.func,
            signature=plain,
            faithful_signature=faithful,
            symint_signature=replace(plain, symint=True) if symint else None,
            symint_faithful_signature=replace(faithful, symint=True) if symint and faithful else None,
        )


@dataclass(frozen=True)
class DispatcherSignature:
    """A function that the dispatcher calls: one parameter for each argument of the schema."""

    func: FunctionSchema
    prefix: str = ""
    """What precedes the name."""
    symint: bool = True

    @staticmethod
    def from_schema(func: FunctionSchema, *, prefix: str = "", symint: bool = True) -> DispatcherSignature:
        """That of a schema."""
        return DispatcherSignature(func, prefix, symint)

    def arguments(self) -> list[Binding]:
        """Its parameters."""
        return dispatcher.arguments(self.func, symint=self.symint)

    def name(self) -> str:
        """Its name."""
        return self.prefix + dispatcher.name(self.func)

    def returns_type(self) -> CType:
        """What it returns."""
        return dispatcher.returns_type(self.func.returns, symint=self.symint)

    def exprs(self) -> list[Expr]:
        """Its parameters as expressions."""
        return [Expr(a.name, a.nctype) for a in self.arguments()]

    def decl(self, name: str | None = None) -> str:
        """The declaration."""
        name = self.name() if name is None else name
        return _declared(self.returns_type(), name, [a.decl() for a in self.arguments()])

    def defn(self, name: str | None = None, *, is_redispatching_fn: bool = False) -> str:
        """The head of the definition."""
        name = self.name() if name is None else name
        return _declared(self.returns_type(), name, [a.defn() for a in self.arguments()], is_redispatching_fn)

    def ptr_type(self) -> str:
        """The type of a pointer to it."""
        return f"{self.returns_type().cpp_type()} (*)({_types(self.arguments())})"

    def type(self) -> str:
        """The type of the function."""
        return f"{self.returns_type().cpp_type()} ({_types(self.arguments())})"


@dataclass(frozen=True)
class NativeSignature:
    """A kernel in PyTorch's sources."""

    func: FunctionSchema
    symint: bool
    prefix: str = ""
    """What precedes the name."""

    def arguments(self) -> list[Binding]:
        """Its parameters."""
        return native.arguments(self.func, symint=self.symint)

    def name(self) -> str:
        """Its name."""
        return self.prefix + native.name(self.func)

    def returns_type(self) -> CType:
        """What it returns."""
        return native.returns_type(self.func.returns, symint=self.symint)

    def decl(self, name: str | None = None) -> str:
        """The declaration."""
        name = self.name() if name is None else name
        return _declared(self.returns_type(), name, [a.decl() for a in self.arguments()])

    def defn(self, name: str | None = None) -> str:
        """The head of the definition."""
        name = self.name() if name is None else name
        return _declared(self.returns_type(), name, [a.defn() for a in self.arguments()])

    def ptr_type(self) -> str:
        """The type of a pointer to it."""
        return f"{self.returns_type().cpp_type()} (*)({', '.join(a.defn() for a in self.arguments())})"

    def dispatcher_exprs(self) -> list[Expr]:
        """The dispatcher's arguments, made of its parameters."""
        return translate.translate(self.arguments(), dispatcher.arguments(self.func), method=False)


@dataclass(frozen=True)
class ViewInverseSignature:
    """The function that propagates a mutation of a view to its base."""

    g: NativeFunctionsViewGroup

    def name(self) -> str:
        """Its name."""
        return functionalization.reverse_name(self.g.view, include_namespace=False)

    def decl(self) -> str:
        """The declaration in its class."""
        func = self.g.view.func
        parameters = [a.decl() for a in functionalization.op_arguments(func, is_reverse=True)]
        return f"static {_declared(functionalization.returns_type(func), self.name(), parameters)};"


@dataclass(frozen=True)
class StructuredImplSignature:
    """The kernel of a structured group."""

    g: NativeFunctionsGroup
    name: str

    def arguments(self) -> list[Binding]:
        """Its parameters."""
        return structured.impl_arguments(self.g)

    def defn(self, name: str | None = None) -> str:
        """The head of the definition."""
        return f"TORCH_IMPL_FUNC({self.name})({', '.join(a.defn() for a in self.arguments())})"


def kernel_signature(
    f: NativeFunction, backend_index: BackendIndex, *, prefix: str = ""
) -> NativeSignature | DispatcherSignature:
    """The signature of a backend's kernel.

    Raises:
        AssertionError: the kernel takes symbolic integers, and the schema has none.
    """
    kernel = backend_index.get_kernel(f)
    symint = kernel is not None and kernel.supports_symint()
    if symint and not f.func.has_symint():
        raise AssertionError(f"`{f.func.name}` has no symbolic integers, but its {backend_index.dispatch_key} kernel")
    if backend_index.external:
        return DispatcherSignature.from_schema(f.func, prefix=prefix, symint=symint)
    return NativeSignature(f.func, symint, prefix)

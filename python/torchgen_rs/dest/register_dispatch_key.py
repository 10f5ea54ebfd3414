"""The code of operators for a dispatch key: wrappers around kernels, and what registers and calls
them.

Methods can be overridden, or replaced in the class; the others then use what they return. Texts have
no empty lines but those of such methods.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from .. import _torchgen_rs
from .._patches import is_replaced, refuse, refuse_text
from ..api import native
from ..api.types import DispatcherSignature, NativeSignature
from ..context import native_function_manager
from ..model import (
    Argument,
    BackendIndex,
    DeviceCheckType,
    DispatchKey,
    NativeFunction,
    NativeFunctionsGroup,
    SchemaKind,
)
from ..selective_build.selector import SelectiveBuilder
from ..utils import Target

__all__ = [
    "RegisterDispatchKey",
    "StructuredRegisterDispatchKey",
    "gen_check_inplace_helper",
    "gen_create_out_helper",
    "gen_empty_impl_names",
    "gen_maybe_create_proxy_helper",
    "gen_registration_headers",
    "gen_registration_helpers",
    "gen_resize_out_helper",
]


def gen_registration_headers(
    backend_index: BackendIndex, per_operator_headers: bool, rocm: bool, has_native_aot: bool = False
) -> list[str]:
    """The includes of a key's source, for making outputs."""
    return _torchgen_rs.registration_headers(backend_index, per_operator_headers, rocm, has_native_aot)


def gen_empty_impl_names(backend_index: BackendIndex) -> tuple[str | None, str | None]:
    """The functions that make a tensor, without strides and with them, if they are known."""
    return _torchgen_rs.empty_names(backend_index) or (None, None)


def _helper(which: str, backend_index: BackendIndex) -> list[str]:
    empty, empty_strided = gen_empty_impl_names(backend_index)
    names = None if empty is None or empty_strided is None else (empty, empty_strided)
    text = _torchgen_rs.registration_helper(which, backend_index, names)
    return [] if text is None else [text]


def gen_create_out_helper(backend_index: BackendIndex) -> list[str]:
    """The function that makes an output."""
    return _helper("create_out", backend_index)


def gen_maybe_create_proxy_helper(backend_index: BackendIndex) -> list[str]:
    """The function that makes an output with other strides."""
    return _helper("maybe_create_proxy", backend_index)


def gen_resize_out_helper(backend_index: BackendIndex) -> list[str]:
    """The function that resizes an output."""
    return _helper("resize_out", backend_index)


def gen_check_inplace_helper(backend_index: BackendIndex) -> list[str]:
    """The function that checks an output that is an input too."""
    return _helper("check_inplace", backend_index)


def gen_registration_helpers(backend_index: BackendIndex) -> list[str]:
    """The functions that structured wrappers of a key call."""
    return [
        *(line.rstrip("\n") for line in _helper("begin", backend_index)),
        *gen_create_out_helper(backend_index),
        *gen_resize_out_helper(backend_index),
        *gen_check_inplace_helper(backend_index),
        *gen_maybe_create_proxy_helper(backend_index),
        *(line.rstrip("\n") for line in _helper("end", backend_index)),
    ]


@dataclass(frozen=True)
class RegisterDispatchKey:
    """The code of operators for a key, called with an operator or a group."""

    backend_index: BackendIndex
    target: Target
    """What it makes: wrappers (``ANONYMOUS_DEFINITION``), their registrations (``REGISTRATION``), or
    the functions that call them without the dispatcher and the declarations of these
    (``NAMESPACED_DEFINITION``, ``NAMESPACED_DECLARATION``)."""
    selector: SelectiveBuilder
    """The operators that are registered."""
    rocm: bool
    symint: bool
    """Whether wrappers and functions take symbolic integers."""
    class_method_name: str | None
    """The class that kernels are members of."""
    skip_dispatcher_op_registration: bool
    native_aot_manifests: dict[str, object] = field(default_factory=dict, kw_only=True)
    """Kernels that are compiled ahead of time. Only ``generate`` can use them."""

    def __post_init__(self) -> None:
        if self.native_aot_manifests:
            raise ValueError("kernels that are compiled ahead of time need the command `generate`")

    @staticmethod
    def gen_device_check(type: DeviceCheckType, args: list[Argument], method_name: str) -> str:
        """The statements that check that arguments are on one device."""
        checks = type is not DeviceCheckType.NoCheck
        return _torchgen_rs.device_check(_NO_KERNELS, checks, args, method_name)

    def __call__(self, f: NativeFunctionsGroup | NativeFunction) -> list[str]:
        """The texts for the operators that have a wrapper.

        Raises:
            SchemaError: an operator has no such code.
        """
        with native_function_manager(f):
            if not isinstance(f, NativeFunctionsGroup):
                made = [self.gen_unstructured(f)]
            elif f.structured:
                return self.gen_structured(f)
            else:
                made = [self.gen_unstructured(one, f) for one in f.functions()]
        return [text for text in made if text is not None]

    def wrapper_kernel_sig(self, f: NativeFunction) -> NativeSignature | DispatcherSignature:
        """The signature of an operator's wrapper."""
        prefix = f"wrapper_{self.backend_index.dispatch_key}_{f.func.name.overload_name}_"
        return DispatcherSignature.from_schema(f.func, prefix=prefix, symint=self.symint)

    def _is_plain(self) -> bool:
        kind = type(self)
        own = kind.wrapper_kernel_sig, kind.gen_out_inplace_wrapper, kind.gen_device_check
        key = self.backend_index.dispatch_key
        return own == _PLAIN and str(key) == key.name and not is_replaced(_ARGUMENTS)

    def _signed(self, f: NativeFunction) -> _torchgen_rs._Signed:
        signature = self.wrapper_kernel_sig(f)
        parameters = [(a.name, a.nctype) for a in signature.arguments()]
        return str(f.func.name), signature.name(), signature.returns_type(), parameters

    def _device_check(self, f: NativeFunction, wrapper: str) -> str | None:
        check = type(self).gen_device_check
        if check is _PLAIN[2] or not self.backend_index.device_guard:
            return None
        arguments = f.func.arguments
        return check(f.device_check, [*arguments.out, *arguments.flat_positional], wrapper)

    def _leaves_out(self, f: NativeFunction) -> bool:
        return self.target is Target.REGISTRATION and not self.selector.is_native_function_selected(f)

    def gen_out_inplace_wrapper(self, f: NativeFunction, g: NativeFunctionsGroup | None) -> str | None:
        """A wrapper around that of the functional variant; None without a group.

        Raises:
            AssertionError: the operator is the functional variant.
        """
        if g is None:
            return None
        if f.func.kind() not in (SchemaKind.inplace, SchemaKind.out):
            raise AssertionError(f"`{f.func.name}` is neither an inplace nor an out variant")
        return self._unstructured(f, g, Target.ANONYMOUS_DEFINITION, g.functional)

    def gen_structured(self, g: NativeFunctionsGroup) -> list[str]:
        """The texts for the members of a structured group.

        Raises:
            SchemaError: the group has a kernel where one is generated, or no such code.
        """
        if _torchgen_rs.runs_meta_function(g, self.backend_index):
            parts = {part.name: getattr(self, part.name) for part in fields(RegisterDispatchKey)}
            structured = StructuredRegisterDispatchKey(g=g, **parts)
            made = [structured.gen_one(f) for f in g.functions()]
        else:
            made = [self.gen_unstructured(f, g) for f in g.functions()]
        return [text for text in made if text is not None]

    def gen_unstructured(self, f: NativeFunction, g: NativeFunctionsGroup | None = None) -> str | None:
        """The text for an operator that needs no meta function; None if it has no wrapper.

        Raises:
            SchemaError: the operator has no such code.
        """
        if self._leaves_out(f) or (self.target is Target.REGISTRATION and self.skip_dispatcher_op_registration):
            return None
        if self.target is Target.ANONYMOUS_DEFINITION and not self._is_plain():
            if _torchgen_rs.wrapper_made_from(f, g, self.backend_index) == "functional":
                with native_function_manager(f):
                    return self.gen_out_inplace_wrapper(f, g)
        return self._unstructured(f, g, self.target)

    def _unstructured(
        self,
        f: NativeFunction,
        g: NativeFunctionsGroup | None,
        target: Target,
        functional: NativeFunction | None = None,
    ) -> str | None:
        with native_function_manager(f):
            signed: list[_torchgen_rs._Signed] = []
            check: str | None = None
            if not self._is_plain():
                made_from = _torchgen_rs.wrapper_made_from(f, g, self.backend_index)
                if made_from is None:
                    return None
                signed = [self._signed(one) for one in (f, functional) if one is not None]
                if made_from == "kernel" and target is Target.ANONYMOUS_DEFINITION:
                    check = self._device_check(f, signed[0][1])
            return _torchgen_rs.unstructured_code(
                target.name, f, g, self.backend_index, self.class_method_name, self.symint, (signed, check)
            )


@dataclass(frozen=True)
class StructuredRegisterDispatchKey(RegisterDispatchKey):
    """The code of the members of a structured group."""

    g: NativeFunctionsGroup

    def gen_class_set_output_functions(self, k: SchemaKind, parent_class: str, generate_super: bool) -> str:
        """The functions that set outputs, in the class of a variant's wrapper."""
        bodies = self.gen_class_set_output_body(k, True), self.gen_class_set_output_body(k, False)
        return _torchgen_rs.set_output_functions(
            self.g, k.name, self.backend_index, parent_class, generate_super, bodies
        )

    def gen_class_set_output_body(self, k: SchemaKind, maybe_create_proxy: bool) -> str:
        """The statements in them.

        Raises:
            SchemaError: it is unknown how outputs are made for the key.
        """
        return _torchgen_rs.set_output_body(self.g, k.name, self.backend_index, maybe_create_proxy)

    def gen_class_ctor(self, k: SchemaKind, class_name: str, returns: int) -> str:
        """The constructor of the class; empty for a functional variant."""
        return _torchgen_rs.class_constructor(self.g, k.name, self.backend_index, class_name, returns)

    def gen_class(
        self, f: NativeFunction, k: SchemaKind, *, class_name: str, parent_class: str, generate_super: bool
    ) -> str:
        """The class of a variant's wrapper."""
        members = (
            self.gen_class_ctor(k, class_name, len(f.func.returns)),
            self.gen_class_set_output_functions(k, parent_class, generate_super),
        )
        return _torchgen_rs.wrapper_class(self.g, k.name, self.backend_index, (class_name, parent_class), members)

    def gen_one(self, f: NativeFunction) -> str | None:
        """The text for a member; None if it has no wrapper.

        Raises:
            AssertionError: its kernels are registered by hand.
            SchemaError: it has no such code.
        """
        if f.manual_kernel_registration:
            raise AssertionError(f"the kernels of `{f.func.name}` are registered by hand")
        if self._leaves_out(f):
            return None
        with native_function_manager(f):
            return self._code(f)

    def _code(self, f: NativeFunction) -> str | None:
        index, kind = self.backend_index, f.func.kind()
        refuse(_ARGUMENTS)
        refuse_text(index.dispatch_key)
        if self.target is not Target.ANONYMOUS_DEFINITION:
            return _torchgen_rs.structured_code(self.target.name, f, self.g, index, self.symint)
        if _torchgen_rs.is_for_backends(f, index):
            return None
        class_name, parent_class, inherits = _torchgen_rs.class_names(self.g, kind.name, index)
        made = self.gen_class(
            f, kind, class_name=class_name, parent_class=parent_class, generate_super=inherits
        )
        check = self._device_check(f, f"wrapper_{index.dispatch_key}_{native.name(f.func)}")
        return _torchgen_rs.structured_wrapper(self.g, kind.name, index, made, check)


_ARGUMENTS = "torchgen_rs.api.dispatcher.arguments"
_PLAIN = (
    RegisterDispatchKey.wrapper_kernel_sig,
    RegisterDispatchKey.gen_out_inplace_wrapper,
    RegisterDispatchKey.gen_device_check,
)
"""The methods whose parts the program makes."""


_NO_KERNELS = BackendIndex(DispatchKey.Undefined, use_out_as_primary=True, device_guard=False, external=False, index={})

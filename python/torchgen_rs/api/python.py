"""Signatures of functions and methods in Python, for ``PythonArgParser`` and for stubs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .. import _torchgen_rs
from .._patches import watch
from ..model import (
    Argument,
    FunctionSchema,
    ListType,
    NativeFunction,
    Return,
    Type,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "DispatchLambdaArgument",
    "DispatchLambdaArgumentExprs",
    "PythonArgParserOutputExpr",
    "PythonArgument",
    "PythonOutArgument",
    "PythonReturns",
    "PythonSignature",
    "PythonSignatureDeprecated",
    "PythonSignatureGroup",
    "PythonSignatureNativeFunctionPair",
    "arg_parser_output_expr",
    "arg_parser_output_exprs",
    "arg_parser_unpack_method",
    "argument",
    "argument_type_size",
    "argument_type_str",
    "argument_type_str_pyi",
    "cpp_dispatch_exprs",
    "cpp_dispatch_target",
    "dispatch_lambda_args",
    "dispatch_lambda_exprs",
    "dispatch_lambda_return_str",
    "format_function_signature",
    "has_tensor_options",
    "return_type_str_pyi",
    "returns_str_pyi",
    "returns_structseq_pyi",
    "signature",
    "signature_from_schema",
    "structseq_fieldnames",
]


def format_function_signature(
    name: str, arguments: Iterable[str] = (), return_type: str | None = None
) -> str:
    """A function in a stub, on one line if it fits."""
    return _torchgen_rs.stub_function(name, list(arguments), return_type)


@dataclass(frozen=True)
class PythonReturns:
    """The returns of a function, which only stubs show."""

    returns: tuple[Return, ...]


@dataclass(frozen=True)
class PythonArgument:
    """An argument in Python."""

    name: str
    type: Type
    default: str | None
    """Its default in the parser."""
    default_init: str | None
    """The C++ expression for an omitted one, if a constant is not enough."""

    def argument_str(self, *, method: bool = False, symint: bool = True) -> str:
        """``type name=default`` in a signature of the parser."""
        return _torchgen_rs.parser_argument(self.name, self.type, self.default, method, symint)

    def argument_str_pyi(self, *, method: bool = False, deprecated: bool = False) -> str:
        """``name: type = default`` in a stub."""
        form = (method, deprecated, isinstance(self, PythonOutArgument))
        return _torchgen_rs.stub_argument(self.name, self.type, self.default, form)


@dataclass(frozen=True)
class PythonOutArgument(PythonArgument):
    """The argument for outputs."""

    outputs: tuple[PythonArgument, ...]
    """The arguments of the schema that it stands for."""

    @staticmethod
    def from_outputs(outputs: tuple[PythonArgument, ...]) -> PythonOutArgument | None:
        """The argument for some outputs, if there are any.

        Raises:
            RuntimeError: one of several is not a tensor.
        """
        if not outputs:
            return None
        only, several = outputs[0], len(outputs) > 1
        if several and not all(output.type.is_tensor_like() for output in outputs):
            raise RuntimeError("one of several outputs is not a tensor")
        type = Type.parse(f"Tensor[{len(outputs)}]") if several else only.type
        return PythonOutArgument("out" if several else only.name, type, "None", None, outputs)


@dataclass(frozen=True)
class PythonSignature:
    """A signature that Python calls. An operator and its out variant share one."""

    name: str
    input_args: tuple[PythonArgument, ...]
    """Positional arguments."""
    input_kwargs: tuple[PythonArgument, ...]
    """Keyword-only arguments, but for outputs and tensor options."""
    output_args: PythonOutArgument | None
    returns: PythonReturns
    tensor_options_args: tuple[PythonArgument, ...]
    method: bool

    @property
    def deprecated(self) -> bool:
        """Whether the signature is deprecated."""
        return False

    def arguments(
        self, *, skip_outputs: bool = False, skip_tensor_options: bool = False
    ) -> tuple[PythonArgument | PythonOutArgument, ...]:
        """All arguments, in the order of the parser."""
        out = () if skip_outputs or self.output_args is None else (self.output_args,)
        options = () if skip_tensor_options else self.tensor_options_args
        return (*self.input_args, *self.input_kwargs, *out, *options)

    def arguments_count(self) -> int:
        """The number of arguments."""
        return len(self.arguments())

    def output_idx(self) -> int:
        """The number of the argument for outputs."""
        return len(self.input_args) + len(self.input_kwargs)

    def _starred(self, formals: list[str]) -> list[str]:
        at = len(self.input_args)
        return [*formals[:at], "*", *formals[at:]] if len(formals) > at else formals

    def signature_str(self, *, skip_outputs: bool = False, symint: bool = True) -> str:
        """The string that the parser is made from."""
        args = self.arguments(skip_outputs=skip_outputs)
        formals = self._starred([a.argument_str(method=self.method, symint=symint) for a in args])
        return f"{self.name}({', '.join(formals)})"

    def _stub(self, formals: list[str]) -> str:
        own_self = ["self"] if self.method and not self.deprecated else []
        return format_function_signature(self.name, own_self + formals, returns_str_pyi(self))

    def _formals_pyi(self, skip_outputs: bool) -> list[str]:
        args = self.arguments(skip_outputs=skip_outputs)
        return [a.argument_str_pyi(method=self.method, deprecated=self.deprecated) for a in args]

    def signature_str_pyi(self, *, skip_outputs: bool = False) -> str:
        """The function in a stub."""
        return self._stub(self._starred(self._formals_pyi(skip_outputs)))

    def signature_str_pyi_vararg(self, *, skip_outputs: bool = False) -> str | None:
        """The form that takes the items of its only positional argument, a list of integers, one by
        one; None if that is something else."""
        if len(self.input_args) != 1:
            return None
        first = self.input_args[0]
        if not isinstance(first.type, ListType) or str(first.type.elem) not in ("int", "SymInt"):
            return None
        rest = self._formals_pyi(skip_outputs)[1:]
        return self._stub([f"*{first.name}: {argument_type_str_pyi(first.type.elem)}", *rest])


@dataclass(frozen=True)
class PythonSignatureDeprecated(PythonSignature):
    """A deprecated form of a signature."""

    deprecated_schema: FunctionSchema
    deprecated_args_exprs: tuple[str, ...]
    """What the operator is called with: arguments of the schema, and constants."""

    @property
    def deprecated(self) -> bool:
        """Whether the signature is deprecated."""
        return True

    def signature_str(self, *, skip_outputs: bool = False, symint: bool = True) -> str:
        """The string that the parser is made from."""
        return super().signature_str(skip_outputs=skip_outputs, symint=symint) + "|deprecated"

    def signature_str_pyi_vararg(self, *, skip_outputs: bool = False) -> str | None:
        """None: deprecated signatures have no such form."""
        return None


@dataclass(frozen=True)
class PythonSignatureNativeFunctionPair:
    """A signature and its operator."""

    signature: PythonSignature
    function: NativeFunction


@dataclass(frozen=True)
class PythonSignatureGroup:
    """The signature that an operator and its out variant share."""

    signature: PythonSignature
    base: NativeFunction
    outplace: NativeFunction | None

    @classmethod
    def from_pairs(
        cls, functional: PythonSignatureNativeFunctionPair, out: PythonSignatureNativeFunctionPair | None
    ) -> PythonSignatureGroup:
        """That of an operator and of its out variant, if it has one: the latter's, with the tensor
        options of the former."""
        if out is None:
            return PythonSignatureGroup(functional.signature, functional.function, None)
        options = functional.signature.tensor_options_args
        return PythonSignatureGroup(
            replace(out.signature, tensor_options_args=options), functional.function, out.function
        )


@dataclass(frozen=True)
class PythonArgParserOutputExpr:
    """The value of an argument in the parser's result."""

    name: str
    expr: str
    index: int
    argument: PythonArgument

    @property
    def is_none_expr(self) -> str:
        """Whether it was not given, as an expression."""
        return f"_r.isNone({self.index})"


def has_tensor_options(f: NativeFunction) -> bool:
    """Whether an operator takes tensor options."""
    return f.func.arguments.tensor_options is not None


def argument_type_str(t: Type, *, simple_type: bool = False, symint: bool = True) -> str:
    """A type in a signature of the parser. A simple one has no sizes of lists.

    Raises:
        SchemaError: the parser does not know it.
    """
    made = _torchgen_rs.parser_type(t, not simple_type, symint)
    optionals = "c10::List<::std::optional<Tensor>>"
    return made if simple_type else made.replace(optionals, f"const {optionals} &")


def argument_type_size(t: Type) -> int | None:
    """The size of the list in a type, but for lists of booleans."""
    return _torchgen_rs.parser_size(t)


def argument(a: Argument) -> PythonArgument:
    """The argument in Python for one of a schema."""
    return PythonArgument(a.name, a.type, _torchgen_rs.parser_default(a), None)


def signature(f: NativeFunction, *, method: bool = False, pyi: bool = False) -> PythonSignature:
    """The signature of an operator.

    Raises:
        SchemaError: Python cannot have it.
    """
    return signature_from_schema(f.func, category_override=f.category_override, method=method, pyi=pyi)


def signature_from_schema(
    func: FunctionSchema,
    *,
    category_override: str | None,
    method: bool = False,
    pyi: bool = False,
) -> PythonSignature:
    """The signature of a schema. It is the same for stubs.

    Raises:
        SchemaError: Python cannot have it.
    """
    positional, keywords, out, options = _torchgen_rs.python_signature(func, category_override, method)
    return PythonSignature(
        name=str(func.name.name),
        input_args=tuple(PythonArgument(*a) for a in positional),
        input_kwargs=tuple(PythonArgument(*a) for a in keywords),
        output_args=out and PythonOutArgument(*out, outputs=tuple(map(argument, func.arguments.out))),
        returns=PythonReturns(func.returns),
        tensor_options_args=tuple(PythonArgument(*a) for a in options),
        method=method,
    )


def structseq_fieldnames(returns: tuple[Return, ...]) -> list[str]:
    """The names of the fields of a return type; none if it is a tuple or a single value.

    Raises:
        ValueError: some have names and some do not.
    """
    return _torchgen_rs.structseq_fields(list(returns))


def argument_type_str_pyi(t: Type) -> str:
    """The type of an argument in a stub."""
    return _torchgen_rs.stub_type(t, False)


def return_type_str_pyi(t: Type) -> str:
    """The type of a return in a stub."""
    return _torchgen_rs.stub_type(t, True)


def returns_structseq_pyi(signature: PythonSignature) -> tuple[str, str] | None:
    """The name and the definition in a stub of a return type with named fields."""
    made = _torchgen_rs.stub_structseq(signature.name, list(signature.returns.returns))
    return None if made is None else (signature.name, made)


def returns_str_pyi(signature: PythonSignature) -> str:
    """What a function returns in a stub."""
    return _torchgen_rs.stub_returns(signature.name, list(signature.returns.returns))


def arg_parser_unpack_method(
    t: Type, default: str | None, default_init: str | None, *, symint: bool = True
) -> str:
    """The method that takes a value of that type out of the parser's result.

    Raises:
        SchemaError: the parser cannot return such a value.
    """
    made = _torchgen_rs.parser_method(0, t, default, default_init, symint)
    return made.removeprefix("_r.").partition("(")[0]


def arg_parser_output_expr(
    arg_index: int, a: PythonArgument, *, symint: bool = True
) -> PythonArgParserOutputExpr:
    """The value of the argument with that number.

    Raises:
        SchemaError: the parser cannot return such a value.
    """
    expr = _torchgen_rs.parser_method(arg_index, a.type, a.default, a.default_init, symint)
    return PythonArgParserOutputExpr(a.name, expr, arg_index, a)


def arg_parser_output_exprs(
    ps: PythonSignature, f: NativeFunction, *, symint: bool = True
) -> dict[str, PythonArgParserOutputExpr]:
    """The values of all arguments, by name."""
    return {a.name: arg_parser_output_expr(i, a, symint=symint) for i, a in enumerate(ps.arguments())}


@dataclass(frozen=True)
class DispatchLambdaArgument:
    """A parameter of the lambda in which a binding calls C++."""

    name: str
    type_str: str
    is_out_arg: bool


@dataclass(frozen=True)
class DispatchLambdaArgumentExprs:
    """How this lambda is called."""

    exprs: Sequence[str]
    """The arguments."""
    inits: Sequence[str]
    """The statements that make the variables that they use."""


def _deprecated(ps: PythonSignature | None) -> tuple[FunctionSchema, list[str]] | None:
    if not isinstance(ps, PythonSignatureDeprecated):
        return None
    return ps.deprecated_schema, list(ps.deprecated_args_exprs)


def dispatch_lambda_args(
    ps: PythonSignature, f: NativeFunction, symint: bool = True
) -> tuple[DispatchLambdaArgument, ...]:
    """The parameters of the lambda: those of the C++ function, and of a deprecated signature its own.

    Raises:
        SchemaError: an argument has no C++ form.
    """
    deprecated = _deprecated(ps)
    schema = f.func if deprecated is None else deprecated[0]
    made = _torchgen_rs.lambda_parameters(f, schema, ps.method, symint)
    return tuple(DispatchLambdaArgument(*parameter) for parameter in made)


def dispatch_lambda_return_str(f: NativeFunction) -> str:
    """What the lambda returns: always a value.

    Raises:
        SchemaError: bindings cannot return it.
    """
    return _torchgen_rs.lambda_returns(f)


def cpp_dispatch_target(f: NativeFunction) -> str:
    """What the lambda calls: the method if there is one."""
    return _torchgen_rs.lambda_call(f, None)[0]


def cpp_dispatch_exprs(
    f: NativeFunction, *, python_signature: PythonSignature | None = None
) -> tuple[str, ...]:
    """The arguments of this call.

    Raises:
        SchemaError: an argument has no C++ form.
    """
    deprecated = _deprecated(python_signature)
    return tuple(_torchgen_rs.lambda_call(f, deprecated and deprecated[1])[1])


def dispatch_lambda_exprs(
    ps: PythonSignature, f: NativeFunction, *, symint: bool = True
) -> DispatchLambdaArgumentExprs:
    """How the lambda is called with what the parser returns.

    Raises:
        SchemaError: the parser cannot return a value, or has none for a parameter.
    """

    def parts(arguments: Sequence[PythonArgument]) -> list[tuple[str, Type, str | None, str | None]]:
        return [(a.name, a.type, a.default, a.default_init) for a in arguments]

    out = ps.output_args
    names = [a.name for a in out.outputs] if out else []
    given = parts(ps.input_args), parts(ps.input_kwargs), parts([out])[0] if out else None, parts(ps.tensor_options_args)
    exprs, inits = _torchgen_rs.lambda_binding(f, given, names, _deprecated(ps), ps.method, symint)
    return DispatchLambdaArgumentExprs(exprs=tuple(exprs), inits=inits)


def __getattr__(name: str) -> object:
    from .._missing import missing

    raise missing(__name__, name, {})

watch(__name__)

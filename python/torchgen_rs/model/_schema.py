"""Function schemas: a name, arguments by role, returns."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from .. import _torchgen_rs
from ._enums import SchemaKind
from ._types import Annotation, Type
from ._view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "Argument",
    "Arguments",
    "BaseOperatorName",
    "FunctionSchema",
    "OperatorName",
    "Return",
    "SelfArgument",
    "TensorOptionsArguments",
]


@dataclass(frozen=True)
class BaseOperatorName:
    """An operator's name without its overload, and what the name shows."""

    base: str
    """The root of the name, without underscores and suffixes."""
    inplace: bool
    """Whether it ends in an underscore, or is a method such as ``__iadd__``."""
    dunder_method: bool
    """Whether it is a special method of Python."""
    functional_overload: bool = False
    """Whether it ends in ``_functional``."""
    namespace: str | None = None
    """Its namespace, if the text has one. Schemas in files have none."""

    @staticmethod
    def parse(op: str) -> BaseOperatorName:
        """Reads a name.

        Raises:
            SchemaError: the text is not one.
        """
        return _torchgen_rs.parse_base_name(op)

    def __str__(self) -> str:
        name = _torchgen_rs.text(self)
        return f"{self.namespace}::{name}" if self.namespace else name


@dataclass(frozen=True)
class OperatorName:
    """An operator's name with its overload: ``add.Tensor``."""

    name: BaseOperatorName
    overload_name: str

    @staticmethod
    def parse(op_name: str) -> OperatorName:
        """Reads a name.

        Raises:
            SchemaError: the text is not one.
        """
        return _torchgen_rs.parse_name(op_name)

    def __str__(self) -> str:
        return f"{self.name}.{self.overload_name}" if self.overload_name else str(self.name)

    def unambiguous_name(self) -> str:
        """The name as part of a C++ identifier: the overload follows after an underscore."""
        return str(self).replace(".", "_", 1)

    def remove_inplace(self) -> OperatorName:
        """The name of the functional variant with the same overload."""
        return self.with_overload(self.overload_name)

    def with_overload(self, overload: str) -> OperatorName:
        """The name of the functional variant with another overload."""
        name = BaseOperatorName(base=self.name.base, inplace=False, dunder_method=self.name.dunder_method)
        return OperatorName(name=name, overload_name=overload)


@dataclass(frozen=True)
class Argument:
    """An argument of a schema."""

    name: str
    type: Type
    default: str | None
    """Its default, as written."""
    annotation: Annotation | None

    @property
    def alias_info(self) -> Annotation | None:
        """The annotation."""
        return self.annotation

    @property
    def is_write(self) -> bool:
        """Whether the operator mutates it."""
        return self.annotation is not None and self.annotation.is_write

    @staticmethod
    def parse(arg: str) -> Argument:
        """Reads an argument.

        Raises:
            SchemaError: the text is not one.
        """
        return _torchgen_rs.parse_argument(arg)

    def __str__(self) -> str:
        return _torchgen_rs.text(self)


@dataclass(frozen=True)
class Return:
    """A return of a schema."""

    name: str | None
    type: Type
    annotation: Annotation | None

    @property
    def alias_info(self) -> Annotation | None:
        """The annotation."""
        return self.annotation

    @property
    def is_write(self) -> bool:
        """Whether it is a mutable argument."""
        return self.annotation is not None and self.annotation.is_write

    @staticmethod
    def parse(arg: str) -> Return:
        """Reads a return.

        Raises:
            SchemaError: the text is not one.
        """
        return _torchgen_rs.parse_return(arg)

    def __str__(self) -> str:
        return _torchgen_rs.text(self)


@dataclass(frozen=True)
class SelfArgument:
    """The argument ``self``, on which a method is called."""

    argument: Argument


@dataclass(frozen=True)
class TensorOptionsArguments:
    """The four arguments that C++ gathers in a ``TensorOptions``."""

    dtype: Argument
    layout: Argument
    device: Argument
    pin_memory: Argument

    def all(self) -> Sequence[Argument]:
        """All of them, in order."""
        return [self.dtype, self.layout, self.device, self.pin_memory]


@dataclass(frozen=True)
class Arguments:
    """The arguments of a schema by role. Those of ``flat_...`` are single ones; others have ``self``
    and tensor options in objects of their own."""

    pre_self_positional: tuple[Argument, ...]
    self_arg: SelfArgument | None
    post_self_positional: tuple[Argument, ...]
    pre_tensor_options_kwarg_only: tuple[Argument, ...]
    tensor_options: TensorOptionsArguments | None
    post_tensor_options_kwarg_only: tuple[Argument, ...]
    out: tuple[Argument, ...]

    @property
    def flat_positional(self) -> Sequence[Argument]:
        """The positional arguments."""
        own = [self.self_arg.argument] if self.self_arg is not None else []
        return [*self.pre_self_positional, *own, *self.post_self_positional]

    @property
    def flat_kwarg_only(self) -> Sequence[Argument]:
        """The keyword-only arguments except the out arguments."""
        options = self.tensor_options.all() if self.tensor_options is not None else []
        return [*self.pre_tensor_options_kwarg_only, *options, *self.post_tensor_options_kwarg_only]

    @property
    def flat_non_out(self) -> Sequence[Argument]:
        """All except the out arguments."""
        return [*self.flat_positional, *self.flat_kwarg_only]

    @property
    def flat_all(self) -> Sequence[Argument]:
        """All arguments in the order of the schema."""
        return [*self.flat_positional, *self.flat_kwarg_only, *self.out]

    @property
    def post_self_positional_mutable(self) -> Sequence[Argument]:
        """The mutable positional arguments after ``self``."""
        return [argument for argument in self.post_self_positional if argument.is_write]

    @property
    def positional(self) -> Sequence[Argument | SelfArgument]:
        """The positional arguments."""
        own = [self.self_arg] if self.self_arg is not None else []
        return [*self.pre_self_positional, *own, *self.post_self_positional]

    @property
    def kwarg_only(self) -> Sequence[Argument | TensorOptionsArguments]:
        """The keyword-only arguments except the out arguments."""
        options = [self.tensor_options] if self.tensor_options is not None else []
        return [*self.pre_tensor_options_kwarg_only, *options, *self.post_tensor_options_kwarg_only]

    @property
    def non_out(self) -> Sequence[Argument | SelfArgument | TensorOptionsArguments]:
        """All except the out arguments."""
        return [*self.positional, *self.kwarg_only]

    @property
    def all(self) -> Sequence[Argument | SelfArgument | TensorOptionsArguments]:
        """All arguments."""
        return [*self.positional, *self.kwarg_only, *self.out]

    def mutable_arg_names(self) -> list[str]:
        """The names of the mutable arguments."""
        return [argument.name for argument in self.flat_all if argument.is_write]

    def has_tensor_arg(self) -> bool:
        """Whether an argument that is not an out argument contains tensors."""
        return any(argument.type.is_tensor_like() for argument in self.flat_non_out)

    def has_symint_arg(self) -> bool:
        """Whether an argument that is not an out argument contains symbolic integers."""
        return any(argument.type.is_symint_like() for argument in self.flat_non_out)

    def has_generator_arg(self) -> bool:
        """Whether an argument that is not an out argument contains a generator."""
        return any(argument.type.is_generator_like() for argument in self.flat_non_out)

    def signature(self, *, strip_default: bool = False) -> Arguments:
        """What the variants of an operator have in common of its arguments."""
        return _torchgen_rs.signature_arguments(self, strip_default)

    def remove_self_annotation(self) -> Arguments:
        """The same, with ``self`` neither mutable nor aliased."""
        if self.self_arg is None:
            raise AssertionError("there is no argument `self`")
        return replace(self, self_arg=SelfArgument(replace(self.self_arg.argument, annotation=None)))

    def with_out_args(self, outs: list[Argument]) -> Arguments:
        """The same with these out arguments."""
        if self.out:
            raise AssertionError("there are out arguments already")
        return replace(self, out=tuple(outs))

    @staticmethod
    def parse(args: str) -> Arguments:
        """Reads the text between the parentheses of a schema.

        Raises:
            SchemaError: the text is not one.
        """
        return _torchgen_rs.parse_arguments(args)

    def __str__(self) -> str:
        return _torchgen_rs.text(self)


@dataclass(frozen=True)
class FunctionSchema(View):
    """A schema: ``add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor``. ``str`` is the
    text that it was parsed from."""

    name: OperatorName
    arguments: Arguments
    returns: tuple[Return, ...]

    def __post_init__(self) -> None:
        broken = _torchgen_rs.broken_rule(self)
        if broken is not None:
            raise AssertionError(f"{broken}\n  in {self}")

    @staticmethod
    def parse(func: str) -> FunctionSchema:
        """Reads a schema.

        Raises:
            SchemaError: the text is not one.
        """
        return _torchgen_rs.parse_schema(func)

    def __str__(self) -> str:
        namespace = self.name.name.namespace
        return f"{namespace}::{_torchgen_rs.text(self)}" if namespace else _torchgen_rs.text(self)

    @property
    def is_mutable(self) -> bool:
        """Whether the operator mutates an argument."""
        return any(argument.is_write for argument in self.arguments.flat_all)

    @property
    def modifies_arguments(self) -> bool:
        """Whether it is the inplace, out or mutable variant."""
        return self.kind() in (SchemaKind.inplace, SchemaKind.out, SchemaKind.mutable)

    def schema_order_arguments(self) -> Iterator[Argument]:
        """The arguments as they are written."""
        arguments = self.arguments
        return itertools.chain(arguments.flat_positional, arguments.flat_kwarg_only, arguments.out)

    def returns_are_aliased(self) -> bool:
        """Whether it returns mutable arguments."""
        return any(ret.is_write for ret in self.returns)

    def is_functional_fn(self) -> bool:
        """Whether the overload says that it is the functional counterpart of a mutable operator."""
        return "functional" in self.name.overload_name

    def is_out_fn(self) -> bool:
        """Whether it has out arguments."""
        return bool(self.arguments.out)

    def kind(self) -> SchemaKind:
        """The kind of variant."""
        return _torchgen_rs.kind(self)

    def aliased_return_names(self) -> list[str | None]:
        """For each return, the name of the argument that it aliases.

        Raises:
            AssertionError: a return aliases several.
        """
        found = _torchgen_rs.aliased_arguments(self)
        for names in found:
            if len(names) > 1:
                raise AssertionError(f"a return of `{self}` aliases several arguments: {', '.join(names)}")
        return [names[0] if names else None for names in found]

    def signature(
        self, *, strip_default: bool = False, strip_view_copy_name: bool = False, keep_return_names: bool = False
    ) -> FunctionSchema:
        """What the variants of an operator have in common. It has neither overload nor annotations,
        neither out arguments nor tensor options; mutable arguments that are not returned become
        returns.

        Args:
            strip_default: Drop the defaults of arguments.
            strip_view_copy_name: Name a copy variant like its view.
            keep_return_names: Keep the names of returns.
        """
        return _torchgen_rs.signature(self, strip_default, strip_view_copy_name, keep_return_names)

    def view_signature(self) -> FunctionSchema:
        """What a view and its copy variant have in common."""
        return self.signature(strip_view_copy_name=True)

    def with_name(self, name: OperatorName) -> FunctionSchema:
        """The same schema under another name."""
        return FunctionSchema(name=name, arguments=self.arguments, returns=self.returns)

    def has_symint(self) -> bool:
        """Whether an argument that is not an out argument is symbolic."""
        return self.arguments.has_symint_arg()

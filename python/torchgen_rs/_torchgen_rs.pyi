"""Command lines as calls, and the model as objects. The package `torchgen_rs` is the interface for users."""

import os
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from typing import Final, Literal, TypedDict, type_check_only

from .api.autograd import Derivative, DifferentiabilityInfo, ForwardDerivative, NativeFunctionWithDifferentiabilityInfo
from .api.types.types_base import Binding, CType, NamedCType
from .hooks import Hook
from .model import (
    Annotation,
    Argument,
    Arguments,
    BackendIndex,
    BackendMetadata,
    BaseOperatorName,
    DispatchKey,
    FunctionSchema,
    NativeFunction,
    NativeFunctionsGroup,
    NativeFunctionsViewGroup,
    OperatorName,
    Precompute,
    Return,
    SchemaKind,
    Type,
    ViewSchemaKind,
)

__version__: Final[str]
"""The version of the package."""

_Place = tuple[str, int, int, int, int]

_Keys = tuple[list[str], list[str], list[str]]
"""Keys that are ignored, and those that have kernels and structured kernels besides those of ATen."""

@type_check_only
class _Diagnostic(TypedDict):
    code: str
    name: str
    severity: Literal["error", "warning", "note"]
    message: str
    place: _Place | None
    labels: list[tuple[_Place, str]]
    notes: list[str]
    help: list[str]
    fixes: list[tuple[str, Literal["certain", "likely"], list[tuple[_Place, str, str]]]]
    change: str | None
    text: str

@type_check_only
class _Report(TypedDict):
    status: Literal[0, 1, 2]
    written: list[str]
    unchanged: int
    removed: list[str]
    listed: list[str]
    skipped: bool
    diagnostics: list[_Diagnostic]
    output: str
    messages: str

def run(
    arguments: Sequence[str],
    hook: Hook | None = None,
    fingerprint: str | None = None,
    functions: tuple[Callable[[str, str], str], list[str]] | None = None,
) -> _Report:
    """Runs a command line, and returns what it did and what it printed. The first word is the name
    of the program. A hook decides what is generated for single operators; templates call the
    functions, whose names follow the one that calls them."""

def main(arguments: Sequence[str]) -> int:
    """Runs a command line as the program does: it prints to the streams of the process. Returns the
    exit status."""

# The objects are those of `torchgen_rs.model`, which this module makes.

def fill(object: object) -> None:
    """Gives an object of the model its fields."""

def parse_schema(text: str) -> FunctionSchema:
    """A whole schema, which may have a namespace."""

def parse_name(text: str) -> OperatorName:
    """An operator's name, which may have a namespace."""

def parse_base_name(text: str) -> BaseOperatorName:
    """An operator's name without its overload, which may have a namespace."""

def parse_arguments(text: str) -> Arguments:
    """The arguments of a schema, without parentheses."""

def parse_argument(text: str) -> Argument:
    """An argument."""

def parse_return(text: str) -> Return:
    """A return."""

def parse_type(text: str) -> Type:
    """A type without an annotation."""

def parse_annotation(text: str) -> Annotation:
    """An annotation, without parentheses."""

def parse_precompute(lines: Sequence[str]) -> Precompute:
    """The lines of ``precomputed:``."""

def parse_inner_loop(text: str) -> tuple[str, list[str]]:
    """The scalar types of an inner loop, as names, and the name of its function."""

def text(object: object) -> str:
    """The text of a schema, or of a part of one. A namespace is not part of it."""

def kind(schema: FunctionSchema) -> SchemaKind:
    """The kind of variant that a schema is."""

def signature(schema: FunctionSchema, strip_default: bool, strip_view_copy_name: bool, keep_return_names: bool) -> FunctionSchema:
    """What the variants of an operator share."""

def signature_arguments(arguments: Arguments, strip_default: bool) -> Arguments:
    """The arguments of a signature."""

def aliased_arguments(schema: FunctionSchema) -> list[list[str]]:
    """The names of the arguments that each return aliases."""

def broken_rule(schema: FunctionSchema) -> str | None:
    """The rule that a schema breaks."""

def is_view_op(f: NativeFunction) -> bool:
    """Whether an operator is a view."""

def view_schema_kind(f: NativeFunction) -> ViewSchemaKind:
    """The role of an operator among those of a view."""

def gets_generated_view_copy(f: NativeFunction) -> bool:
    """Whether a view gets a copy variant."""

def view_copy_name(f: NativeFunction) -> OperatorName:
    """The name of a view's copy variant."""

def parse_files(
    path: str | os.PathLike[str], tags: str | os.PathLike[str], keys: _Keys, generates: bool
) -> tuple[list[NativeFunction], dict[DispatchKey, BackendIndex]]:
    """The operators of a file."""

def parse_torch(
    torch: str, keys: _Keys, generates: bool
) -> tuple[list[NativeFunction], dict[DispatchKey, BackendIndex]]:
    """The operators of a version of torch."""

def torch_files(torch: str | None) -> tuple[str, set[str], str]:
    """The native_functions.yaml of a version of torch, or of the newest one; the names of tags; and the version."""

def parse_text(
    name: str, text: str, valid_tags: set[str], keys: _Keys, generates: bool
) -> tuple[list[NativeFunction], dict[DispatchKey, BackendIndex]]:
    """The operators of a text."""

def parse_entry(
    name: str, text: str, valid_tags: set[str], keys: _Keys
) -> tuple[NativeFunction, dict[DispatchKey, dict[OperatorName, BackendMetadata]]]:
    """An entry by itself: its operator, and its kernels by dispatch key."""

def parse_tags(path: str | os.PathLike[str]) -> set[str]:
    """The tags of a file."""

def parse_tags_text(name: str, text: str) -> set[str]:
    """The tags of a text."""

def grouped(functions: Iterable[NativeFunction]) -> list[NativeFunction | NativeFunctionsGroup]:
    """Groups operators by signature: groups, and operators that are in none."""

def grouped_by_view(functions: Iterable[NativeFunction]) -> list[NativeFunction | NativeFunctionsViewGroup]:
    """Groups views with their copies: groups, and operators that are in none."""

def check_together(functions: Iterable[NativeFunction]) -> None:
    """Checks what concerns several operators: duplicate names, delegates, inplace views."""

def substitute(template: str, values: Sequence[tuple[str, str | list[str]]], is_file: bool) -> str:
    """A template with values in place of its placeholders."""

def shard_of(key: str, shards: int) -> int:
    """The shard of an item."""

def write_text(path: str | os.PathLike[str], text: str) -> bool:
    """Writes a file, unless it has the text already. Returns whether it was written."""

def table(name: str) -> str:
    """The table of facts at that path below ``data/``, as JSON.

    Raises:
        KeyError: there is none.
    """

@type_check_only
class _Selection(TypedDict):
    include_all_operators: bool
    include_all_non_op_selectives: bool
    debug_info: list[str] | None
    operators: list[tuple[str, bool, bool, bool, list[str] | None]]
    kernel_metadata: list[tuple[str, list[str]]]
    et_kernel_metadata: list[tuple[str, list[str]]]
    custom_classes: list[str]
    build_features: list[str]

def parse_selection(path: str | os.PathLike[str]) -> _Selection:
    """What the file of a selective build has."""

def parse_selection_text(name: str, text: str) -> _Selection:
    """What the text of such a file has."""

_Toggles = tuple[bool, bool]

def cpp_name(schema: FunctionSchema, faithful: bool, symint: bool) -> str:
    """The name of a schema's C++ function."""

def native_name(schema: FunctionSchema) -> str:
    """The default name of a schema's kernel."""

def value_type(ty: Type, symint: bool) -> CType | None:
    """The type of what is passed and returned by value."""

def argument_type(
    convention: Literal["cpp", "native", "structured"],
    ty: Type,
    mutable: bool,
    owning: bool,
    symint: bool,
    toggles: _Toggles,
) -> CType:
    """The type of an argument of a type, in a convention: ``cpp``, which is the dispatcher's too,
    ``native`` or ``structured``."""

def returns_type(returns: Sequence[Return], toggles: _Toggles) -> CType:
    """The type that a function with these returns has."""

def return_names(f: NativeFunction, fallback: str) -> list[str]:
    """The names of an operator's returns in generated code."""

def default_expr(default: str, ty: Type, symint: bool) -> str:
    """A default of a schema in C++."""

def parameters(
    convention: Literal["cpp", "faithful", "dispatcher", "native"],
    schema: FunctionSchema | Arguments,
    symint: bool,
    method: bool,
    no_default: set[str],
    toggles: _Toggles,
) -> list[Binding]:
    """The parameters for a schema, or for its arguments alone, in a convention: ``cpp``, ``faithful``
    (C++ that follows the schema), ``dispatcher`` or ``native``."""

def structured_parameters(arguments: Sequence[Argument]) -> list[Binding]:
    """The parameters of structured kernels for arguments."""

def impl_parameters(out: NativeFunction) -> list[Binding]:
    """The parameters of the kernel of a structured group, whose out variant this is."""

def translate(
    facts: Sequence[tuple[str, NamedCType]],
    goals: Sequence[NamedCType],
    method: bool,
    allow_expensive_conversions: bool,
) -> list[str]:
    """Expressions for the goals, made of the facts."""

def ctype_text(ty: CType, strip_ref: bool) -> str:
    """A C++ type as text."""

def view_parameters(
    function: Literal["replay", "inverse", "owned", "referred", "base"], schema: FunctionSchema, toggles: _Toggles
) -> list[Binding]:
    """The parameters of a function of a view: ``replay``, ``inverse``, the fields of its meta as ``owned`` or
    ``referred``, or what the ``base`` class of its meta takes."""

def view_parameter(name: str) -> Binding:
    """A parameter that is in no schema."""

def tensor_statements(
    which: Literal["unwrap", "sync", "meta"], schema: FunctionSchema, symint: bool, toggles: _Toggles
) -> str:
    """The statements of a kernel that `unwrap` the tensors of the dispatcher's parameters, with or without a `sync`,
    or that make `meta` tensors of them."""

def view_returns(schema: FunctionSchema) -> CType:
    """What a replay returns."""

def view_name(which: Literal["meta", "replay", "inverse"], schema: FunctionSchema, with_namespace: bool) -> str:
    """The names of a view's meta, replay and inverse, each with its namespace and without."""

def is_multi_output(schema: FunctionSchema) -> bool:
    """Whether a view may return several tensors."""

_NodeRules = tuple[str, bool, bool]

def node_type(ty: Type, of: _NodeRules) -> CType:
    """The type of an argument in a node."""

def is_node_value(ty: CType, of: _NodeRules) -> bool:
    """Whether such a type is a value of the graph, or contains one."""

def is_node_number(ty: Type) -> bool:
    """Whether an argument of that type is a number, or may contain numbers."""

def node_class(name: OperatorName) -> str:
    """The name of the class for an operator."""

def node_inputs(schema: FunctionSchema, value: str, symint: bool) -> str:
    """What the constructor of a node takes, made of the arguments of its kernel."""

def node_symbol(name: str) -> str:
    """The symbol of an operator, by its name without the overload."""

def eager_fallback(name: str, overload_name: str, arguments: list[str]) -> str:
    """The statements that call the eager kernel of an operator, by its name and its overload."""

def shim_texts(
    schema: FunctionSchema,
    device: str,
    call: str,
    since: str | None,
    later: Sequence[tuple[int, list[str], str | None]],
) -> tuple[str, str]:
    """The declarations and the definitions of all versions of a schema's shim for a device, which calls a function.
    A later version has a number, the arguments that it added, and its release."""

def shape_function(f: NativeFunction, kernel: str) -> str | None:
    """The declaration of the function that computes an operator's shapes, if PyTorch does not."""

def parse_backend(
    path: str | os.PathLike[str], functions: Sequence[NativeFunction]
) -> tuple[tuple[str | None, str | None], str | None, str, dict[DispatchKey, BackendIndex]]:
    """The kernels that the YAML of a backend names, for some operators of PyTorch."""

def unboxed(f: NativeFunction) -> tuple[list[Binding], list[str]]:
    """The parameters of an operator's C++ function with the names of the converted variables, and the lines that
    convert."""

_PythonArgument = tuple[str, Type, str | None, str | None]

def python_signature(
    schema: FunctionSchema, category: str | None, method: bool
) -> tuple[list[_PythonArgument], list[_PythonArgument], _PythonArgument | None, list[_PythonArgument]]:
    """The signature of a schema."""

def lambda_parameters(
    f: NativeFunction, schema: FunctionSchema, method: bool, symint: bool
) -> list[tuple[str, str, bool]]:
    """The parameters of the lambda for a schema of an operator: names, types, and whether they are outputs."""

def lambda_returns(f: NativeFunction) -> str:
    """What the lambda of an operator returns."""

def lambda_call(f: NativeFunction, deprecated: Sequence[str] | None) -> tuple[str, list[str]]:
    """What the lambda of an operator calls, and with which arguments; a deprecated signature has its own."""

def lambda_binding(
    f: NativeFunction,
    signature: tuple[
        Sequence[_PythonArgument], Sequence[_PythonArgument], _PythonArgument | None, Sequence[_PythonArgument]
    ],
    outputs: Sequence[str],
    deprecated: tuple[FunctionSchema, Sequence[str]] | None,
    method: bool,
    symint: bool,
) -> tuple[list[str], list[str]]:
    """The arguments of the lambda for a signature of an operator, and the statements that make their variables."""

def parser_default(argument: Argument) -> str | None:
    """The default in Python of an argument of a schema."""

def parser_type(ty: Type, sized: bool, symint: bool) -> str:
    """A type in a signature of the parser; ``sized`` lists show their sizes."""

def parser_size(ty: Type) -> int | None:
    """The size of the list in a type."""

def parser_argument(name: str, ty: Type, default: str | None, method: bool, symint: bool) -> str:
    """An argument in a signature of the parser."""

def parser_method(index: int, ty: Type, default: str | None, default_init: str | None, symint: bool) -> str:
    """The expression of the argument with that number in the parser's result."""

def stub_type(ty: Type, returned: bool) -> str:
    """The type of an argument, or of a return, in a stub."""

def stub_argument(name: str, ty: Type, default: str | None, form: tuple[bool, bool, bool]) -> str:
    """An argument in a stub: of a method, of a deprecated signature, for outputs."""

def stub_returns(name: str, returns: Sequence[Return]) -> str:
    """What a function returns in a stub."""

def stub_structseq(name: str, returns: Sequence[Return]) -> str | None:
    """The definition of a return type with named fields in a stub."""

def structseq_fields(returns: Sequence[Return]) -> list[str]:
    """The names of a return type's fields."""

def stub_function(name: str, formals: Sequence[str], returns: str | None) -> str:
    """A function in a stub."""

@type_check_only
class _Found(TypedDict):
    at: int | None
    default_only: bool
    made: DifferentiabilityInfo | None
    forward: dict[str, list[ForwardDerivative]]

def load_derivatives(
    derivatives: str | os.PathLike[str],
    native_functions: str | os.PathLike[str],
    tags: str | os.PathLike[str],
    keys: tuple[list[str], list[str], list[str]],
) -> tuple[list[tuple[FunctionSchema, dict[str, DifferentiabilityInfo]]], set[str]]:
    """The derivatives of a file, and all keys that it has."""

def derivatives_of_entry(
    entry: str, functions: Sequence[NativeFunction], counts: MutableMapping[str, int]
) -> tuple[int, dict[str, DifferentiabilityInfo]]:
    """The derivatives of an entry: the place of their operator among those of its signature, and the
    derivatives by key. `counts` has the number of nodes with each class."""

def derivative_of_formula(
    f: NativeFunction, formula: str, var_names: Sequence[str], gradients: Sequence[str]
) -> Derivative:
    """A formula for the gradients of some inputs of an operator, which can use gradients by these names."""

def node_part(
    info: DifferentiabilityInfo, part: Literal["declaration", "definition", "python_class", "python_getters"]
) -> str | None:
    """A part of the node of some derivatives; None if they have no node."""

def node_shards() -> tuple[list[str], list[str]]:
    """The declarations of the functions in python_functions.cpp's shards, and their calls."""

def formula_has(formula: str, name: str) -> bool:
    """Whether a formula uses a name."""

def match_derivatives(
    functions: Sequence[NativeFunction], infos: Sequence[dict[str, DifferentiabilityInfo]]
) -> list[_Found | None]:
    """Finds the derivatives of operators among those by key of other operators."""

def differentiable_outputs(
    f: NativeFunction, infos: dict[str, DifferentiabilityInfo] | None, key: str
) -> list[tuple[str, Type, str]]:
    """The differentiable outputs of an operator by its derivatives for a key: names, types, and types in C++."""

def runs_meta_function(group: NativeFunctionsGroup, index: BackendIndex) -> bool:
    """Whether the wrappers of a group run its meta function."""

def is_for_backends(f: NativeFunction, index: BackendIndex) -> bool:
    """Whether backends have to define a member of a structured group, whatever its meta function is."""

def wrapper_made_from(
    f: NativeFunction, group: NativeFunctionsGroup | None, index: BackendIndex
) -> Literal["kernel", "functional", "nothing"] | None:
    """What the wrapper of an operator that needs no meta function is made from, which may be in a group; None if it
    has no wrapper."""

_Signed = tuple[str, str, CType, Sequence[tuple[str, NamedCType]]]

def unstructured_code(
    target: str,
    f: NativeFunction,
    group: NativeFunctionsGroup | None,
    index: BackendIndex,
    class_name: str | None,
    symint: bool,
    written: tuple[Sequence[_Signed], str | None],
) -> str | None:
    """The code of an operator that needs no meta function, which may be in a group. Methods may have written the
    signatures of wrappers and the check of devices."""

def structured_code(
    target: str, f: NativeFunction, group: NativeFunctionsGroup, index: BackendIndex, symint: bool
) -> str | None:
    """The code of a member of a structured group, but for its wrapper."""

def device_check(index: BackendIndex, checks: bool, arguments: Sequence[Argument], name: str) -> str:
    """The code that checks the devices of arguments."""

# The variants of a group are known by their kind.

def class_names(group: NativeFunctionsGroup, kind: str, index: BackendIndex) -> tuple[str, str, bool]:
    """The names of a wrapper's class and of its base class, and whether the outputs of that one are
    set too."""

def class_constructor(
    group: NativeFunctionsGroup, kind: str, index: BackendIndex, class_name: str, returns: int
) -> str:
    """The constructor of a wrapper's class."""

def set_output_body(group: NativeFunctionsGroup, kind: str, index: BackendIndex, proxies: bool) -> str:
    """The statements that set an output."""

def set_output_functions(
    group: NativeFunctionsGroup,
    kind: str,
    index: BackendIndex,
    parent_class: str,
    inherits: bool,
    bodies: tuple[str, str],
) -> str:
    """The functions that set outputs, around statements that do it with a proxy and without."""

def wrapper_class(
    group: NativeFunctionsGroup, kind: str, index: BackendIndex, names: tuple[str, str], members: tuple[str, str]
) -> str:
    """The class of a wrapper, around its constructor and its functions."""

def structured_wrapper(
    group: NativeFunctionsGroup, kind: str, index: BackendIndex, class_text: str, device_check: str | None
) -> str:
    """A wrapper with its class. A method may have written the check of devices."""

def registration_headers(
    index: BackendIndex, per_operator_headers: bool, rocm: bool, native_aot: bool
) -> list[str]:
    """The headers for making outputs, one a line."""

def empty_names(index: BackendIndex) -> tuple[str, str] | None:
    """The functions that make a tensor, without strides and with them, if they are known."""

def registration_helper(which: str, index: BackendIndex, empty: tuple[str, str] | None) -> str | None:
    """A function that structured wrappers call, or a line around all of them."""

def kernel_declarations(
    f: NativeFunction | None, group: NativeFunctionsGroup | None, index: BackendIndex
) -> list[str]:
    """The declarations of the kernels of an operator, or of a group."""

def meta_declaration(group: NativeFunctionsGroup, index: BackendIndex) -> str | None:
    """The declaration of a structured group's meta function."""

def ufunc_text(group: NativeFunctionsGroup, index: BackendIndex, part: Literal["cpu", "cpu_kernel", "cuda"]) -> str:
    """A part of the code that a group's inner loops make."""

def schema_registrations(
    functions: Sequence[NativeFunction], selected: Sequence[bool], index: BackendIndex
) -> tuple[list[str], str]:
    """The registrations of the selected ones of some operators: those of PyTorch's own namespace, and
    the libraries of all others."""

def static_dispatch(
    f: NativeFunction,
    schema: FunctionSchema,
    cpp: tuple[bool, bool] | None,
    symint: bool,
    indices: Sequence[BackendIndex],
) -> str:
    """The statement that calls the backend of an operator, in a function of a signature: of the
    schema, the dispatcher's, or C++'s, which is faithful or a method."""

def generated_variants(
    functions: list[NativeFunction],
) -> tuple[DispatchKey, list[tuple[NativeFunction, BackendMetadata]]]:
    """The variants that are generated for some operators, with the key of their kernels."""

def out_schema(schema: FunctionSchema) -> FunctionSchema:
    """The schema of an operator's out variant."""

def backend_texts(
    header: DispatchKey,
    key: DispatchKey,
    directory: str,
    flags: tuple[bool, bool],
    deferred: str | None,
    registrations: Sequence[str],
) -> tuple[str, str, str, str]:
    """What a key's files have beside the code of single operators: the comment of the header, its
    include, the include of PyTorch's functions, and the registrations. The flags are whether the
    backend is built with PyTorch, and with headers per operator."""

def kernel_body(
    function: NativeFunctionWithDifferentiabilityInfo, key: str, for_complex: bool | None
) -> list[str]:
    """The statements of an operator's kernel for a key. The flag says whether its gradients are those of complex
    tensors too."""

def names_for_complex() -> list[str]:
    """The base names of operators whose gradients are those of complex tensors too."""

def unpacking(f: NativeFunction) -> tuple[list[str], list[str]]:
    """The statements that an operator's kernel begins with, and the names of its arguments after them."""

def is_derived(function: NativeFunctionWithDifferentiabilityInfo) -> bool:
    """Whether an operator's kernel is generated."""

def inplace_or_view_parts(function: NativeFunctionWithDifferentiabilityInfo) -> tuple[str, str, str] | None:
    """The include, the definition and the registration of the kernel that counts versions and tracks views; None if
    an operator needs none."""

def factory_definition(f: NativeFunction) -> str | None:
    """The functions of an operator that makes tensors, which set whether those require gradients; None if it makes
    none."""

def kernel_parts(f: NativeFunction, key: str) -> tuple[str, str, str]:
    """The name of an operator's kernel for a key, its parameters, and its registration."""

def kernel_text(returns_type: str, name: str, formals: str, body: str) -> str:
    """A kernel around its parts."""

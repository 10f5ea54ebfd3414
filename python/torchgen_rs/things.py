"""What ``torchgen_rs.facts`` returns: the objects that ``torchgen-rs model`` prints.

``UPDATE_EXPECT=1 cargo test --test fast python_functions::`` writes this file from the JSON Schema
of a line. Each type is that of a dictionary; a key without content is left out.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


class Composite(TypedDict):
    """Composite kernels by their dispatch keys."""

    explicit_autograd: bool
    """``CompositeExplicitAutograd``."""
    explicit_autograd_non_functional: bool
    """``CompositeExplicitAutogradNonFunctional``."""
    implicit_autograd: bool
    """``CompositeImplicitAutograd``."""
    implicit_autograd_nested_tensor: bool
    """``CompositeImplicitAutogradNestedTensor``."""


class _DerivativesKeys(TypedDict, total=False):
    complex_gradients: bool
    """Whether the formulas hold for complex tensors, if the entry says so."""
    output_differentiability: list[bool]
    """For each output, whether it is differentiable, if the entry says so."""


class Derivatives(_DerivativesKeys):
    """The derivatives for a key."""

    at: Place | None
    """Where the entry is."""
    backward: list[Formula]
    """The formulas for gradients."""
    forward: list[Formula]
    """The formulas for tangents."""
    key: str
    """``Autograd`` for all backends, or the key of one."""
    node: str | None
    """The class of the backward node; none if no input is differentiable."""
    non_differentiable: list[str]
    """The inputs that are declared to have no gradient."""
    of: str
    """The operator that they are written for."""
    saved_inputs: list[Saved]
    """What the forward pass keeps of inputs."""
    saved_outputs: list[Saved]
    """What it keeps of outputs."""


class Formula(TypedDict):
    """A formula."""

    at: Place | None
    """Where it is."""
    formula: str
    """The expression, as written; of tangents, as expanded."""
    of: list[str]
    """The inputs or outputs that it is for."""


class FormulaFacts(TypedDict):
    """The facts of a formula of derivatives. Its relations name the operators that are
    differentiated by it."""

    differentiates: list[str]
    """The inputs whose gradients, or the outputs whose tangents it computes."""
    direction: Literal["backward", "forward"]
    """Whether it computes gradients or tangents."""
    formula: str
    """The expression, as written; of tangents, as expanded."""
    functions: list[str] | None
    """The functions that it calls, as it spells them; null if it is not an expression."""
    key: str
    """``Autograd`` for all backends, or the key of one."""
    methods: list[str] | None
    """The methods that it calls; null if it is not an expression."""
    names: list[str] | None
    """The names that it takes from outside, each once; null if it is not read as a whole."""
    node: str | None
    """The class of the backward node."""


class GroupFacts(TypedDict):
    """The facts of a group: the variants of one operator. Its relations name its members."""

    root_name: str
    """The name that all variants share."""
    signature: str
    """What all variants have in common: no annotations, no out arguments."""
    structured: bool
    """The members have one meta function, and one kernel for each key."""


class _HeaderKeys(TypedDict, total=False):
    namespace: str
    """The namespace of the generated code, if the sources have one for all."""
    torch: str
    """The version of torch whose rules the facts follow."""


class Header(_HeaderKeys):
    """The first line: what the others are about."""

    family: str
    """The family of the sources: ``torch``, ``graph-ir``, …"""
    format: int
    """The version of the format."""
    program: str
    """The version of torchgen-rs that wrote the lines."""
    things: int
    """The number of things that follow, one a line."""


class InnerLoop(TypedDict):
    """An inner loop of a ufunc."""

    dtypes: list[str]
    """The scalar types of the loop."""
    name: str
    """The inner function."""


class _KernelKeys(TypedDict, total=False):
    at: Place
    """Where it is named, or registered."""
    registered: Place
    """Where generated code registers it, if it is named elsewhere; only a traced run shows it."""
    through: str
    """The structured out variant whose kernel it is."""
    when: str
    """The builds that have it, among those with the operator."""


class Kernel(_KernelKeys):
    """The kernel for a dispatch key."""

    function: str
    """The function, or the class of a structured kernel, with its namespace: ``at::native::add``.
    Of a generated registration, the name alone; in Python, ``.module:function``."""
    key: str
    """The dispatch key."""
    origin: Literal["dispatch", "default", "ufunc_inner_loop", "generated", "backend", "registered"]
    """Why it exists."""
    structured: bool
    """It is a structured kernel."""
    symint: bool
    """It takes symbolic integers."""


class KernelFacts(TypedDict):
    """The facts of a kernel: a function, or the class of a structured kernel. Its signatures are
    those that operators declare it with, and its relations name the operators that it serves."""

    services: list[Service]
    """The operators and keys that it serves."""
    structured: bool
    """It is a structured kernel."""


class _OperatorFactsKeys(TypedDict, total=False):
    aoti: bool
    """Compiled models call it by a C function; left out if they do not."""
    device_of: str
    """The argument whose device kernels switch to; none if it is that of tensor options."""
    dims: list[str]
    """What the dimensions of its tensors are called: lines, of which the first that fits counts."""
    flops: str
    """The number of floating-point operations of a call."""
    on_one_device: list[str]
    """The arguments that must be on one device."""
    onnx: str
    """The operator of ONNX as which it is exported."""
    ufunc_inner_loop: dict[str, InnerLoop]
    """Its inner loops by key."""
    versions: Versions
    """The versions of torch that have it; only of PyTorch's own operators."""
    vmap: str
    """How ``torch.vmap`` runs it, if its author says so."""
    when: str
    """The builds that have it."""


class OperatorFacts(_OperatorFactsKeys):
    """The facts of an operator: one overload, whether it has an entry or is generated."""

    abstract: bool
    """Its dispatch differs between backends. Declarations.yaml calls it ``abstract``."""
    autogen: list[str]
    """The variants that are generated from its entry."""
    autograd_kernel: bool
    """Its author wrote the kernel that computes its gradients."""
    category_override: str | None
    """The category of its Python bindings."""
    composite: Composite
    """The composite kernels that it has."""
    cpp_name: str
    """The name of its C++ function: ``add_``."""
    cpp_no_default_args: list[str]
    """Arguments whose defaults its C++ function leaves out."""
    derivatives: list[Derivatives]
    """Its derivatives by key."""
    device_check: str
    """``ExactSame`` or ``NoCheck``."""
    device_guard: bool
    """Whether kernels switch to the device of their arguments."""
    differentiable: bool
    """Gradients can flow through it."""
    dispatch: list[Kernel]
    """Its kernels, in the order in which the sources name the keys first."""
    factory: bool
    """It makes tensors from options, and is no method."""
    fake: bool
    """Its author says what its outputs are without data."""
    generated: bool
    """It has no entry of its own: ``autogen:`` of another one names it, which is at ``at``."""
    helper: bool
    """Formulas and C++ call it, and Python has no function for it."""
    inplace: bool
    """Its name says that it mutates ``self``."""
    manual_cpp_binding: bool
    """Its author writes its C++ function."""
    manual_kernel_registration: bool
    """Its author registers its kernels."""
    mutable: bool
    """It mutates an argument."""
    namespace: str
    """Its namespace: ``aten``."""
    native_name: str
    """The name that its kernel has by default: ``add_out_out``."""
    operator: str
    """Its name without the overload: ``add_``."""
    overload: str
    """Its overload: ``Tensor``; empty if it has none."""
    place_in_groups: int
    """Its place among all operators, if those of a group are where its first one is, in the order
    functional, out, inplace, mutable."""
    precomputed: Precomputed | None
    """The values that its meta function computes for its kernel."""
    python_module: str | None
    """Its module in Python."""
    registers_itself: bool
    """The library registers it by itself."""
    root_name: str
    """The name that all variants share: ``add``."""
    schema_kind: str
    """The kind of variant: ``functional``, ``inplace``, ``out``, ``mutable`` or ``scratch``."""
    structured: bool
    """It is the out variant that a meta function and a kernel are written for."""
    structured_delegate: str | None
    """The structured out variant that it gets its kernels from."""
    structured_inherits: str | None
    """The base class of its meta function."""
    symint: bool
    """It takes symbolic integers."""
    tags: list[str]
    """Its tags, sorted."""
    unambiguous_name: str
    """Its name as part of a C++ identifier: ``add__Tensor``."""
    use_const_ref_for_mutable_tensors: bool
    """C++ takes its mutable tensors as ``const Tensor &``."""
    variants: list[str]
    """Its bindings: ``function``, ``method``."""
    view: bool
    """It returns a view of an argument, or changes the geometry of one."""


class Output(TypedDict):
    """A generated file, and the lines at which its texts about a thing begin."""

    file: str
    """The file."""
    lines: list[int]
    """The lines, from 1, ascending."""


class _ParameterKeys(TypedDict, total=False):
    default: str
    """Its default in that language."""


class Parameter(_ParameterKeys):
    """A parameter of a function."""

    name: str
    """Its name."""
    type: str
    """Its type in the language of the function."""


class _PartKeys(TypedDict, total=False):
    alias: str
    """Its alias annotation: ``a``, ``a!``, ``a -> *``."""
    at: Place
    """Where it is written."""
    base: str
    """Its type without lists and optionals: ``Tensor`` of ``Tensor?[]``. Only of operators, as the
    next four."""
    cpp_default: str
    """Its default as a C++ expression."""
    cpp_name: str
    """Its name in C++, if that is another: ``result0`` of a return."""
    cpp_type: str
    """The C++ type of its value, optional or not: ``at::Tensor``. Declarations.yaml calls it
    ``dynamic_type``."""
    default: str
    """Its default, as written."""
    list: bool
    """It is a list."""
    mutable: bool
    """The operator mutates it."""
    name: str
    """Its name; returns may have none."""
    nullable: bool
    """Whether it, or its elements, may be missing."""
    optional: bool
    """It may be missing."""
    optional_element: bool
    """The elements of its list may be missing."""
    size: int
    """The length of a list, if its type has one."""


class Part(_PartKeys):
    """A part of a thing: an argument, a result, a field, an operand."""

    role: str
    """Its role: ``self``, ``argument``, ``keyword``, ``option``, ``out`` or ``return`` of an
    operator; ``input``, ``member``, ``result``, ``field``, ``value``, … in other families."""
    type: str
    """Its type, as the schema spells it."""


class _PlaceKeys(TypedDict, total=False):
    file: str
    """The file, as given or found. Inside a thing, it is missing if it is that of the thing."""


class Place(_PlaceKeys):
    """A place in a source."""

    column: int
    """The column in characters, from 1."""
    line: int
    """The line, from 1."""


class Precomputed(TypedDict):
    """``precomputed:``."""

    add: list[str]
    """The arguments added at the end."""
    parts: list[Part]
    """All of them, in this order, with C++ types."""
    replace: dict[str, list[str]]
    """The arguments that replace one of the schema's."""


class Relation(TypedDict):
    """How one thing relates to another."""

    kind: str
    """The kind of relation: ``group``, ``delegates_to``, ``generated_from``, ``lowered_from``,
    ``calls``, …"""
    to: str
    """The name of the other thing."""


class Saved(TypedDict):
    """A value that the forward pass keeps."""

    expr: str
    """The expression that makes it."""
    name: str
    """Its name in formulas."""
    type: str
    """Its C++ type."""


class _ServiceKeys(TypedDict, total=False):
    at: Place
    """Where it is named, or registered."""
    through: str
    """The structured out variant whose kernel it is."""
    when: str
    """The builds that have it, among those with the operator."""


class Service(_ServiceKeys):
    """What a kernel is registered for."""

    key: str
    """The dispatch key."""
    operator: str
    """The operator."""
    origin: Literal["dispatch", "default", "ufunc_inner_loop", "generated", "backend", "registered"]
    """Why it exists."""
    symint: bool
    """It takes symbolic integers there."""


class _SignatureKeys(TypedDict, total=False):
    absent: bool
    """Whether it is only how the convention spells the operator: there is no such function."""
    faithful: bool
    """Whether its parameters are those of the schema, in order. Otherwise it is the convenient
    form, with gathered options and out arguments first."""
    parameters: list[Parameter]
    """Its parameters."""
    returns: str
    """What it returns; empty if the convention does not say."""
    symint: bool
    """Whether it takes symbolic integers."""


class Signature(_SignatureKeys):
    """A function in generated code, or one that generated code calls."""

    convention: str
    """The rules it is made by: ``cpp``, ``dispatcher``, ``native``, ``structured``, ``python``,
    ``lazy``, ``stable``."""
    form: str
    """Which of the convention's functions it is: ``function``, ``method``, ``redispatch``,
    ``call``, ``kernel``, ``impl``, ``meta``, ``module``, ``shape``."""
    name: str
    """Its name, without the scope."""
    scope: str
    """Where it is: the namespace or class in C++, the module in Python."""
    text: str
    """Its declaration."""


class _ThingKeys(TypedDict, total=False):
    at: Place
    """Where its name is written."""
    doc: str
    """What it is for, in the words of its author."""
    outputs: list[Output]
    """Where the generated files are about it; only if asked for."""
    parts: list[Part]
    """Its arguments, fields, operands and results, in order."""
    relations: list[Relation]
    """How it relates to other things."""
    schema: str
    """Its schema string."""
    signatures: list[Signature]
    """Its functions in the generated code."""


class _Thing(_ThingKeys):
    """A declaration, or something that is made of declarations."""

    name: str
    """Its name, unique among the things of its kind: ``aten::add.Tensor``."""


class _VersionsKeys(TypedDict, total=False):
    until: str
    """The last one."""


class Versions(_VersionsKeys):
    """The versions of torch that have an operator. ``until`` is missing if the newest one has
    it."""

    since: str
    """The first one, or the oldest that is known."""


class ViewGroupFacts(TypedDict):
    """The facts of a view group: a view with its copy and its inplace form."""

    composite: bool
    """The view decomposes into other operators."""
    root_name: str
    """The name that its members share."""


class Operator(_Thing):
    """An operator: one overload."""

    kind: Literal["operator"]
    facts: OperatorFacts


class Group(_Thing):
    """The variants of one operator."""

    kind: Literal["group"]
    facts: GroupFacts


class ViewGroup(_Thing):
    """A view with its copy."""

    kind: Literal["view_group"]
    facts: ViewGroupFacts


class KernelThing(_Thing):
    """A kernel with all that it serves."""

    kind: Literal["kernel"]
    facts: KernelFacts


class FormulaThing(_Thing):
    """A formula with all that it differentiates."""

    kind: Literal["formula"]
    facts: FormulaFacts


class Record(_Thing):
    """A declaration of another family."""

    kind: str
    facts: dict[str, Any]


Thing = Union[Operator, Group, ViewGroup, KernelThing, FormulaThing, Record]
"""A declaration, or a group of them."""

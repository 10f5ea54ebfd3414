//! What only PyTorch's family knows of an operator.
//!
//! Invariant: plain data. Names are those of native_functions.yaml, of derivatives.yaml or of
//! PyTorch's own tools where they have one.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use torchgen_kit::facts::{Header, Part, Place, Thing};

/// A line of `torchgen-rs model` on PyTorch's operators or on a library: the header, or a thing.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
pub(crate) enum Line {
    Header(Header),
    Thing(Box<Thing<TorchFacts>>),
}

/// The facts by the kind of thing.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum TorchFacts {
    /// Of an `operator`.
    Operator(Box<OperatorFacts>),
    /// Of a `group`.
    Group(GroupFacts),
    /// Of a `view_group`.
    ViewGroup(ViewGroupFacts),
    /// Of a `kernel`.
    Kernel(KernelFacts),
    /// Of a `formula`.
    Formula(FormulaFacts),
}

impl TorchFacts {
    /// Those of an operator; `None` if they are of something else.
    pub(crate) fn of_operator(&self) -> Option<&OperatorFacts> {
        match self {
            TorchFacts::Operator(facts) => Some(facts),
            _ => None,
        }
    }
}

/// The facts of an operator: one overload, whether it has an entry or is generated.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct OperatorFacts {
    /// Its namespace: `aten`.
    pub(crate) namespace: String,
    /// Its name without the overload: `add_`.
    pub(crate) operator: String,
    /// Its overload: `Tensor`; empty if it has none.
    pub(crate) overload: String,
    /// The name that all variants share: `add`.
    pub(crate) root_name: String,
    /// Its name as part of a C++ identifier: `add__Tensor`.
    pub(crate) unambiguous_name: String,
    /// The name of its C++ function: `add_`.
    pub(crate) cpp_name: String,
    /// The name that its kernel has by default: `add_out_out`.
    pub(crate) native_name: String,
    /// Its place among all operators, if those of a group are where its first one is, in the order
    /// functional, out, inplace, mutable.
    pub(crate) place_in_groups: usize,
    /// The kind of variant: `functional`, `inplace`, `out`, `mutable` or `scratch`.
    pub(crate) schema_kind: &'static str,
    /// Its bindings: `function`, `method`.
    pub(crate) variants: Vec<&'static str>,
    /// Its tags, sorted.
    pub(crate) tags: Vec<String>,
    /// It has no entry of its own: `autogen:` of another one names it, which is at `at`.
    pub(crate) generated: bool,
    /// The variants that are generated from its entry.
    pub(crate) autogen: Vec<String>,
    /// It mutates an argument.
    pub(crate) mutable: bool,
    /// It takes symbolic integers.
    pub(crate) symint: bool,
    /// It returns a view of an argument, or changes the geometry of one.
    pub(crate) view: bool,
    /// Its name says that it mutates `self`.
    pub(crate) inplace: bool,
    /// It is the out variant that a meta function and a kernel are written for.
    pub(crate) structured: bool,
    /// The structured out variant that it gets its kernels from.
    pub(crate) structured_delegate: Option<String>,
    /// The base class of its meta function.
    pub(crate) structured_inherits: Option<String>,
    /// The values that its meta function computes for its kernel.
    pub(crate) precomputed: Option<Precomputed>,
    /// Its inner loops by key.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) ufunc_inner_loop: IndexMap<String, InnerLoop>,
    /// The composite kernels that it has.
    pub(crate) composite: Composite,
    /// Its dispatch differs between backends. Declarations.yaml calls it `abstract`.
    #[serde(rename = "abstract")]
    pub(crate) is_abstract: bool,
    /// It makes tensors from options, and is no method.
    pub(crate) factory: bool,
    /// Gradients can flow through it.
    pub(crate) differentiable: bool,
    /// Formulas and C++ call it, and Python has no function for it.
    pub(crate) helper: bool,
    /// Its author wrote the kernel that computes its gradients.
    pub(crate) autograd_kernel: bool,
    /// Its module in Python.
    pub(crate) python_module: Option<String>,
    /// The category of its Python bindings.
    pub(crate) category_override: Option<String>,
    /// Whether kernels switch to the device of their arguments.
    pub(crate) device_guard: bool,
    /// `ExactSame` or `NoCheck`.
    pub(crate) device_check: &'static str,
    /// The argument whose device kernels switch to; none if it is that of tensor options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) device_of: Option<String>,
    /// The arguments that must be on one device.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) on_one_device: Vec<String>,
    /// Its author registers its kernels.
    pub(crate) manual_kernel_registration: bool,
    /// The library registers it by itself.
    pub(crate) registers_itself: bool,
    /// Its author writes its C++ function.
    pub(crate) manual_cpp_binding: bool,
    /// Arguments whose defaults its C++ function leaves out.
    pub(crate) cpp_no_default_args: Vec<String>,
    /// C++ takes its mutable tensors as `const Tensor &`.
    pub(crate) use_const_ref_for_mutable_tensors: bool,
    /// The builds that have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) when: Option<String>,
    /// Its author says what its outputs are without data.
    pub(crate) fake: bool,
    /// How `torch.vmap` runs it, if its author says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) vmap: Option<String>,
    /// What the dimensions of its tensors are called: lines, of which the first that fits counts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) dims: Vec<String>,
    /// The number of floating-point operations of a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) flops: Option<String>,
    /// Compiled models call it by a C function; left out if they do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) aoti: Option<bool>,
    /// The operator of ONNX as which it is exported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) onnx: Option<String>,
    /// Its kernels, in the order in which the sources name the keys first.
    pub(crate) dispatch: Vec<Kernel>,
    /// Its derivatives by key.
    pub(crate) derivatives: Vec<Derivatives>,
    /// The versions of torch that have it; only of PyTorch's own operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) versions: Option<Versions>,
}

/// `precomputed:`
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Precomputed {
    /// The arguments that replace one of the schema's.
    pub(crate) replace: IndexMap<String, Vec<String>>,
    /// The arguments added at the end.
    pub(crate) add: Vec<String>,
    /// All of them, in this order, with C++ types.
    pub(crate) parts: Vec<Part>,
}

/// An inner loop of a ufunc.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct InnerLoop {
    /// The inner function.
    pub(crate) name: String,
    /// The scalar types of the loop.
    pub(crate) dtypes: Vec<String>,
}

/// Composite kernels by their dispatch keys.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct Composite {
    /// `CompositeImplicitAutograd`
    pub(crate) implicit_autograd: bool,
    /// `CompositeImplicitAutogradNestedTensor`
    pub(crate) implicit_autograd_nested_tensor: bool,
    /// `CompositeExplicitAutograd`
    pub(crate) explicit_autograd: bool,
    /// `CompositeExplicitAutogradNonFunctional`
    pub(crate) explicit_autograd_non_functional: bool,
}

/// The kernel for a dispatch key.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Kernel {
    /// The dispatch key.
    pub(crate) key: String,
    /// The function, or the class of a structured kernel, with its namespace: `at::native::add`.
    /// Of a generated registration, the name alone; in Python, `.module:function`.
    pub(crate) function: String,
    /// It is a structured kernel.
    pub(crate) structured: bool,
    /// It takes symbolic integers.
    pub(crate) symint: bool,
    /// Why it exists.
    pub(crate) origin: Origin,
    /// Where it is named, or registered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<Place>,
    /// Where generated code registers it, if it is named elsewhere; only a traced run shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) registered: Option<Place>,
    /// The structured out variant whose kernel it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) through: Option<String>,
    /// The builds that have it, among those with the operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) when: Option<String>,
}

impl Kernel {
    /// Where generated code registers it, if a traced run showed it.
    pub(crate) fn registration(&self) -> Option<&Place> {
        let own = self.at.as_ref().filter(|_| self.origin == Origin::Registered);
        self.registered.as_ref().or(own)
    }
}

/// Why a kernel exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Origin {
    /// `dispatch:` names it.
    Dispatch,
    /// The entry has no `dispatch:`, so there is one composite kernel.
    Default,
    /// It is made of the loops of `ufunc_inner_loop:`.
    UfuncInnerLoop,
    /// It is generated, as its operator is.
    Generated,
    /// The YAML of a backend names it.
    Backend,
    /// Generated code registers it; only a traced run shows these.
    Registered,
}

/// The derivatives for a key.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Derivatives {
    /// `Autograd` for all backends, or the key of one.
    pub(crate) key: &'static str,
    /// Where the entry is.
    pub(crate) at: Option<Place>,
    /// The operator that they are written for.
    pub(crate) of: String,
    /// The class of the backward node; none if no input is differentiable.
    pub(crate) node: Option<String>,
    /// The formulas for gradients.
    pub(crate) backward: Vec<Formula>,
    /// The formulas for tangents.
    pub(crate) forward: Vec<Formula>,
    /// What the forward pass keeps of inputs.
    pub(crate) saved_inputs: Vec<Saved>,
    /// What it keeps of outputs.
    pub(crate) saved_outputs: Vec<Saved>,
    /// The inputs that are declared to have no gradient.
    pub(crate) non_differentiable: Vec<String>,
    /// For each output, whether it is differentiable, if the entry says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output_differentiability: Option<Vec<bool>>,
    /// Whether the formulas hold for complex tensors, if the entry says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) complex_gradients: Option<bool>,
}

/// A formula.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Formula {
    /// The inputs or outputs that it is for.
    pub(crate) of: Vec<String>,
    /// The expression, as written; of tangents, as expanded.
    pub(crate) formula: String,
    /// Where it is.
    pub(crate) at: Option<Place>,
}

/// A value that the forward pass keeps.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Saved {
    /// Its name in formulas.
    pub(crate) name: String,
    /// Its C++ type.
    #[serde(rename = "type")]
    pub(crate) ty: String,
    /// The expression that makes it.
    pub(crate) expr: String,
}

/// The versions of torch that have an operator. `until` is missing if the newest one has it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Versions {
    /// The first one, or the oldest that is known.
    pub(crate) since: String,
    /// The last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<String>,
}

/// The facts of a group: the variants of one operator. Its relations name its members.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct GroupFacts {
    /// The name that all variants share.
    pub(crate) root_name: String,
    /// The members have one meta function, and one kernel for each key.
    pub(crate) structured: bool,
    /// What all variants have in common: no annotations, no out arguments.
    pub(crate) signature: String,
}

/// The facts of a view group: a view with its copy and its inplace form.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct ViewGroupFacts {
    /// The name that its members share.
    pub(crate) root_name: String,
    /// The view decomposes into other operators.
    pub(crate) composite: bool,
}

/// The facts of a kernel: a function, or the class of a structured kernel. Its signatures are those
/// that operators declare it with, and its relations name the operators that it serves.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct KernelFacts {
    /// It is a structured kernel.
    pub(crate) structured: bool,
    /// The operators and keys that it serves.
    pub(crate) services: Vec<Service>,
}

/// What a kernel is registered for.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Service {
    /// The operator.
    pub(crate) operator: String,
    /// The dispatch key.
    pub(crate) key: String,
    /// It takes symbolic integers there.
    pub(crate) symint: bool,
    /// Why it exists.
    pub(crate) origin: Origin,
    /// Where it is named, or registered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<Place>,
    /// The structured out variant whose kernel it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) through: Option<String>,
    /// The builds that have it, among those with the operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) when: Option<String>,
}

/// The facts of a formula of derivatives. Its relations name the operators that are differentiated
/// by it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct FormulaFacts {
    /// Whether it computes gradients or tangents.
    pub(crate) direction: Direction,
    /// `Autograd` for all backends, or the key of one.
    pub(crate) key: &'static str,
    /// The inputs whose gradients, or the outputs whose tangents it computes.
    pub(crate) differentiates: Vec<String>,
    /// The expression, as written; of tangents, as expanded.
    pub(crate) formula: String,
    /// The class of the backward node.
    pub(crate) node: Option<String>,
    /// The names that it takes from outside, each once; null if it is not read as a whole.
    pub(crate) names: Option<Vec<String>>,
    /// The functions that it calls, as it spells them; null if it is not an expression.
    pub(crate) functions: Option<Vec<String>>,
    /// The methods that it calls; null if it is not an expression.
    pub(crate) methods: Option<Vec<String>>,
}

/// What a formula computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Direction {
    /// Gradients of inputs.
    Backward,
    /// Tangents of outputs.
    Forward,
}

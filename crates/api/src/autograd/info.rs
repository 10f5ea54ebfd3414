//! What is known about an operator's derivatives: the formulas, what they save and what they are
//! for.
//!
//! Invariant: formulas are single C++ expressions in which saved attributes already replace inputs
//! and outputs. [`load`](super::load) makes them, and nothing changes them. Rule:
//! torchgen/api/autograd.py.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use super::differentiable::differentiable;
use super::formula;
use crate::{Binding, CType};
use torchgen_base::diag::Span;
use torchgen_model::group::NativeFunctionsViewGroup;
use torchgen_model::model::{Argument, DispatchKey, FunctionSchema, NativeFunction, Return, Target, Type, cpp_names};

/// The key of derivatives that apply to every backend: `Default` in derivatives.yaml, `Autograd` to
/// the dispatcher.
pub const DEFAULT_KEY: DispatchKey = DispatchKey::Autograd;

/// An input or an output that the forward pass keeps for the backward pass: all of it, or one
/// property.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SavedAttribute {
    /// Its name in formulas: `other_scalar_type`.
    pub name: String,
    /// Its type, without references.
    pub ty: CType,
    /// The expression that makes it when it is saved: `other.scalar_type()`.
    pub expr: String,
}

/// What the forward pass keeps something of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SavedFrom {
    /// An input.
    Input,
    /// An output.
    Output,
}

/// A formula for the gradients of one input, or of several at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derivative {
    /// The expression, with saved attributes in place of inputs and outputs.
    pub formula: String,
    /// The expression as written.
    pub original_formula: String,
    /// The inputs it is for.
    pub var_names: Vec<String>,
    /// What it needs of inputs, in order of appearance; a repeated use is listed again.
    pub saved_inputs: Vec<SavedAttribute>,
    /// What it needs of outputs.
    pub saved_outputs: Vec<SavedAttribute>,
    /// The gradients it uses by name.
    pub named_gradients: BTreeSet<String>,
    /// Where it is.
    pub span: Span,
}

/// A formula for the tangents of one output, or of several at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForwardDerivative {
    /// The expression; `auto_linear` and `auto_element_wise` are replaced by their expansions.
    pub formula: String,
    /// The outputs it is for.
    pub var_names: Vec<String>,
    /// Their types.
    pub var_types: Vec<Type>,
    /// The inputs whose tangents it needs.
    pub required_inputs_fw_grad: Vec<String>,
    /// The inputs whose primals it needs.
    pub required_inputs_primal: Vec<String>,
    /// It needs the value of `self` from before an inplace operator wrote it.
    pub required_original_self_value: bool,
    /// It was written for the functional variant and is used for the inplace one.
    pub is_reusing_outplace_formula: bool,
    /// Where it is.
    pub span: Span,
}

/// The derivatives of one operator for one key.
#[derive(Debug, Clone)]
pub struct DifferentiabilityInfo<'a> {
    /// The operator's name without its overload, as in derivatives.yaml. Copy variants of views
    /// have the view's name, then `_copy.`, which matters only where entries are ordered or sharded
    /// by it.
    pub name: String,
    /// The operator that carries the derivatives: of the variants with one signature, the one named
    /// in derivatives.yaml, or else the inplace one.
    pub func: &'a NativeFunction,
    /// The class of the backward node; `None` if no input is differentiable.
    pub op: Option<String>,
    /// The formulas for gradients.
    pub derivatives: Vec<Derivative>,
    /// The formulas for tangents.
    pub forward_derivatives: Arc<[ForwardDerivative]>,
    /// What all formulas need of inputs, each once.
    pub all_saved_inputs: Vec<SavedAttribute>,
    /// What all formulas need of outputs, each once.
    pub all_saved_outputs: Vec<SavedAttribute>,
    /// The names of the gradients of named outputs, in their order.
    pub available_named_gradients: Vec<String>,
    /// Those of them that formulas use.
    pub used_named_gradients: BTreeSet<String>,
    /// The inputs that gradients are computed for, in the order of the C++ function.
    pub args_with_derivatives: Vec<Binding<'a>>,
    /// The inputs that are declared to have no gradient.
    pub non_differentiable_arg_names: Vec<String>,
    /// For each output, whether it is differentiable, if the entry says so.
    pub output_differentiability: Option<Vec<bool>>,
    /// The C++ condition under which the only output is differentiable.
    pub output_differentiability_conditions: Option<Vec<String>>,
    /// Whether the formulas hold for complex tensors, if the entry says it.
    pub complex_gradients: Option<bool>,
    /// Where the entry's `name:` is.
    pub span: Span,
}

/// The derivatives of one operator by key, in the order of the file.
pub type InfoByKey<'a> = IndexMap<DispatchKey, DifferentiabilityInfo<'a>>;

/// What distinguishes operators: the schema, and in operator libraries the namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OperatorId<'a> {
    namespace: Option<&'a str>,
    func: &'a FunctionSchema,
}

impl<'a> OperatorId<'a> {
    /// The id of an operator.
    pub fn new(f: &'a NativeFunction, target: Target) -> Self {
        OperatorId { namespace: target.identity(f), func: &f.func }
    }

    /// The namespace, where it matters.
    pub(crate) fn namespace(self) -> Option<&'a str> {
        self.namespace
    }

    /// The schema.
    pub fn func(self) -> &'a FunctionSchema {
        self.func
    }
}

/// All derivatives of a run.
#[derive(Debug, Clone, Default)]
pub struct DifferentiabilityInfos<'a> {
    /// By operator, in the order of the file; those of views' copy variants come last.
    pub by_operator: IndexMap<OperatorId<'a>, Arc<InfoByKey<'a>>>,
    /// Every key that is used anywhere, in order of appearance.
    pub used_dispatch_keys: IndexSet<DispatchKey>,
}

impl<'a> DifferentiabilityInfos<'a> {
    /// All infos with a backward node, in order. Rule: gen_autograd_functions.py,
    /// `get_infos_with_derivatives_list`.
    pub fn with_derivatives(&self) -> impl Iterator<Item = &DifferentiabilityInfo<'a>> {
        self.by_operator.values().flat_map(|by_key| by_key.values()).filter(|info| info.has_derivatives())
    }
}

impl<'a> DifferentiabilityInfo<'a> {
    /// Its formulas are for one tensor of lists.
    pub fn is_foreach(&self) -> bool {
        self.name.starts_with("_foreach_")
    }

    /// Some input is differentiable.
    pub fn has_derivatives(&self) -> bool {
        !self.args_with_derivatives.is_empty()
    }

    /// Whether a formula computes the gradient of an argument.
    pub fn has_formula(&self, argument: &Argument) -> bool {
        self.args_with_derivatives.iter().any(|binding| binding.name == argument.name)
    }

    /// The same derivatives for the copy variant of a view, if there is one.
    pub(crate) fn create_view_copy_from_view_derivative(&self, g: &NativeFunctionsViewGroup<'a>) -> Option<Self> {
        Some(DifferentiabilityInfo {
            name: format!("{}_copy.", self.name),
            func: g.view_copy?,
            op: self.op.as_ref().map(|op| format!("{op}_copy")),
            ..self.clone()
        })
    }

    /// Whether a formula for gradients uses a name.
    pub(crate) fn uses_ident(&self, ident: &str) -> bool {
        self.derivatives.iter().any(|derivative| formula::uses(&derivative.formula, ident))
    }

    /// The place in `grads` of a gradient with the name of its output.
    pub fn place_of_gradient(&self, named: &str, target: Target) -> usize {
        let listed = self.output_differentiability.as_deref();
        let is_it = |ret: &Return| ret.cpp_name().is_some_and(|output| cpp_names::gradient(output) == named);
        // The reference counts outputs with a name.
        let place = match target.refuses_what_cannot_compile {
            true => differentiable(&self.func.func, listed).position(is_it),
            false => self.available_named_gradients.iter().position(|other| other == named),
        };
        place.unwrap_or_default()
    }

    /// Whether a formula checks if a saved value is still needed afterwards.
    pub fn uses_retain_variables(&self) -> bool {
        self.uses_ident("retain_variables")
    }

    /// Whether a formula uses the gradient of the first output as `grad`.
    pub fn uses_single_grad(&self) -> bool {
        self.uses_ident("grad")
    }
}

/// An operator and its derivatives.
#[derive(Debug, Clone)]
pub struct NativeFunctionWithDifferentiabilityInfo<'a> {
    /// The operator.
    pub func: &'a NativeFunction,
    /// Its derivatives by key; empty if it has none. They may come from another variant.
    pub info: Option<Arc<InfoByKey<'a>>>,
    /// The formulas for tangents by key, adapted to this variant. Has the keys of `info`.
    pub fw_derivatives: IndexMap<DispatchKey, Arc<[ForwardDerivative]>>,
}

impl<'a> NativeFunctionWithDifferentiabilityInfo<'a> {
    /// The derivatives for a key, if there are any for it.
    pub fn info_of(&self, key: DispatchKey) -> Option<&DifferentiabilityInfo<'a>> {
        self.info.as_ref()?.get(&key)
    }

    /// The formulas for tangents for a key.
    pub fn fw_derivatives_of(&self, key: DispatchKey) -> &[ForwardDerivative] {
        self.fw_derivatives.get(&key).map_or(&[], |formulas| formulas)
    }
}

/// What entries are looked up in.
#[derive(Debug, Clone, Copy)]
pub struct Operators<'a> {
    /// All operators, generated ones included. Those of a library may come from several namespaces.
    pub functions: &'a [&'a NativeFunction],
    /// Their view groups.
    pub view_groups: &'a [&'a NativeFunctionsViewGroup<'a>],
    /// Their layout.
    pub target: Target<'a>,
    /// The text of the header whose functions formulas can call, a library's `derivatives_manual.h`
    /// or PyTorch's `FunctionsManual.h`; empty if there is none.
    pub manual: &'a str,
}

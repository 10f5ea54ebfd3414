//! One entry of `native_functions.yaml`, checked, and the kernels it names per dispatch key.
//!
//! Invariant: built only by `yaml` readers through checks, or by variant generation in `group`; never changed afterwards.
//! Rule: torchgen/model.py, `NativeFunction`, `BackendMetadata`, `BackendIndex`.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

use super::{Argument, DispatchKey, FunctionSchema, OperatorName};
use crate::diag::Span;

/// Where a schema string is, and each of its arguments with its type and without its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SchemaSpans {
    /// The schema string.
    pub whole: Span,
    /// By the arguments' names in C++.
    arguments: Arc<[(String, Span)]>,
}

impl SchemaSpans {
    /// The spans of a schema at `whole`.
    pub(crate) fn new(whole: Span, arguments: impl IntoIterator<Item = (String, Span)>) -> SchemaSpans {
        SchemaSpans { whole, arguments: arguments.into_iter().collect() }
    }

    /// The argument of that name; the schema if it has none such.
    pub(crate) fn argument(&self, name: &str) -> Span {
        self.arguments.iter().find(|(own, _)| own == name).map_or(self.whole, |(_, span)| *span)
    }
}

/// Where the parts of an entry stand, for diagnostics of later stages. Generated operators carry the spans of their base.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EntrySpans {
    /// The whole entry's first key.
    pub entry: Span,
    /// The schema string.
    pub func: Span,
    /// The schema string with its arguments.
    pub schema: SchemaSpans,
    /// The operator name inside the schema string.
    pub name: Span,
    /// The value of `dispatch:`.
    pub dispatch: Option<Span>,
    /// The value of `autogen:`.
    pub autogen: Option<Span>,
    /// The value of `structured:` or `structured_delegate:`.
    pub structured: Option<Span>,
    /// The value of `view_inverse:`.
    pub view_inverse: Option<Span>,
}

/// A C++ function that an entry names besides its kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedFunction {
    /// The namespace it stands in.
    pub cpp_namespace: String,
    /// Its name there.
    pub name: String,
}

/// A Python function that an entry names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PythonFunction {
    /// The module; with dots before it, relative to the library's package.
    pub module: String,
    /// The function's name there.
    pub name: String,
}

/// `device_check:`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeviceCheckType {
    /// No check.
    NoCheck,
    /// All tensors on one device.
    ExactSame,
}

/// Which C++ bindings an operator has. At least one is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Variants {
    /// `at::op(...)`
    pub function: bool,
    /// `tensor.op(...)`
    pub method: bool,
}

/// A key of `ufunc_inner_loop:`. Rule: torchgen/model.py, `UfuncKey`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub(crate) enum UfuncKey {
    CUDAFunctor,
    CUDAFunctorOnOther,
    CUDAFunctorOnSelf,
    CPUScalar,
    CPUVector,
    ScalarOnly,
    Generic,
}

/// A value of `ufunc_inner_loop:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UfuncInnerLoop {
    /// The inner function.
    pub name: String,
    /// The scalar types it serves, in order.
    pub supported_dtypes: IndexSet<String>,
    /// The key it stands under.
    pub ufunc_key: UfuncKey,
}

/// `precomputed:` which arguments of the kernel are replaced by what the meta function computes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Precompute {
    /// Kernel argument -> what takes its place.
    pub replace: IndexMap<String, Vec<Argument>>,
    /// Arguments added at the end.
    pub add: Vec<Argument>,
}

/// One operator. Field meanings are those of the YAML keys of the same names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) struct NativeFunction {
    pub namespace: String,
    pub func: FunctionSchema,
    pub use_const_ref_for_mutable_tensors: bool,
    pub device_guard: bool,
    pub device_check: DeviceCheckType,
    pub python_module: Option<String>,
    pub category_override: Option<String>,
    pub variants: Variants,
    pub manual_kernel_registration: bool,
    pub manual_cpp_binding: bool,
    pub autogen: Vec<OperatorName>,
    pub ufunc_inner_loop: IndexMap<UfuncKey, UfuncInnerLoop>,
    pub structured: bool,
    pub structured_delegate: Option<OperatorName>,
    pub structured_inherits: Option<String>,
    pub precomputed: Option<Precompute>,
    pub view_inverse: Option<NamedFunction>,
    pub cpp_no_default_args: BTreeSet<String>,
    /// What the operator does, for people.
    pub doc: Option<String>,
    /// The function that makes its outputs where there is no data.
    pub fake: Option<PythonFunction>,
    /// Its dispatch differs between backends. Shown in Declarations.yaml.
    pub is_abstract: bool,
    /// Gradients may flow through it. In operator libraries the entry can say that they do not.
    pub differentiable: bool,
    pub has_composite_implicit_autograd_kernel: bool,
    pub has_composite_implicit_autograd_nested_tensor_kernel: bool,
    pub has_composite_explicit_autograd_kernel: bool,
    pub has_composite_explicit_autograd_non_functional_kernel: bool,
    pub tags: BTreeSet<String>,
    pub spans: EntrySpans,
}

/// The kernel of one operator for one dispatch key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BackendMetadata {
    /// The function's name.
    pub kernel: String,
    /// It is a structured kernel for this key.
    pub structured: bool,
    /// The namespace it stands in, `at::native` by default.
    pub cpp_namespace: String,
}

/// All kernels of one dispatch key.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub(crate) struct BackendIndex {
    pub dispatch_key: DispatchKey,
    /// The out variant is the one that is implemented; the others are made from it.
    pub use_out_as_primary: bool,
    /// Wrappers need a device guard.
    pub device_guard: bool,
    /// The backend lives outside ATen.
    pub external: bool,
    /// Looked up only, never walked.
    pub index: FxHashMap<OperatorName, BackendMetadata>,
}

/// How an operator takes part in a view group. Rule: torchgen/model.py, `ViewSchemaKind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ViewSchemaKind {
    /// Returns an alias of its input.
    Aliasing,
    /// Changes its input's geometry in place.
    AliasingInplace,
    /// Not a view.
    NonAliasing,
}

/// The namespace of kernels that name none.
pub(crate) const DEFAULT_KERNEL_NAMESPACE: &str = "at::native";

impl NativeFunction {
    /// The base name that files and groups are named after.
    pub(crate) fn root_name(&self) -> &str {
        &self.func.name.name.base
    }

    /// The operator is a structured kernel or delegates to one.
    pub(crate) fn part_of_structured_group(&self) -> bool {
        self.structured || self.structured_delegate.is_some()
    }

    /// It has any composite kernel. Rule: torchgen/model.py, `NativeFunction.has_composite_kernel`.
    pub(crate) fn has_composite_kernel(&self) -> bool {
        self.has_composite_implicit_autograd_kernel
            || self.has_composite_explicit_autograd_kernel
            || self.has_composite_explicit_autograd_non_functional_kernel
    }

    /// The operator carries the tag.
    pub(crate) fn has_tag(&self, tag: &str) -> bool {
        self.tags.contains(tag)
    }

    /// The operator did not stand in the YAML but was generated.
    pub(crate) fn is_generated(&self) -> bool {
        self.has_tag("generated")
    }

    /// Its result shares storage with an input. `resize_` and `resize_as_` are exempt: functionalization treats them apart.
    ///
    /// Rule: torchgen/model.py, `NativeFunction.is_view_op`.
    pub(crate) fn is_view_op(&self) -> bool {
        let non_mutating_view = self.func.returns.iter().any(|r| r.annotation.as_ref().is_some_and(|a| !a.is_write));
        non_mutating_view || self.is_inplace_view() || self.is_wildcard_view()
    }

    fn is_inplace_view(&self) -> bool {
        let name = &self.func.name;
        let resizes = name.overload_name.is_empty()
            && name.name.inplace
            && !name.name.dunder_method
            && matches!(name.name.base.as_str(), "resize" | "resize_as");
        self.has_tag("inplace_view") && !resizes
    }

    fn is_wildcard_view(&self) -> bool {
        self.func
            .schema_order_arguments()
            .any(|a| a.annotation.as_ref().is_some_and(|a| a.alias_set_after.iter().any(|s| s == "*")))
    }

    /// What part the operator plays in a view group.
    ///
    /// An inplace view without the tag `inplace_view` is a fault that grouping reports.
    pub(crate) fn view_schema_kind(&self) -> ViewSchemaKind {
        match (self.is_view_op(), self.func.name.name.inplace) {
            (true, true) => ViewSchemaKind::AliasingInplace,
            (true, false) => ViewSchemaKind::Aliasing,
            (false, _) => ViewSchemaKind::NonAliasing,
        }
    }
}

impl BackendMetadata {
    /// The kernel takes symbolic integers: its name says so.
    pub(crate) fn supports_symint(&self) -> bool {
        self.kernel.contains("_symint")
    }
}

impl BackendIndex {
    /// An index without kernels, as a key has that no entry names. Rule: torchgen/gen.py, `parse_native_yaml_struct`.
    pub(crate) fn empty(dispatch_key: DispatchKey) -> Self {
        BackendIndex {
            dispatch_key,
            use_out_as_primary: true,
            device_guard: false,
            external: false,
            index: FxHashMap::default(),
        }
    }

    /// The kernel of this very operator.
    pub(crate) fn get_kernel(&self, f: &NativeFunction) -> Option<&BackendMetadata> {
        self.index.get(&f.func.name)
    }

    /// This very operator has a kernel here.
    pub(crate) fn has_kernel(&self, f: &NativeFunction) -> bool {
        self.get_kernel(f).is_some()
    }
}

/// The kernels of all keys, in order of the keys' first appearance in the YAML.
#[derive(Debug, Clone)]
pub(crate) struct BackendIndices {
    indices: IndexMap<DispatchKey, BackendIndex>,
    undefined: BackendIndex,
}

impl Default for BackendIndices {
    fn default() -> Self {
        BackendIndices { indices: IndexMap::new(), undefined: BackendIndex::empty(DispatchKey::Undefined) }
    }
}

impl BackendIndices {
    /// The index of a key; for a key without kernels an empty one whose key is `Undefined`, as the reference has it.
    pub(crate) fn get(&self, key: DispatchKey) -> &BackendIndex {
        self.indices.get(&key).unwrap_or(&self.undefined)
    }

    /// The index of a key that has kernels.
    pub(crate) fn find(&self, key: DispatchKey) -> Option<&BackendIndex> {
        self.indices.get(&key)
    }

    /// All indices, in order of the keys' first appearance.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &BackendIndex> {
        self.indices.values()
    }

    /// Makes sure that the key has an index, with or without kernels.
    pub(crate) fn ensure(&mut self, key: DispatchKey) -> &mut BackendIndex {
        self.indices.entry(key).or_insert_with(|| {
            // Only devices like CUDA need guards in ATen's tree. Rule: torchgen/gen.py, `parse_native_yaml_struct`.
            BackendIndex { device_guard: key.is_cuda() || key.is_xpu(), ..BackendIndex::empty(key) }
        })
    }

    /// Adds the kernels of a key that has none.
    pub(crate) fn insert(&mut self, index: BackendIndex) {
        self.indices.insert(index.dispatch_key, index);
    }

    /// Guards and checks the devices of all keys that have any. ATen's tree does so for CUDA and XPU only; outside of it kernels for others
    /// are just as common.
    pub(crate) fn guard_devices(&mut self) {
        for index in self.indices.values_mut() {
            index.device_guard = index.dispatch_key.is_device();
        }
    }

    /// Adds a kernel.
    ///
    /// Returns `false`, changing nothing, when the operator already has one for the key.
    pub(crate) fn add(&mut self, key: DispatchKey, name: &OperatorName, kernel: BackendMetadata) -> bool {
        match self.ensure(key).index.entry(name.clone()) {
            std::collections::hash_map::Entry::Occupied(_) => false,
            std::collections::hash_map::Entry::Vacant(slot) => {
                slot.insert(kernel);
                true
            }
        }
    }
}

/// The kernel an operator is expected to have when its entry names none: the base name, with `_out` for out variants.
///
/// Rule: torchgen/api/cpp.py, `name`.
pub(crate) fn default_kernel_name(func: &FunctionSchema) -> String {
    let suffix = if func.is_out_fn() { "_out" } else { "" };
    format!("{}{suffix}", func.name.name)
}

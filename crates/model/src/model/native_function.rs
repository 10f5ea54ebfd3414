//! One entry of `native_functions.yaml`, checked, and the kernels it names per dispatch key.
//!
//! Invariant: built only by readers with checks, or by variant generation in `group`; never changed
//! afterwards. Rule: torchgen/model.py, `NativeFunction`, `BackendMetadata`, `BackendIndex`.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

use super::batching::BatchingRule;
use super::condition::{Condition, Conditions};
use super::dims::{Dims, Flops};
pub use super::entry_spans::{EntrySpans, SchemaSpans};
use super::onnx::OnnxOperator;
use super::outputs::Fake;
use super::python_function::PythonKernel;
use super::registration::Registration;
use super::{Argument, DispatchKey, FunctionSchema, OperatorName, SchemaKind};

/// A C++ function, other than a kernel, that an entry names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFunction {
    /// Its namespace.
    pub cpp_namespace: String,
    /// Its name in it.
    pub name: String,
}

/// `device_check:`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceCheckType {
    /// No check.
    NoCheck,
    /// All tensors on one device.
    ExactSame,
}

/// The C++ bindings of an operator. At least one is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variants {
    /// `at::op(...)`
    pub function: bool,
    /// `tensor.op(...)`
    pub method: bool,
}

/// A key of `ufunc_inner_loop:`. Rule: torchgen/model.py, `UfuncKey`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum UfuncKey {
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
pub struct UfuncInnerLoop {
    /// The inner function.
    pub name: String,
    /// The scalar types of the loop, in order.
    pub supported_dtypes: IndexSet<String>,
    /// Its key.
    pub ufunc_key: UfuncKey,
}

/// `precomputed:` the arguments of the kernel that results of the meta function replace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Precompute {
    /// Kernel argument -> its replacement.
    pub replace: IndexMap<String, Vec<Argument>>,
    /// Arguments added at the end.
    pub add: Vec<Argument>,
}

/// One operator. Field meanings are those of the YAML keys of the same names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct NativeFunction {
    pub namespace: String,
    pub func: FunctionSchema,
    pub use_const_ref_for_mutable_tensors: bool,
    pub device_guard: bool,
    pub device_check: DeviceCheckType,
    pub python_module: Option<String>,
    pub category_override: Option<String>,
    pub variants: Variants,
    pub manual_kernel_registration: bool,
    pub registration: Registration,
    /// What it mutates is counted by a generated kernel, unless it has one of its own.
    pub version_counter: bool,
    /// Formulas and C++ call it, and Python has no function for it.
    pub is_helper: bool,
    pub manual_cpp_binding: bool,
    pub autogen: Vec<OperatorName>,
    pub ufunc_inner_loop: IndexMap<UfuncKey, UfuncInnerLoop>,
    pub structured: bool,
    pub structured_delegate: Option<OperatorName>,
    pub structured_inherits: Option<String>,
    pub precomputed: Option<Precompute>,
    pub view_inverse: Option<NamedFunction>,
    pub cpp_no_default_args: BTreeSet<String>,
    /// What the operator does, for users.
    pub doc: Option<String>,
    /// What makes its outputs if there is no data.
    pub fake: Option<Fake>,
    /// How `torch.vmap` runs it, if its author says so.
    pub vmap: Option<BatchingRule>,
    /// What the dimensions of its tensors are called, and along which its parts are independent.
    pub dims: Option<Dims>,
    /// The number of floating-point operations of a call.
    pub flops: Option<Flops>,
    /// Compiled models call it by a C function of the library.
    pub aoti: bool,
    /// The operator of ONNX as which it is exported.
    pub onnx: Option<OnnxOperator>,
    /// Its kernels in Python, which the generated package registers. The indices of backends lack
    /// them: they have kernels in C++.
    pub python_kernels: Vec<PythonKernel>,
    /// Its dispatch differs between backends. Shown in Declarations.yaml.
    pub is_abstract: bool,
    /// Whether gradients can flow through it. In operator libraries the entry can disable this.
    pub differentiable: bool,
    pub has_composite_implicit_autograd_kernel: bool,
    pub has_composite_implicit_autograd_nested_tensor_kernel: bool,
    pub has_composite_explicit_autograd_kernel: bool,
    pub has_composite_explicit_autograd_non_functional_kernel: bool,
    /// Its author wrote the kernel that computes its gradients, so none is generated.
    pub has_autograd_kernel: bool,
    /// The library registers its gradients, and tests compare those of its entry with them.
    pub compares_gradients: bool,
    pub tags: BTreeSet<String>,
    /// The builds that have it, and its kernels.
    pub conditions: Conditions,
    pub spans: EntrySpans,
}

/// The kernel of one operator for one dispatch key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendMetadata {
    /// The function's name.
    pub kernel: String,
    /// It is a structured kernel for this key.
    pub structured: bool,
    /// Its namespace, `at::native` by default; empty for a function in none.
    pub cpp_namespace: String,
}

/// All kernels of one dispatch key.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub struct BackendIndex {
    pub dispatch_key: DispatchKey,
    /// The out variant is implemented; the others are made from it.
    pub use_out_as_primary: bool,
    /// Wrappers need a device guard.
    pub device_guard: bool,
    /// The backend is outside ATen.
    pub external: bool,
    /// Used only for look-ups, never for iteration.
    pub index: FxHashMap<OperatorName, BackendMetadata>,
}

/// The namespace of kernels without one.
pub const DEFAULT_KERNEL_NAMESPACE: &str = "at::native";

impl NativeFunction {
    /// An operator whose entry has no other key than `func:`. Kernels and spans are not set.
    pub fn of_schema(namespace: String, func: FunctionSchema) -> NativeFunction {
        NativeFunction {
            namespace,
            func,
            use_const_ref_for_mutable_tensors: false,
            device_guard: true,
            device_check: DeviceCheckType::ExactSame,
            python_module: None,
            category_override: None,
            variants: Variants { function: true, method: false },
            manual_kernel_registration: false,
            registration: Registration::Generated,
            version_counter: true,
            is_helper: false,
            manual_cpp_binding: false,
            autogen: Vec::new(),
            ufunc_inner_loop: IndexMap::new(),
            structured: false,
            structured_delegate: None,
            structured_inherits: None,
            precomputed: None,
            view_inverse: None,
            cpp_no_default_args: BTreeSet::new(),
            doc: None,
            fake: None,
            vmap: None,
            dims: None,
            flops: None,
            aoti: false,
            onnx: None,
            python_kernels: Vec::new(),
            is_abstract: false,
            differentiable: true,
            has_composite_implicit_autograd_kernel: false,
            has_composite_implicit_autograd_nested_tensor_kernel: false,
            has_composite_explicit_autograd_kernel: false,
            has_composite_explicit_autograd_non_functional_kernel: false,
            has_autograd_kernel: false,
            compares_gradients: false,
            tags: BTreeSet::new(),
            conditions: Conditions::default(),
            spans: EntrySpans::default(),
        }
    }

    /// The name with namespace and overload, as in selections: `aten::add.Tensor`.
    pub fn full_name(&self) -> String {
        format!("{}::{}", self.namespace, self.func.name)
    }

    /// The schema with its namespace, as in comments.
    pub fn qualified_schema(&self) -> String {
        format!("{}::{}", self.namespace, self.func)
    }

    /// The base name of files and groups.
    pub fn root_name(&self) -> &str {
        &self.func.name.name.base
    }

    /// The library registers it, so that nothing may be generated for it in C++.
    pub fn registers_itself(&self) -> bool {
        self.registration == Registration::Own
    }

    /// Headers register its kernels, in the sources that define them.
    pub fn is_included(&self) -> bool {
        self.registration == Registration::Included
    }

    /// The operator is a structured kernel or delegates to one.
    pub fn part_of_structured_group(&self) -> bool {
        self.structured || self.structured_delegate.is_some()
    }

    /// It has any composite kernel. Rule: torchgen/model.py, `NativeFunction.has_composite_kernel`.
    pub fn has_composite_kernel(&self) -> bool {
        self.has_composite_implicit_autograd_kernel
            || self.has_composite_explicit_autograd_kernel
            || self.has_composite_explicit_autograd_non_functional_kernel
    }

    /// Both are variants of one operator.
    pub fn is_variant_of(&self, other: &NativeFunction) -> bool {
        self.namespace == other.namespace
            && self.root_name() == other.root_name()
            && self.func.signature_key() == other.func.signature_key()
    }

    /// It is the functional variant that delegates to a structured out operator.
    pub fn is_functional_of(&self, out: &NativeFunction) -> bool {
        self.namespace == out.namespace
            && self.structured_delegate.as_ref() == Some(&out.func.name)
            && self.func.kind() == SchemaKind::Functional
    }

    /// The operator carries the tag.
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.contains(tag)
    }

    /// The operator is generated, and not in the YAML.
    pub fn is_generated(&self) -> bool {
        self.has_tag("generated")
    }

    /// Its result shares storage with an input. `resize_` and `resize_as_` are exempt:
    /// functionalization treats them specially.
    ///
    /// Rule: torchgen/model.py, `NativeFunction.is_view_op`.
    pub fn is_view_op(&self) -> bool {
        let non_mutating_view = self.func.returns.iter().any(|r| r.annotation.as_ref().is_some_and(|a| !a.is_write));
        non_mutating_view || self.is_inplace_view() || self.is_wildcard_view()
    }

    /// A result is a view of an argument, or an argument that C++ does not return by reference.
    pub fn returns_alias(&self) -> bool {
        self.func.returns.iter().any(|ret| ret.annotation.is_some() && !ret.is_write())
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

    /// When it has a kernel for a key. `made_from` are operators whose kernels it calls for that
    /// key.
    pub fn condition_for(&self, key: DispatchKey, made_from: &[&NativeFunction]) -> Option<Condition> {
        let all = std::iter::once(self).chain(made_from.iter().copied());
        Condition::all(all.flat_map(|f| f.conditions.of_kernel(key)))
    }
}

impl UfuncKey {
    /// The key of that name. Rule: torchgen/model.py, `UfuncKey.parse`.
    pub fn parse(text: &str) -> Option<UfuncKey> {
        Some(match text {
            "CUDAFunctor" => UfuncKey::CUDAFunctor,
            "CUDAFunctorOnOther" => UfuncKey::CUDAFunctorOnOther,
            "CUDAFunctorOnSelf" => UfuncKey::CUDAFunctorOnSelf,
            "CPUScalar" => UfuncKey::CPUScalar,
            "CPUVector" => UfuncKey::CPUVector,
            "ScalarOnly" => UfuncKey::ScalarOnly,
            "Generic" => UfuncKey::Generic,
            _ => return None,
        })
    }
}

impl BackendMetadata {
    /// The kernel takes symbolic integers: its name shows it.
    pub fn supports_symint(&self) -> bool {
        self.kernel.contains("_symint")
    }
}

impl BackendIndex {
    /// An index without kernels, for a key that no entry names. Rule: torchgen/gen.py,
    /// `parse_native_yaml_struct`.
    pub fn empty(dispatch_key: DispatchKey) -> Self {
        BackendIndex {
            dispatch_key,
            use_out_as_primary: true,
            device_guard: false,
            external: false,
            index: FxHashMap::default(),
        }
    }

    /// The kernel of exactly this operator.
    pub fn get_kernel(&self, f: &NativeFunction) -> Option<&BackendMetadata> {
        self.index.get(&f.func.name)
    }

    /// Exactly this operator has a kernel here.
    pub fn has_kernel(&self, f: &NativeFunction) -> bool {
        self.get_kernel(f).is_some()
    }
}

/// The kernels of all keys, in order of the keys' first appearance in the YAML.
#[derive(Debug, Clone)]
pub struct BackendIndices {
    indices: IndexMap<DispatchKey, BackendIndex>,
    undefined: BackendIndex,
}

impl Default for BackendIndices {
    fn default() -> Self {
        BackendIndices { indices: IndexMap::new(), undefined: BackendIndex::empty(DispatchKey::Undefined) }
    }
}

impl BackendIndices {
    /// The index of a key; for a key without kernels an empty one whose key is `Undefined`, as in
    /// the reference.
    pub fn get(&self, key: DispatchKey) -> &BackendIndex {
        self.indices.get(&key).unwrap_or(&self.undefined)
    }

    /// The index of a key that has kernels.
    pub fn find(&self, key: DispatchKey) -> Option<&BackendIndex> {
        self.indices.get(&key)
    }

    /// Exactly this operator has a kernel for a key.
    pub fn has_kernel(&self, key: DispatchKey, f: &NativeFunction) -> bool {
        self.find(key).is_some_and(|index| index.has_kernel(f))
    }

    /// All indices, in order of the keys' first appearance.
    pub fn iter(&self) -> impl Iterator<Item = &BackendIndex> {
        self.indices.values()
    }

    /// Makes sure that the key has an index, with or without kernels.
    pub fn ensure(&mut self, key: DispatchKey) -> &mut BackendIndex {
        self.indices.entry(key).or_insert_with(|| {
            // In ATen's tree only devices like CUDA need guards. Rule: torchgen/gen.py,
            // `parse_native_yaml_struct`.
            BackendIndex { device_guard: key.is_cuda() || key.is_xpu(), ..BackendIndex::empty(key) }
        })
    }

    /// Adds the kernels of a key that has none yet.
    pub fn insert(&mut self, index: BackendIndex) {
        self.indices.insert(index.dispatch_key, index);
    }

    /// Enables guards and device checks for all keys with devices. ATen's tree does so only for
    /// CUDA and XPU; outside it, kernels for other devices are as common.
    pub fn guard_devices(&mut self) {
        for index in self.indices.values_mut() {
            index.device_guard = index.dispatch_key.is_device();
        }
    }

    /// Adds a kernel.
    ///
    /// Returns `false`, without a change, if the operator already has one for the key.
    pub fn add(&mut self, key: DispatchKey, name: &OperatorName, kernel: BackendMetadata) -> bool {
        match self.ensure(key).index.entry(name.clone()) {
            std::collections::hash_map::Entry::Occupied(_) => false,
            std::collections::hash_map::Entry::Vacant(slot) => {
                slot.insert(kernel);
                true
            }
        }
    }
}

/// The expected kernel of an operator whose entry names none: the base name, with `_out` for out
/// variants.
///
/// Rule: torchgen/api/cpp.py, `name`.
pub(crate) fn default_kernel_name(func: &FunctionSchema) -> String {
    let suffix = if func.is_out_fn() { "_out" } else { "" };
    format!("{}{suffix}", func.name.name)
}

impl torchgen_base::render::trace::Traceable for NativeFunction {
    fn full_name(&self) -> String {
        NativeFunction::full_name(self)
    }
}

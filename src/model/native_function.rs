//! One entry of `native_functions.yaml`, checked, and the kernels it names per dispatch key.
//!
//! Invariant: built only by `yaml` readers through checks, or by variant generation in `group`; never changed afterwards.
//! Rule: torchgen/model.py, `NativeFunction`, `BackendMetadata`, `BackendIndex`.

use std::collections::{BTreeSet, HashMap};

use indexmap::{IndexMap, IndexSet};

use super::{Argument, DispatchKey, FunctionSchema, OperatorName};
use crate::diag::Span;

/// Where the parts of an entry stand, for diagnostics of later stages. Generated operators carry the spans of their base.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EntrySpans {
    /// The whole entry's first key.
    pub entry: Span,
    /// The schema string.
    pub func: Span,
    /// The operator name inside the schema string.
    pub name: Span,
    /// The value of `dispatch:`.
    pub dispatch: Option<Span>,
    /// The value of `autogen:`.
    pub autogen: Option<Span>,
    /// The value of `structured:` or `structured_delegate:`.
    pub structured: Option<Span>,
}

/// `device_check:`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceCheckType {
    /// No check.
    NoCheck,
    /// All tensors on one device.
    ExactSame,
}

/// Which C++ bindings an operator has. At least one is set.
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
    /// The scalar types it serves, in order.
    pub supported_dtypes: IndexSet<String>,
    /// The key it stands under.
    pub ufunc_key: UfuncKey,
}

/// `precomputed:` which arguments of the kernel are replaced by what the meta function computes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Precompute {
    /// Kernel argument -> what takes its place.
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
    pub manual_cpp_binding: bool,
    pub autogen: Vec<OperatorName>,
    pub ufunc_inner_loop: IndexMap<UfuncKey, UfuncInnerLoop>,
    pub structured: bool,
    pub structured_delegate: Option<OperatorName>,
    pub structured_inherits: Option<String>,
    pub precomputed: Option<Precompute>,
    pub cpp_no_default_args: BTreeSet<String>,
    /// Its dispatch differs between backends. Shown in Declarations.yaml.
    pub is_abstract: bool,
    pub has_composite_implicit_autograd_kernel: bool,
    pub has_composite_implicit_autograd_nested_tensor_kernel: bool,
    pub has_composite_explicit_autograd_kernel: bool,
    pub has_composite_explicit_autograd_non_functional_kernel: bool,
    pub tags: BTreeSet<String>,
    pub spans: EntrySpans,
}

/// The kernel of one operator for one dispatch key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendMetadata {
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
pub struct BackendIndex {
    pub dispatch_key: DispatchKey,
    /// The out variant is the one that is implemented; the others are made from it.
    pub use_out_as_primary: bool,
    /// Wrappers need a device guard.
    pub device_guard: bool,
    /// The backend lives outside ATen.
    pub external: bool,
    /// Looked up only, never walked.
    pub index: HashMap<OperatorName, BackendMetadata>,
}

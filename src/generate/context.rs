//! What every ATen generator gets: the checked model, the flags and the renderer.
//!
//! Invariant: borrowed and read-only, so generators run in parallel in any order. Deliberately absent: files read or written.

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::group::{Grouped, NativeFunctionsGroup, NativeFunctionsViewGroup};
use crate::model::selector::Selector;
use crate::model::{BackendIndex, BackendIndices, DispatchKey, NativeFunction};
use crate::render::Renderer;
use crate::write::{Manager, OutputFile};

/// Flags that change what is generated. Rule: torchgen/gen.py, `main`.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Flags {
    pub per_operator_headers: bool,
    pub rocm: bool,
    pub skip_dispatcher_op_registration: bool,
    pub force_schema_registration: bool,
    pub update_aoti_c_shim: bool,
    pub extend_aoti_c_shim: bool,
    /// Directory whose existing shim headers are checked.
    pub aoti_install_dir: std::path::PathBuf,
}

/// Where each kind of file goes. Rule: torchgen/gen.py, `make_file_manager` and its uses.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub struct Managers {
    pub cpu: Manager,
    pub cpu_vec: Manager,
    pub core: Manager,
    pub ops: Manager,
    pub cuda: Manager,
    /// Only with `--xpu`; otherwise XPU's files go with CPU's.
    pub xpu: Option<Manager>,
    pub aoti: Manager,
    pub headeronly: Manager,
}

impl Managers {
    /// The manager of a key's files.
    pub fn of_key(&self, key: DispatchKey) -> &Manager {
        match &self.xpu {
            _ if key.is_cuda() => &self.cuda,
            Some(xpu) if key.is_xpu() => xpu,
            _ => &self.cpu,
        }
    }
}

/// Everything an ATen generator may use.
pub struct Context<'a> {
    /// All operators, those of the YAML first, then generated variants.
    pub functions: &'a [NativeFunction],
    /// Kernels by dispatch key.
    pub indices: &'a BackendIndices,
    /// Operators in groups, in order of first appearance.
    pub grouped: &'a [Grouped<'a>],
    /// The groups alone ("structured_native_functions" in the reference, structured or not).
    pub groups: &'a [NativeFunctionsGroup<'a>],
    /// The view groups.
    pub view_groups: &'a [NativeFunctionsViewGroup<'a>],
    /// The tags that tags.yaml declares.
    pub tags: &'a BTreeSet<String>,
    /// Which operators are registered.
    pub selector: &'a Selector,
    /// The keys to generate for, in order.
    pub dispatch_keys: &'a [DispatchKey],
    /// The keys that get `<Key>Functions.h`.
    pub functions_keys: &'a BTreeSet<DispatchKey>,
    /// The backends of `--static-dispatch-backend`, in order.
    pub static_dispatch: &'a [&'a BackendIndex],
    /// The keys of AOTInductor shims; `None` is the aten shim.
    pub aoti_backends: &'a [Option<DispatchKey>],
    /// Native-AOT declarations.
    pub native_aot: &'a crate::generate::native_aot::Manifests,
    /// Flags.
    pub flags: &'a Flags,
    /// Where files go.
    pub managers: &'a Managers,
    /// The templates.
    pub renderer: &'a Renderer,
}

/// What a generator returns: its files, or all faults it found.
pub type Outcome = Result<Vec<OutputFile>, Vec<Diagnostic>>;

//! What every ATen generator gets: the checked model, the flags and the renderer.
//!
//! Invariant: borrowed and read-only, so generators run in parallel in any order. Deliberately absent: files read or written.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, codes};
use crate::group::{Grouped, NativeFunctionsGroup, NativeFunctionsViewGroup};
use crate::model::selector::Selector;
use crate::model::{BackendIndex, BackendIndices, DispatchKey, NativeFunction};
use crate::render::{Env, RenderError, Renderer, Sharded};
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
    /// XPU's files have a manager of their own.
    pub xpu: bool,
    /// Directory whose existing shim headers are checked.
    pub aoti_install_dir: std::path::PathBuf,
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
    /// Flags.
    pub flags: &'a Flags,
    /// The templates.
    pub renderer: &'a Renderer,
}

impl Context<'_> {
    /// The manager of a key's files. Rule: torchgen/gen.py, `file_manager_from_dispatch_key`.
    pub fn manager_of(&self, key: DispatchKey) -> Manager {
        match key {
            _ if key.is_cuda() => Manager::Cuda,
            _ if key.is_xpu() && self.flags.xpu => Manager::Xpu,
            _ => Manager::Cpu,
        }
    }

    /// A file from a template of the source path, with the reference's default comment.
    ///
    /// Errors: as `Renderer::render_file`.
    pub fn file(&self, manager: Manager, name: &str, template: &str, env: &Env) -> Result<OutputFile, RenderError> {
        let contents = self.renderer.render_file(template, env, Some(GENERATOR))?;
        Ok(OutputFile::new(manager, name, contents))
    }

    /// The files of a split output, likewise.
    ///
    /// Errors: as `Renderer::render_sharded`.
    pub fn sharded(&self, manager: Manager, file: &Sharded) -> Result<Vec<OutputFile>, RenderError> {
        let rendered = self.renderer.render_sharded(file, Some(GENERATOR))?;
        Ok(rendered.into_iter().map(|file| OutputFile::rendered(manager, file)).collect())
    }
}

/// The program that "@generated" comments name. Rule: torchgen/utils.py, `FileManager`.
const GENERATOR: &str = "torchgen/gen.py";

/// All faults that a generator found; there is at least one.
#[derive(Debug)]
pub struct Faults(pub Vec<Diagnostic>);

impl From<Diagnostic> for Faults {
    fn from(diagnostic: Diagnostic) -> Self {
        Faults(vec![diagnostic])
    }
}

impl From<RenderError> for Faults {
    fn from(error: RenderError) -> Self {
        Diagnostic::new(&codes::TEMPLATE, error.to_string()).into()
    }
}

/// What a generator returns: its files, or all faults it found.
pub type Outcome = Result<Vec<OutputFile>, Faults>;

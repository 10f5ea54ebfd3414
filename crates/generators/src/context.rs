//! The input of every ATen generator: the checked model, the flags and the renderer.
//!
//! Invariant: borrowed and read-only, so generators can run in parallel in any order.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::LazyLock;

use super::author_signatures::{AuthorSignature, AuthorSignatures};
use super::outcome::{Errors, ItemError};
use crate::managers;
use crate::native_aot::Manifests;
use torchgen_api::Mode;
use torchgen_api::autograd::NativeFunctionWithDifferentiabilityInfo;
use torchgen_api::functionalization::{AT_INVERSES, AT_VIEW_METAS};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::trace::Traceable;
use torchgen_base::render::{Env, Fragment, RenderError, Renderer, Sharded};
use torchgen_base::write::{Manager, OutputFile};
use torchgen_kit::driver::context::{self, ErrorAt, FileContext};
use torchgen_model::group::{Grouped, NativeFunctionsGroup, NativeFunctionsViewGroup};
use torchgen_model::model::native_function::EntrySpans;
use torchgen_model::model::selector::Selector;
use torchgen_model::model::{ATEN, BackendIndex, BackendIndices, DispatchKey, NativeFunction, Target};
use torchgen_model::parse::entry::SchemaOnly;

/// Flags that change the output. Rule: torchgen/gen.py, `main`.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Flags {
    pub per_operator_headers: bool,
    pub rocm: bool,
    pub skip_dispatcher_op_registration: bool,
    pub force_schema_registration: bool,
    pub update_aoti_c_shim: bool,
    pub extend_aoti_c_shim: bool,
    /// The run looks up keys that the YAML names no kernel for, as generating sources does. The
    /// reference then opens the default namespace in headers even if it declares nothing in it.
    pub looks_up_other_keys: bool,
    /// XPU's files have their own manager.
    pub xpu: bool,
    /// The name of a library's Python package, if it differs from its namespace.
    pub python_package: Option<String>,
    /// Its version, for `__version__`.
    pub package_version: Option<String>,
    /// The package is one of several in another, which loads the shared library.
    pub in_python_package: bool,
    /// Directory of the existing shim headers to check.
    pub aoti_install_dir: std::path::PathBuf,
}

/// The C++ namespaces of generated code and of the code that it refers to.
#[derive(Debug, Clone)]
pub struct Namespaces {
    /// The public functions.
    pub api: String,
    /// The Operators API.
    pub operators: String,
    /// Functions that redispatch with a given dispatch key set.
    pub redispatch: String,
    /// Hand-written kernels, including composite ones.
    pub native: String,
    /// Kernels of functionalization, in the file that registers them.
    pub functionalization: String,
    /// Nodes of the backward pass; `None` if kernels refer to them by unqualified names.
    pub nodes: Option<String>,
    /// View metas.
    pub view_metas: String,
    /// Inverses of views.
    pub view_inverses: String,
    /// Backward nodes and replays of views.
    pub autograd: String,
    /// The macro that exports a symbol from its shared library.
    pub export: String,
    /// The namespace in which all operators are looked up, whatever their own; `None` if each has
    /// its own.
    pub schema: Option<String>,
    /// The directory of the headers, below `include/`.
    pub include_dir: String,
}

impl Namespaces {
    /// ATen's namespaces.
    pub fn aten() -> Self {
        Namespaces {
            api: "at".into(),
            operators: "at::_ops".into(),
            redispatch: "at::redispatch".into(),
            native: "at::native".into(),
            functionalization: "functionalization".into(),
            // VariableType.cpp opens `torch::autograd::generated`.
            nodes: None,
            view_metas: AT_VIEW_METAS.into(),
            view_inverses: AT_INVERSES.into(),
            autograd: "torch::autograd::generated".into(),
            export: "TORCH_API".into(),
            // The reference uses `aten` also for operators of other namespaces.
            schema: Some(ATEN.into()),
            include_dir: "ATen".into(),
        }
    }

    /// The namespaces of a backend that brings derivatives for PyTorch's operators, with kernels in
    /// `namespace`.
    pub fn backend(namespace: &str) -> Self {
        Namespaces {
            nodes: Some(format!("{namespace}::autograd")),
            autograd: format!("{namespace}::autograd"),
            // No one else makes the nodes.
            export: "C10_HIDDEN".into(),
            ..Namespaces::aten()
        }
    }

    /// The namespaces of operators in `namespace`.
    pub fn for_target(target: Target, namespace: &str) -> Self {
        if target.outside_at { Namespaces::library(namespace) } else { Namespaces::aten() }
    }

    /// The namespace of what the generated code of all operators shares.
    pub fn support(&self) -> String {
        format!("{}::support", self.autograd)
    }

    /// The namespaces of a library with operators in `namespace`.
    ///
    /// For PyTorch's own operators the functions are PyTorch's; kernels are in a namespace that
    /// PyTorch does not use.
    pub fn library(namespace: &str) -> Self {
        if namespace == ATEN {
            return Namespaces {
                native: "aten::native".into(),
                nodes: Some("aten::autograd".into()),
                autograd: "aten::autograd".into(),
                export: "ATEN_KERNELS_API".into(),
                schema: None,
                // Not `aten`, which equals `ATen` on some file systems.
                include_dir: "aten_kernels".into(),
                ..Namespaces::aten()
            };
        }
        Namespaces {
            api: namespace.to_owned(),
            operators: format!("{namespace}::_ops"),
            redispatch: format!("{namespace}::redispatch"),
            native: format!("{namespace}::native"),
            functionalization: "functionalization".into(),
            nodes: Some(format!("{namespace}::autograd")),
            view_metas: format!("{namespace}::functionalization"),
            view_inverses: format!("{namespace}::functionalization::FunctionalInverses"),
            autograd: format!("{namespace}::autograd"),
            export: format!("{}_API", namespace.replace("::", "_").to_ascii_uppercase()),
            schema: None,
            include_dir: namespace.replace("::", "/"),
        }
    }
}

/// What an ATen generator can use.
pub struct Context<'a> {
    /// All operators, those of the YAML first, then generated variants.
    pub functions: &'a [NativeFunction],
    /// Operators that are registered by their schemas alone.
    pub schema_only: &'a [&'a SchemaOnly],
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
    /// The selection of operators to register.
    pub selector: &'a Selector,
    /// The keys to generate for, in order.
    pub dispatch_keys: &'a [DispatchKey],
    /// The keys that get `<Key>Functions.h`.
    pub(crate) functions_keys: &'a BTreeSet<DispatchKey>,
    /// The backends of `--static-dispatch-backend`, in order.
    pub(crate) static_dispatch: &'a [&'a BackendIndex],
    /// The keys of AOTInductor shims; `None` is the aten shim.
    pub aoti_backends: &'a [Option<DispatchKey>],
    /// The operators with kernels compiled ahead of time.
    pub native_aot: &'a Manifests,
    /// The signatures of kernels that differ from their operators'.
    pub(crate) signatures: &'a AuthorSignatures,
    /// Flags.
    pub flags: &'a Flags,
    /// What to generate for.
    pub target: Target<'a>,
    /// C++ namespaces.
    pub namespaces: &'a Namespaces,
    /// How files are made; their destination is usually given for each.
    files: FileContext<'a>,
}

/// A context is one for files, with a model.
impl<'a> Deref for Context<'a> {
    type Target = FileContext<'a>;

    fn deref(&self) -> &FileContext<'a> {
        &self.files
    }
}

/// The operators for the generators.
#[derive(Clone, Copy)]
pub struct Model<'a> {
    /// All operators, those of the YAML first, then generated variants.
    pub functions: &'a [NativeFunction],
    /// Kernels by dispatch key.
    pub indices: &'a BackendIndices,
    /// Operators in groups, in order of first appearance.
    pub grouped: &'a [Grouped<'a>],
    /// The groups alone.
    pub groups: &'a [NativeFunctionsGroup<'a>],
    /// The view groups.
    pub view_groups: &'a [NativeFunctionsViewGroup<'a>],
}

/// The defaults of a context.
static ALL_OPERATORS: LazyLock<Selector> = LazyLock::new(Selector::nop);
static NO_TAGS: BTreeSet<String> = BTreeSet::new();
static NO_KEYS: BTreeSet<DispatchKey> = BTreeSet::new();
static NO_SIGNATURES: LazyLock<AuthorSignatures> = LazyLock::new(AuthorSignatures::default);
static NO_FLAGS: LazyLock<Flags> = LazyLock::new(Flags::default);
static NO_MANIFESTS: LazyLock<Manifests> = LazyLock::new(Manifests::default);

impl<'a> Context<'a> {
    /// A context of all these operators, without tags, keys to generate for or flags.
    pub fn new(
        target: Target<'a>,
        namespaces: &'a Namespaces,
        model: Model<'a>,
        renderer: &'a Renderer,
    ) -> Context<'a> {
        let Model { functions, indices, grouped, groups, view_groups } = model;
        Context {
            functions,
            schema_only: &[],
            indices,
            grouped,
            groups,
            view_groups,
            tags: &NO_TAGS,
            selector: &ALL_OPERATORS,
            dispatch_keys: &[],
            functions_keys: &NO_KEYS,
            static_dispatch: &[],
            aoti_backends: &[],
            native_aot: &NO_MANIFESTS,
            signatures: &NO_SIGNATURES,
            flags: &NO_FLAGS,
            target,
            namespaces,
            files: FileContext { program: PROGRAM, ..FileContext::new(renderer, managers::CPU) },
        }
    }

    /// With these flags.
    pub fn flags(self, flags: &'a Flags) -> Context<'a> {
        Context { flags, ..self }
    }

    /// With the tags that tags.yaml declares.
    pub fn tags(self, tags: &'a BTreeSet<String>) -> Context<'a> {
        Context { tags, ..self }
    }

    /// With only these operators registered.
    pub fn selected(self, selector: &'a Selector) -> Context<'a> {
        Context { selector, ..self }
    }

    /// Without a selection: with all operators, and all of these keys.
    pub fn unselected(&self, dispatch_keys: &'a [DispatchKey], flags: &'a Flags) -> Context<'a> {
        Context { selector: &ALL_OPERATORS, dispatch_keys, flags, ..*self }
    }

    /// With the keys to generate for, and those of them that get `<Key>Functions.h`.
    pub fn keys(self, dispatch_keys: &'a [DispatchKey], functions_keys: &'a BTreeSet<DispatchKey>) -> Context<'a> {
        Context { dispatch_keys, functions_keys, ..self }
    }

    /// With the backends of `--static-dispatch-backend`.
    pub fn static_dispatch(self, static_dispatch: &'a [&'a BackendIndex]) -> Context<'a> {
        Context { static_dispatch, ..self }
    }

    /// With the keys of AOTInductor shims; `None` is the aten shim.
    pub fn shims(self, aoti_backends: &'a [Option<DispatchKey>]) -> Context<'a> {
        Context { aoti_backends, ..self }
    }

    /// With the operators with kernels compiled ahead of time.
    pub fn native_aot(self, native_aot: &'a Manifests) -> Context<'a> {
        Context { native_aot, ..self }
    }

    /// With operators that are registered by their schemas alone.
    pub fn schema_only(self, schema_only: &'a [&'a SchemaOnly]) -> Context<'a> {
        Context { schema_only, ..self }
    }

    /// With kernels that their authors wrote with other types.
    pub fn signatures(self, signatures: &'a AuthorSignatures) -> Context<'a> {
        Context { signatures, ..self }
    }

    /// How the author of a kernel with these parameters wrote it, if otherwise.
    pub fn author_signature(&self, kernel: &str, parameters: &[String]) -> Option<&'a AuthorSignature> {
        self.signatures.of_kernel(kernel, parameters)
    }

    /// The namespace under which an operator is looked up.
    pub fn schema_namespace(&self, f: &'a NativeFunction) -> &'a str {
        self.namespaces.schema.as_deref().unwrap_or(&f.namespace)
    }
}

impl Context<'_> {
    /// How arguments are translated in functions of the API: outside `at`, its types must be
    /// qualified.
    pub fn mode(&self) -> Mode {
        Mode { outside_at: self.target.outside_at, ..Mode::default() }
    }

    /// The manager of a key's files. Rule: torchgen/gen.py, `file_manager_from_dispatch_key`.
    pub(crate) fn manager_of(&self, key: DispatchKey) -> Manager {
        match key {
            _ if key.is_cuda() => managers::CUDA,
            _ if key.is_xpu() && self.flags.xpu => managers::XPU,
            _ => managers::CPU,
        }
    }

    /// A file from a template of the source path, with the reference's default comment.
    pub fn file(&self, manager: Manager, name: &str, template: &str, env: &Env) -> Result<OutputFile, RenderError> {
        self.files.to(manager).file(name, template, env)
    }

    /// The files of a split output, likewise.
    pub fn sharded(&self, manager: Manager, file: &Sharded) -> Result<Vec<OutputFile>, RenderError> {
        self.files.to(manager).sharded(file)
    }
}

/// The program in "@generated" comments. Rule: torchgen/utils.py, `FileManager`.
const PROGRAM: &str = "torchgen/gen.py";

impl Context<'_> {
    /// Makes one value per item, in parallel, in the items' order.
    pub fn per_item<I, T>(
        &self,
        items: &[I],
        make: impl Fn(&I) -> Result<T, ItemError> + Sync + Send,
    ) -> Result<Vec<T>, Errors>
    where
        I: Subject + Sync,
        T: Send,
    {
        per_item(items, make)
    }

    /// One fragment per item that is about it, in parallel, in the items' order.
    pub fn fragments<I>(
        &self,
        items: &[I],
        make: impl Fn(&I) -> Result<String, ItemError> + Sync + Send,
    ) -> Result<Vec<Fragment>, Errors>
    where
        I: Subject + Traceable + Sync,
    {
        self.per_item(items, |item| make(item).map(|text| Fragment::new(self.renderer.about([item]).marked(text))))
    }

    /// The error as a diagnostic at the operator.
    pub(crate) fn error_at(&self, f: &NativeFunction, error: impl Into<ItemError>) -> Diagnostic {
        error.into().into_diagnostic(&f.spans)
    }
}

/// Makes one value per item, in parallel, in the items' order.
pub fn per_item<I, T>(items: &[I], make: impl Fn(&I) -> Result<T, ItemError> + Sync + Send) -> Result<Vec<T>, Errors>
where
    I: Subject + Sync,
    T: Send,
{
    Ok(context::per_item(items, make)?)
}

impl<I: Subject> ErrorAt<I> for ItemError {
    fn diagnostic_at(self, item: &I) -> Diagnostic {
        self.into_diagnostic(item.spans())
    }
}

/// Something of an entry of the YAML, at whose parts errors point.
pub trait Subject {
    /// The places of the entry's parts.
    fn spans(&self) -> &EntrySpans;
}

impl Subject for NativeFunction {
    fn spans(&self) -> &EntrySpans {
        &self.spans
    }
}

impl<S: Subject> Subject for &S {
    fn spans(&self) -> &EntrySpans {
        (**self).spans()
    }
}

impl Subject for NativeFunctionWithDifferentiabilityInfo<'_> {
    fn spans(&self) -> &EntrySpans {
        &self.func.spans
    }
}

impl Subject for NativeFunctionsGroup<'_> {
    fn spans(&self) -> &EntrySpans {
        &self.out.spans
    }
}

impl Subject for NativeFunctionsViewGroup<'_> {
    fn spans(&self) -> &EntrySpans {
        &self.view.spans
    }
}

impl Subject for Grouped<'_> {
    fn spans(&self) -> &EntrySpans {
        match self {
            Grouped::Function(f) => &f.spans,
            Grouped::Group(g) => g.spans(),
        }
    }
}

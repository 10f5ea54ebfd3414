//! The files of an operator library outside PyTorch: one tree per namespace.
//!
//! Operator fragments are those of the ATen generators, with the library's namespaces in their
//! views; the file templates are our own, in `templates/torch/library/`.
//!
//! Invariant: only public headers of PyTorch are included, and no symbol is defined in PyTorch's
//! namespaces. Empty files are not written. Sources are not split: a library is small.

mod autograd;
mod backend_select;
mod clashes;
mod cmake;
pub mod command;
pub(crate) mod fakes;
mod formulas;
mod functionalization;
mod headers;
pub(crate) mod implied;
pub mod kernels;
mod lints;
pub mod new;
pub(crate) mod python;
pub mod settings;
pub mod sources;
mod structured;
mod view;

use indexmap::IndexSet;

use self::Serves::{Own, OwnOrSchemas, OwnOrStock};
pub(crate) use formulas::check as check_formulas;
pub use formulas::{expressions, operator_of};
pub(crate) use functionalization::lints;
pub(crate) use lints::lints as entry_lints;
use settings::Settings;
pub(crate) use structured::shared_kernels;
use torchgen_base::diag::Diagnostics;
use torchgen_base::lang::cpp;
use torchgen_base::render::RenderError;
use torchgen_base::render::trace::around_marks;
use torchgen_base::write::{Manager, OutputFile};
use torchgen_generators::OutputKind::{self, Autograd, Headers, Python, Sources};
use torchgen_generators::register_dispatch_key::backend::Backend;
use torchgen_generators::register_dispatch_key::definitions::texts;
use torchgen_generators::register_dispatch_key::frame::library_helpers;
use torchgen_generators::{AutogradContext, Context, Generator, Outcome, info};
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_model::records::DerivativeRecord;
use view::Skeleton;
pub(crate) use view::is_selected;

/// The manager of a library's files. Its lists of outputs have no prefix.
pub const MANAGER: Manager = Manager::new("library", Some(""));

/// What a generator of a library's files works on: the operators of one namespace.
pub struct Inputs<'c, 'a> {
    /// The operators.
    pub(crate) context: Context<'a>,
    /// What autograd's generators get.
    pub autograd: AutogradContext<'c, 'a>,
    /// The entries of derivatives.yaml.
    pub derivatives: &'c [DerivativeRecord],
    /// Whether the author has functions for formulas.
    pub(crate) manual: bool,
    /// What holds for the whole library.
    pub(crate) settings: &'c Settings,
}

/// How a library is generated for an ABI.
pub struct Flavor {
    /// The generators of its files.
    pub(crate) generators: &'static [LibraryGenerator],
    /// What it cannot have, and what its author might not expect.
    pub(crate) lints: fn(&Inputs, &mut Diagnostics),
    /// Its Python package, if it has several namespaces.
    pub(crate) package: fn(&Settings) -> python::Variant<'static>,
}

/// Libraries on libtorch's C++ API.
const UNSTABLE: Flavor = Flavor { generators: GENERATORS, lints: unstable_lints, package: python::unstable };

fn unstable_lints(inputs: &Inputs, diagnostics: &mut Diagnostics) {
    diagnostics.extend(lints(&inputs.context));
    diagnostics.extend(entry_lints(&inputs.context, &inputs.autograd));
    diagnostics.extend(shared_kernels(&inputs.context));
}

/// Which namespaces a generator serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serves {
    /// Those of the library's own operators.
    Own,
    /// Also one whose operators are registered by their schemas alone.
    OwnOrSchemas,
    /// Also PyTorch's, if the library has kernels for some of its operators.
    OwnOrStock,
}

impl Serves {
    /// Whether it serves the operators.
    pub(crate) fn serves(self, ctx: &Context) -> bool {
        match (ctx.target.defines_operators, ctx.functions.is_empty()) {
            (false, _) => self == Serves::OwnOrStock,
            (true, true) => self == Serves::OwnOrSchemas,
            (true, false) => true,
        }
    }
}

/// A generator of a library's files, run once per namespace.
pub(crate) type LibraryGenerator = Generator<(OutputKind, Serves), fn(&Inputs) -> Outcome>;

/// All of them, in the order in which files are listed.
#[rustfmt::skip]
pub const GENERATORS: &[LibraryGenerator] = &[
    Generator { info: info!("generate", "library", "a library's public headers", &["include/<ns>/Export.h", "include/<ns>/Functions.h", "include/<ns>/Operators.h", "include/<ns>/RedispatchFunctions.h", "include/<ns>/ops.h"]), when: (Headers, Own), run: |i| headers::public(&i.context) },
    Generator { info: info!("generate", "library", "declarations of a library's kernels", &["include/<ns>/MetaBase.h", "include/<ns>/NativeFunctions.h", "include/<ns>/NativeMetaFunctions.h"]), when: (Headers, OwnOrStock), run: |i| headers::native(&i.context) },
    Generator { info: info!("generate", "library", "a library's schemas and entry points", &["src/RegisterSchema.cpp", "src/Operators.cpp", "src/CompositeKernels.cpp"]), when: (Sources, OwnOrSchemas), run: |i| sources(&i.context) },
    Generator { info: info!("generate", "library", "registration of a library's kernels", &["src/Register<Key>.cpp"]), when: (Sources, OwnOrStock), run: |i| kernels(&i.context) },
    Generator { info: info!("generate", "library", "backend selection for a library's factory functions", &["src/RegisterBackendSelect.cpp"]), when: (Sources, Own), run: |i| backend_select::run(&i.context) },
    Generator { info: info!("generate", "library/functionalization", "a library's views and mutations for functionalization", &["src/RegisterFunctionalization.cpp"]), when: (Sources, Own), run: |i| functionalization::run(&i.context) },
    Generator { info: info!("generate", "library/python", "a library's Python package", &["python/<package>/__init__.py", "python/<package>/_ops.py", "python/<package>/_ops.pyi", "python/<package>/py.typed", "python/<package>/_fakes.py"]), when: (Python, OwnOrSchemas), run: |i| python::package(&i.context) },
    Generator { info: info!("generate", "library", "a library's derivatives", &["include/<ns>/AutogradFunctions.h", "src/AutogradFunctions.cpp", "src/VariableType.cpp", "src/ADInplaceOrView.cpp"]), when: (Autograd, Own), run: autograd::autograd },
];

/// The file that CMake includes.
pub const CMAKE: GeneratorInfo = info!("generate", "library", "lists of a library's files for CMake", &["<ns>.cmake"]);

/// The file, in the style of the project's `.clang-format` if it is C++. Readers of a library debug
/// in it; ATen's layout keeps the reference's bytes. In a traced run, the text has marks.
pub(crate) fn laid_out(file: OutputFile, traced: bool) -> OutputFile {
    if !(file.path.ends_with(".h") || file.path.ends_with(".cpp")) {
        return file;
    }
    let text = file.contents.to_string();
    let text = if traced { around_marks(&text, cpp::laid_out) } else { cpp::laid_out(&text) };
    OutputFile { contents: text.into(), ..file }
}

fn sources(ctx: &Context) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    let definitions = torchgen_generators::operators::definitions(ctx)?;
    let mut files = Vec::new();
    let defines = (skeleton.defines_operators() && !ctx.functions.is_empty()) || !ctx.schema_only.is_empty();
    if defines && !ctx.flags.skip_dispatcher_op_registration {
        files.push(source(ctx, "RegisterSchema.cpp", &skeleton.with_schemas(ctx))?);
    }
    if !definitions.is_empty() {
        files.push(source(ctx, "Operators.cpp", &skeleton.with_definitions(&definitions))?);
    }
    let generated = torchgen_generators::composite_kernels::generated_kernels(ctx)?;
    if !generated.is_empty() {
        files.push(source(ctx, "CompositeKernels.cpp", &skeleton.with_definitions(&generated))?);
    }
    Ok(files)
}

/// One source per dispatch key that has kernels.
fn kernels(ctx: &Context) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    let mut files = Vec::new();
    for key in ctx.dispatch_keys {
        let backend = Backend::library(ctx, *key);
        let texts = ctx.per_item(ctx.grouped, |item| texts(ctx, &backend, item))?;
        let (mut wrappers, mut registrations) = (Vec::new(), Vec::new());
        let mut operators = IndexSet::new();
        for (texts, item) in texts.into_iter().zip(ctx.grouped) {
            let Some(texts) = texts else { continue };
            operators.insert(item.root_name());
            wrappers.push(texts.wrappers);
            registrations.push(texts.registrations);
        }
        if wrappers.is_empty() || ctx.flags.skip_dispatcher_op_registration {
            continue;
        }
        let helpers = library_helpers(ctx, &backend)?;
        let including = skeleton.with_operators(&operators, ctx.flags.per_operator_headers);
        let view = including.with_kernels(&wrappers, &registrations, helpers.as_ref());
        let text = ctx.renderer.fragment("torch/library/Register.cpp.j2", &view)?;
        files.push(OutputFile::new(MANAGER, format!("src/Register{key}.cpp"), text));
    }
    Ok(files)
}

/// Composite kernels are registered with the schemas. Those of PyTorch's operators are PyTorch's.
fn wants_registrations(ctx: &Context) -> bool {
    !ctx.flags.skip_dispatcher_op_registration && ctx.target.defines_operators && !ctx.functions.is_empty()
}

fn header(ctx: &Context, name: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("torch/library/{name}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("include/{}/{name}", view.include_dir()), text))
}

fn source(ctx: &Context, name: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("torch/library/{name}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("src/{name}"), text))
}

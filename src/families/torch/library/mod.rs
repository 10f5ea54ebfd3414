//! The files of an operator library outside PyTorch: one tree per namespace.
//!
//! Operator fragments are those of the ATen generators, with the library's namespaces in their
//! views; the file templates are our own, in `templates/torch/library/`.
//!
//! Invariant: only public headers of PyTorch are included, and no symbol is defined in PyTorch's
//! namespaces. Empty files are not written. Sources are not split: a library is small.

mod autograd;
mod backend_select;
pub(crate) mod cmake;
pub(crate) mod command;
mod functionalization;
mod headers;
pub(crate) mod new;
mod python;
mod view;

use indexmap::IndexSet;

use crate::families::torch::generators::OutputKind;
use crate::families::torch::generators::register_dispatch_key::backend::Backend;
use crate::families::torch::generators::register_dispatch_key::definitions::texts;
use crate::families::torch::generators::register_dispatch_key::frame::library_helpers;
use crate::families::torch::generators::{Context, Outcome};
use crate::render::RenderError;
use crate::write::{Manager, OutputFile};
pub(crate) use autograd::autograd;
pub(crate) use functionalization::lints;
pub(crate) use functionalization::view_inverse;
use view::Skeleton;

/// The manager of a library's files. Its lists of outputs have no prefix.
pub(crate) const MANAGER: Manager = Manager::new("library", Some(""));

/// A generator of a library's files, run once per namespace.
pub(crate) struct LibraryGenerator {
    /// What it writes, for users.
    pub description: &'static str,
    /// The `--generate` value that enables it.
    pub output: OutputKind,
    /// Makes its files.
    pub run: fn(&Context) -> Outcome,
}

/// All of them, in the order in which files are listed.
pub(crate) const GENERATORS: &[LibraryGenerator] = &[
    LibraryGenerator { description: "public headers", output: OutputKind::Headers, run: headers::public },
    LibraryGenerator { description: "declarations of kernels", output: OutputKind::Headers, run: headers::native },
    LibraryGenerator { description: "schemas and entry points", output: OutputKind::Sources, run: sources },
    LibraryGenerator { description: "registration of kernels", output: OutputKind::Sources, run: kernels },
    LibraryGenerator {
        description: "backend selection for factory functions",
        output: OutputKind::Sources,
        run: backend_select::run,
    },
    LibraryGenerator {
        description: "views and mutations for functionalization",
        output: OutputKind::Sources,
        run: functionalization::run,
    },
    LibraryGenerator { description: "Python package", output: OutputKind::Python, run: python::package },
];

/// The generators for PyTorch's own operators, if the library has kernels for some.
pub(crate) const STOCK_GENERATORS: &[LibraryGenerator] = &[
    LibraryGenerator { description: "declarations of kernels", output: OutputKind::Headers, run: headers::native },
    LibraryGenerator { description: "registration of kernels", output: OutputKind::Sources, run: kernels },
];

/// The generators for a namespace whose operators are registered by their schemas alone.
pub(crate) const SCHEMA_GENERATORS: &[LibraryGenerator] =
    &[LibraryGenerator { description: "schemas", output: OutputKind::Sources, run: sources }];

fn sources(ctx: &Context) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    let definitions = crate::families::torch::generators::operators::definitions(ctx)?;
    let mut files = Vec::new();
    let defines = (skeleton.defines_operators() && !ctx.functions.is_empty()) || !ctx.schema_only.is_empty();
    if defines && !ctx.flags.skip_dispatcher_op_registration {
        files.push(source(ctx, "RegisterSchema.cpp", &skeleton.with_schemas(ctx))?);
    }
    if !definitions.is_empty() {
        files.push(source(ctx, "Operators.cpp", &skeleton.with_definitions(&definitions))?);
    }
    let generated = crate::families::torch::generators::composite_kernels::generated_kernels(ctx)?;
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

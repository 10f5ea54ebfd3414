//! The files of an operator library outside PyTorch: one tree per namespace.
//!
//! Operator fragments are those of the ATen generators, with the library's namespaces in their views; the file skeletons are our own, in
//! `templates/library/`.
//!
//! Invariant: only public headers of PyTorch are included, and no symbol is defined in PyTorch's namespaces. A file with nothing in it is
//! not made. Deliberately absent: shards; a library is small.

mod view;

use super::{Context, Outcome};
use crate::cli::OutputKind;
use crate::render::RenderError;
use crate::write::{Manager, OutputFile};
use view::Skeleton;

/// Where a library's files go. Its lists of outputs have no prefix.
pub const MANAGER: Manager = Manager::Other { name: "library", list_prefix: Some("") };

/// A generator of a library's files, run once per namespace.
pub struct LibraryGenerator {
    /// What it writes, for people.
    pub description: &'static str,
    /// The `--generate` value that switches it on.
    pub output: OutputKind,
    /// Makes its files.
    pub run: fn(&Context) -> Outcome,
}

/// All of them, in the order in which files are listed.
pub const GENERATORS: &[LibraryGenerator] = &[
    LibraryGenerator { description: "public headers", output: OutputKind::Headers, run: headers },
    LibraryGenerator { description: "schemas and entry points", output: OutputKind::Sources, run: sources },
];

fn headers(ctx: &Context) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    let operators = super::operators::declarations(ctx)?;
    let functions = super::functions::functions(ctx)?;
    let redispatch = super::redispatch::functions(ctx)?;
    Ok(vec![
        header(ctx, "ops.h", &skeleton)?,
        header(ctx, "Operators.h", &skeleton.with_declarations(&operators))?,
        header(ctx, "Functions.h", &skeleton.with_functions(&functions))?,
        header(ctx, "RedispatchFunctions.h", &skeleton.with_functions(&redispatch))?,
    ])
}

fn sources(ctx: &Context) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    let definitions = super::operators::definitions(ctx)?;
    let mut files = Vec::new();
    if ctx.functions.iter().any(|f| skeleton.defines(f)) && !ctx.flags.skip_dispatcher_op_registration {
        files.push(source(ctx, "RegisterSchema.cpp", &skeleton.with_schemas(ctx))?);
    }
    files.push(source(ctx, "Operators.cpp", &skeleton.with_definitions(&definitions))?);
    Ok(files)
}

fn header(ctx: &Context, name: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("library/{name}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("include/{}/{name}", view.include_dir()), text))
}

fn source(ctx: &Context, name: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("library/{name}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("src/{name}"), text))
}

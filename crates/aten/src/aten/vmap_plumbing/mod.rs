//! VmapGeneratedPlumbing.h: per operator, code that unwraps batched tensors, calls a batching rule
//! and wraps its results again.
//!
//! Invariant: an operator that the plumbing does not support is silently left out. Batching rules
//! are not generated. Rule: torchgen/gen_vmap_plumbing.py.

mod view;

use serde::Serialize;

use torchgen_base::write::OutputFile;
use torchgen_generators::managers;
use torchgen_generators::{Context, Outcome};

#[derive(Serialize)]
struct PlumbingFile {
    functions: Vec<String>,
}

/// Makes VmapGeneratedPlumbing.h from our own template: the source path has none.
pub(crate) fn run(ctx: &Context) -> Outcome {
    let (ops, tables) = (&ctx.namespaces.operators, ctx.target.tables);
    let functions = ctx.per_item(ctx.functions, |f| match view::Plumbing::new(f, ops, tables)? {
        Some(view) => Ok(Some(ctx.renderer.about([f]).fragment("torch/vmap_plumbing/plumbing.j2", &view)?)),
        None => Ok(None),
    })?;
    let functions = functions.into_iter().flatten().collect();
    let text = ctx.renderer.fragment("torch/vmap_plumbing/VmapGeneratedPlumbing.h.j2", &PlumbingFile { functions })?;
    Ok(vec![OutputFile::new(managers::CPU, "VmapGeneratedPlumbing.h", text)])
}

//! RegisterBackendSelect.cpp of a library: its factories find out which backend is meant from their tensor options.
//!
//! Invariant: the kernels are those of `generate::backend_select`; only the file around them is a library's own. Deliberately absent:
//! operators of PyTorch's own namespace, whose kernels are PyTorch's.

use super::view::Skeleton;
use super::{MANAGER, wants_registrations};
use crate::families::torch::generators::{Context, Outcome, backend_select};
use crate::write::OutputFile;

/// Makes the file, if there are factories.
pub(crate) fn run(ctx: &Context) -> Outcome {
    let skeleton = Skeleton::new(ctx);
    let kernels = backend_select::kernels(ctx)?;
    if kernels.registrations.is_empty() || !wants_registrations(ctx) {
        return Ok(Vec::new());
    }
    let view = skeleton.with_kernels(&kernels.definitions, &kernels.registrations, None);
    let text = ctx.renderer.fragment("torch/library/RegisterBackendSelect.cpp.j2", &view)?;
    Ok(vec![OutputFile::new(MANAGER, "src/RegisterBackendSelect.cpp", text)])
}

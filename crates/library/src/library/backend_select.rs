//! Backend selection of a library: its factory functions select the backend from their
//! tensor options.
//!
//! Invariant: the kernels are those of
//! [`backend_select`](torchgen_generators::backend_select); only the file around
//! them differs. Operators in PyTorch's own namespace are skipped: their kernels are PyTorch's.

use super::view::Skeleton;
use super::wants_registrations;
use torchgen_base::render::Fragment;
use torchgen_generators::{Context, Errors, backend_select};

/// The kernels, if there are factory functions.
pub(super) fn section(ctx: &Context) -> Result<Option<Fragment>, Errors> {
    let skeleton = Skeleton::new(ctx);
    let kernels = backend_select::kernels(ctx)?;
    if kernels.registrations.is_empty() || !wants_registrations(ctx) {
        return Ok(None);
    }
    let view = skeleton.with_kernels(&kernels.definitions, &kernels.registrations, None);
    let text = ctx.renderer.fragment("torch/library/RegisterBackendSelect.cpp.j2", &view)?;
    Ok(Some(Fragment::of_template(text)))
}

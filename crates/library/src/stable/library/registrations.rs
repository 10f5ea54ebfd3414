//! What registers kernels in the sources that define them: a header for each operator, with its
//! overload, and key.
//!
//! Invariant: no other file registers such a kernel, or declares it.

use super::kernels::kernels;
use super::structured::Groups;
use super::view::Library;
use crate::library::headers::registration_header;
use crate::library::{Inputs, MANAGER};
use torchgen_base::write::OutputFile;
use torchgen_generators::Outcome;

/// The headers.
pub(super) fn headers(inputs: &Inputs) -> Outcome {
    let ctx = &inputs.bodies;
    let groups = Groups::new(ctx);
    let mut files = Vec::new();
    for function in ctx.functions.iter().filter(|f| f.is_included()) {
        let name = function.func.name.to_string();
        for key in ctx.dispatch_keys {
            let kernels = kernels(ctx, &groups, ctx.indices.get(*key), [function]);
            if kernels.registered.is_empty() || ctx.flags.skip_dispatcher_op_registration {
                continue;
            }
            let view = Library { key: key.as_str(), registered: kernels.registered, ..Library::new(inputs) };
            let text = ctx.renderer.fragment("torch/stable/library/Registration.h.j2", &view)?;
            let path = format!("include/{}/{}", ctx.namespaces.include_dir, registration_header(&name, *key));
            files.push(OutputFile::new(MANAGER, path, text).made_for(function.root_name()));
        }
    }
    Ok(files)
}

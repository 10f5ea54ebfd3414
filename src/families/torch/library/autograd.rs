//! Makes a library's operators differentiable: nodes, kernels for autograd, kernels for version
//! counters and views.
//!
//! Invariant: everything is in the library's own namespace and uses only what libtorch exports.
//! Empty files are not written. Operators in PyTorch's own namespace are skipped: their derivatives
//! are PyTorch's.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Inputs, MANAGER};
use crate::diag::gather_lists;
use crate::families::torch::generators::variable_type::{self, Style};
use crate::families::torch::generators::{
    AutogradContext, Outcome, ad_inplace_or_view, autograd_functions, view_funcs,
};
use crate::render::{Fragment, RenderError};
use crate::write::OutputFile;

/// Kernels are registered where they are defined, and only PyTorch's operators have decompositions.
const STYLE: Style = Style { kernel_prefix: "", jvp_decompositions: false, counts_versions: false };

/// What the templates need.
#[derive(Clone, Default, Serialize)]
struct Skeleton<'a> {
    namespace: &'a str,
    /// The directory below `include/`.
    include_dir: String,
    /// The namespace of nodes and kernels.
    autograd: &'a str,
    /// Whether there are nodes.
    nodes: bool,
    /// Whether the author has functions for formulas.
    manual: bool,
    declarations: &'a [Fragment],
    definitions: &'a [Fragment],
    wrappers: &'a [Fragment],
    registrations: &'a [Fragment],
    keys: Vec<Key<'a>>,
}

/// The kernels of one key.
#[derive(Clone, Serialize)]
struct Key<'a> {
    dispatch_key: &'a str,
    registrations: &'a [Fragment],
}

/// Makes the files.
///
/// # Errors
/// All errors of nodes and kernels.
pub(crate) fn autograd(inputs: &Inputs) -> Outcome {
    let Inputs { context, autograd: ctx, manual, .. } = inputs;
    if context.flags.skip_dispatcher_op_registration {
        return Ok(Vec::new());
    }
    let namespaces = ctx.namespaces;
    let skeleton = Skeleton {
        namespace: &namespaces.api,
        include_dir: namespaces.api.replace("::", "/"),
        autograd: &namespaces.autograd,
        manual: *manual,
        ..Skeleton::default()
    };
    let parts = [nodes(ctx, &skeleton), autograd_kernels(ctx, &skeleton), inplace_or_view_kernels(ctx, &skeleton)];
    Ok(gather_lists(parts)?.into_iter().flatten().collect())
}

/// Nodes: classes in a header, and their methods.
fn nodes(ctx: &AutogradContext, skeleton: &Skeleton) -> Outcome {
    let (declarations, definitions) = autograd_functions::nodes(ctx)?;
    if declarations.is_empty() {
        return Ok(Vec::new());
    }
    let header = Skeleton { declarations: &declarations, ..skeleton.clone() };
    let source = Skeleton { definitions: &definitions, ..skeleton.clone() };
    Ok(vec![header_file(ctx, "AutogradFunctions.h", &header)?, source_file(ctx, "AutogradFunctions.cpp", &source)?])
}

/// Kernels that make nodes.
fn autograd_kernels(ctx: &AutogradContext, skeleton: &Skeleton) -> Outcome {
    let mut by_key: BTreeMap<&str, Vec<Fragment>> = BTreeMap::new();
    let mut definitions = Vec::new();
    for kernel in variable_type::kernels(ctx, STYLE)?.into_iter().flat_map(|kernels| kernels.by_key) {
        by_key.entry(kernel.key.as_str()).or_default().push(kernel.registration);
        definitions.extend(kernel.definition);
    }
    if by_key.is_empty() {
        return Ok(Vec::new());
    }
    let keys = by_key.iter().map(|(key, registrations)| Key { dispatch_key: key, registrations }).collect();
    let own = ctx.derivatives.with_derivatives().any(|info| info.func.namespace == ctx.namespaces.api)
        || !ctx.matched.foreach.is_empty();
    let source = Skeleton { nodes: own, definitions: &definitions, keys, ..skeleton.clone() };
    Ok(vec![source_file(ctx, "VariableType.cpp", &source)?])
}

/// Kernels that count versions and track views, and the replays of the views.
fn inplace_or_view_kernels(ctx: &AutogradContext, skeleton: &Skeleton) -> Outcome {
    let kernels = ad_inplace_or_view::kernels(ctx, "")?;
    if kernels.is_empty() {
        return Ok(Vec::new());
    }
    let (declarations, definitions): (Vec<_>, Vec<_>) =
        view_funcs::replays(ctx)?.into_iter().map(|replay| (replay.declaration, replay.definition)).unzip();
    let (wrappers, registrations): (Vec<_>, Vec<_>) =
        kernels.into_iter().map(|kernel| (kernel.definition, kernel.registration)).unzip();
    let source = Skeleton {
        declarations: &declarations,
        definitions: &definitions,
        wrappers: &wrappers,
        registrations: &registrations,
        ..skeleton.clone()
    };
    Ok(vec![source_file(ctx, "ADInplaceOrView.cpp", &source)?])
}

fn header_file(ctx: &AutogradContext, name: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("torch/library/{name}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("include/{}/{name}", view.include_dir), text))
}

fn source_file(ctx: &AutogradContext, name: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("torch/library/{name}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("src/{name}"), text))
}

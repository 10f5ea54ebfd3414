//! What makes a library's operators differentiable: nodes, kernels for autograd, kernels for version counters and views.
//!
//! Invariant: everything stands in the library's own namespace and uses only what libtorch exports. A file with nothing in it is not made.
//! Deliberately absent: operators of PyTorch's own namespace, whose derivatives are PyTorch's.

use std::collections::BTreeMap;

use serde::Serialize;

use super::MANAGER;
use crate::generate::variable_type::{self, Style};
use crate::generate::{AutogradContext, Outcome, ad_inplace_or_view, autograd_functions, view_funcs};
use crate::render::{Fragment, RenderError};
use crate::write::OutputFile;

/// Kernels are registered where they are defined, and only PyTorch's operators have decompositions.
const STYLE: Style = Style { kernel_prefix: "", jvp_decompositions: false };

/// What the skeletons need.
#[derive(Clone, Default, Serialize)]
struct Skeleton<'a> {
    namespace: &'a str,
    /// The directory below `include/`.
    include_dir: String,
    /// The namespace of nodes and kernels.
    autograd: &'a str,
    /// There are nodes.
    nodes: bool,
    /// The author has functions for formulas.
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

/// Makes the files. `manual` says that the author has a `derivatives_manual.h`.
///
/// Errors: all faults of nodes and kernels.
pub fn autograd(ctx: &AutogradContext, manual: bool) -> Outcome {
    let namespaces = ctx.namespaces;
    let skeleton = Skeleton {
        namespace: &namespaces.api,
        include_dir: namespaces.api.replace("::", "/"),
        autograd: &namespaces.autograd,
        manual,
        ..Skeleton::default()
    };
    let mut files = Vec::new();
    let (declarations, definitions) = autograd_functions::nodes(ctx)?;
    let nodes = !declarations.is_empty();
    if nodes {
        let header = Skeleton { declarations: &declarations, ..skeleton.clone() };
        files.push(header_file(ctx, "AutogradFunctions.h", &header)?);
        let source = Skeleton { definitions: &definitions, ..skeleton.clone() };
        files.push(source_file(ctx, "AutogradFunctions.cpp", &source)?);
    }

    let kernels = variable_type::kernels(ctx, STYLE)?;
    let mut by_key: BTreeMap<&str, Vec<Fragment>> = BTreeMap::new();
    let mut definitions = Vec::new();
    for kernel in kernels.into_iter().flat_map(|kernels| kernels.by_key) {
        by_key.entry(kernel.key.as_str()).or_default().push(kernel.registration);
        definitions.extend(kernel.definition);
    }
    if !by_key.is_empty() {
        let keys = by_key.iter().map(|(key, registrations)| Key { dispatch_key: key, registrations }).collect();
        let source = Skeleton { nodes, definitions: &definitions, keys, ..skeleton.clone() };
        files.push(source_file(ctx, "VariableType.cpp", &source)?);
    }

    let kernels = ad_inplace_or_view::kernels(ctx, "")?;
    if !kernels.is_empty() {
        let replays = view_funcs::replays(ctx)?;
        let list =
            |part: fn(&view_funcs::Replay) -> &Fragment| -> Vec<_> { replays.iter().map(part).cloned().collect() };
        let (declarations, definitions) = (list(|replay| &replay.declaration), list(|replay| &replay.definition));
        let (wrappers, registrations): (Vec<_>, Vec<_>) =
            kernels.into_iter().map(|kernel| (kernel.definition, kernel.registration)).unzip();
        let source = Skeleton {
            declarations: &declarations,
            definitions: &definitions,
            wrappers: &wrappers,
            registrations: &registrations,
            ..skeleton
        };
        files.push(source_file(ctx, "ADInplaceOrView.cpp", &source)?);
    }
    Ok(files)
}

fn header_file(ctx: &AutogradContext, name: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("library/{name}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("include/{}/{name}", view.include_dir), text))
}

fn source_file(ctx: &AutogradContext, name: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("library/{name}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("src/{name}"), text))
}

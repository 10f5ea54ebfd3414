//! Makes a library's operators differentiable: nodes, kernels for autograd, kernels for version
//! counters and views.
//!
//! Invariant: everything is in the library's own namespace and uses only what libtorch exports.
//! Empty files are not written. Operators in PyTorch's own namespace are skipped: their derivatives
//! are PyTorch's.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Inputs, MANAGER};
use torchgen_base::diag::gather_lists;
use torchgen_base::render::{Fragment, RenderError, stable_hash};
use torchgen_base::write::OutputFile;
use torchgen_generators::guard::compares_torch;
use torchgen_generators::variable_type::{self, Style};
use torchgen_generators::{AutogradContext, Outcome, ad_inplace_or_view, autograd_functions, view_funcs};

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
    /// A condition compares the version of torch.
    compares_torch: bool,
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
    let Inputs { bodies: context, autograd: ctx, manual, .. } = inputs;
    if context.flags.skip_dispatcher_op_registration {
        return Ok(Vec::new());
    }
    let namespaces = ctx.namespaces;
    let skeleton = Skeleton {
        namespace: &namespaces.api,
        include_dir: namespaces.api.replace("::", "/"),
        autograd: &namespaces.autograd,
        manual: *manual,
        compares_torch: compares_torch(context.functions, std::iter::empty()),
        ..Skeleton::default()
    };
    let parts = [nodes(ctx, &skeleton), autograd_kernels(ctx, &skeleton), inplace_or_view_kernels(ctx, &skeleton)];
    Ok(gather_lists(parts)?.into_iter().flatten().collect())
}

/// Nodes: classes in a header, and their methods.
fn nodes(ctx: &AutogradContext, skeleton: &Skeleton) -> Outcome {
    let nodes = autograd_functions::nodes(ctx)?;
    if nodes.is_empty() {
        return Ok(Vec::new());
    }
    let declarations: Vec<Fragment> = nodes.iter().map(|node| node.declaration.clone()).collect();
    let header = Skeleton { declarations: &declarations, ..skeleton.clone() };
    let mut files = vec![header_file(ctx, "AutogradFunctions.h", &header)?];
    for (part, nodes) in parts(nodes, |node| &node.name) {
        let definitions: Vec<Fragment> = nodes.into_iter().map(|node| node.definition).collect();
        let source = Skeleton { definitions: &definitions, ..skeleton.clone() };
        files.push(source_file(ctx, "AutogradFunctions.cpp", part, &source)?);
    }
    Ok(files)
}

/// How many operators a source may have before there are several: compilers then work in parallel,
/// and an edit of one formula compiles one of them.
const OPERATORS_PER_SOURCE: usize = 64;

/// The items of each source, and the source's number; `None` if one source is enough. A hash of its
/// name chooses the source of an item, so that other items do not move when one is added.
fn parts<T>(items: Vec<T>, name: impl Fn(&T) -> &str) -> Vec<(Option<u32>, Vec<T>)> {
    let count = u32::try_from(items.len().div_ceil(OPERATORS_PER_SOURCE)).unwrap_or(u32::MAX);
    if count <= 1 {
        return vec![(None, items)];
    }
    let mut parts: Vec<(Option<u32>, Vec<T>)> = (0..count).map(|part| (Some(part), Vec::new())).collect();
    for item in items {
        let part = stable_hash(name(&item), count).unwrap_or(0);
        if let Some((_, items)) = parts.get_mut(part as usize) {
            items.push(item);
        }
    }
    parts.retain(|(_, items)| !items.is_empty());
    parts
}

/// Kernels that make nodes.
fn autograd_kernels(ctx: &AutogradContext, skeleton: &Skeleton) -> Outcome {
    let own = ctx.derivatives.with_derivatives().any(|info| info.func.namespace == ctx.namespaces.api)
        || !ctx.matched.foreach.is_empty();
    let mut files = Vec::new();
    for (part, kernels) in parts(variable_type::kernels(ctx, STYLE)?, |kernels| &kernels.shard_key) {
        let mut by_key: BTreeMap<&str, Vec<Fragment>> = BTreeMap::new();
        let mut definitions = Vec::new();
        for kernel in kernels.into_iter().flat_map(|kernels| kernels.by_key) {
            by_key.entry(kernel.key.as_str()).or_default().push(kernel.registration);
            definitions.extend(kernel.definition);
        }
        if by_key.is_empty() {
            continue;
        }
        let keys = by_key.iter().map(|(key, registrations)| Key { dispatch_key: key, registrations }).collect();
        let source = Skeleton { nodes: own, definitions: &definitions, keys, ..skeleton.clone() };
        files.push(source_file(ctx, "VariableType.cpp", part, &source)?);
    }
    Ok(files)
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
    Ok(vec![source_file(ctx, "ADInplaceOrView.cpp", None, &source)?])
}

fn header_file(ctx: &AutogradContext, name: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("torch/library/{name}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("include/{}/{name}", view.include_dir), text))
}

/// A source, or a part of it with a number.
fn source_file(
    ctx: &AutogradContext,
    name: &str,
    part: Option<u32>,
    view: &Skeleton,
) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("torch/library/{name}.j2"), view)?;
    let path = match part {
        Some(part) => format!("src/{}_{part}.cpp", name.trim_end_matches(".cpp")),
        None => format!("src/{name}"),
    };
    Ok(OutputFile::new(MANAGER, path, text))
}

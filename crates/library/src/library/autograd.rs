//! Makes a library's operators differentiable: nodes, kernels for autograd, kernels for version
//! counters and views.
//!
//! Invariant: everything is in the library's own namespace and uses only what libtorch exports.
//! Operators in PyTorch's own namespace are skipped: their derivatives
//! are PyTorch's.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{MANAGER, taken};
use torchgen_base::render::{Fragment, RenderError};
use torchgen_base::write::OutputFile;
use torchgen_generators::autograd_functions::NodeTexts;
use torchgen_generators::variable_type::{self, Style};
use torchgen_generators::{AutogradContext, Errors, ad_inplace_or_view, view_funcs};

/// Kernels are registered where they are defined, and only PyTorch's operators have decompositions.
const STYLE: Style = Style {
    kernel_prefix: "",
    jvp_decompositions: false,
    counts_versions: false,
    calls_operators: true,
    shares_kernels: true,
};

/// What the templates need.
#[derive(Clone, Default, Serialize)]
struct Skeleton<'a> {
    namespace: &'a str,
    /// The directory below `include/`.
    include_dir: String,
    /// The namespace of nodes and kernels.
    autograd: &'a str,
    /// Whether the header of the nodes is included.
    includes_nodes: bool,
    declarations: &'a [Fragment],
    definitions: &'a [Fragment],
    wrappers: &'a [Fragment],
    registrations: &'a [Fragment],
    keys: Vec<Key<'a>>,
    /// Some operators share a kernel.
    shares: bool,
}

/// The kernels of one key.
#[derive(Clone, Serialize)]
struct Key<'a> {
    dispatch_key: &'a str,
    registrations: &'a [Fragment],
}

/// The code of a part of the operators; what it does not need is missing.
#[derive(Default)]
pub(super) struct Sections {
    /// The classes of nodes, and their methods.
    pub(super) nodes: Option<Fragment>,
    /// Kernels that count versions and track views.
    pub(super) inplace_or_view: Option<Fragment>,
    /// Kernels that make nodes.
    pub(super) autograd: Option<Fragment>,
    /// Some of the last are not PyTorch's fallback.
    pub(super) differentiates: bool,
}

impl<'a> Skeleton<'a> {
    fn new(ctx: &AutogradContext<'_, 'a>) -> Skeleton<'a> {
        let namespaces = ctx.namespaces;
        Skeleton {
            namespace: &namespaces.api,
            include_dir: namespaces.api.replace("::", "/"),
            autograd: &namespaces.autograd,
            ..Skeleton::default()
        }
    }
}

/// The header with the classes of all nodes, if there are any.
pub(super) fn header(ctx: &AutogradContext, nodes: &[NodeTexts]) -> Result<Option<OutputFile>, RenderError> {
    let declarations: Vec<Fragment> = nodes.iter().map(|node| node.declaration.clone()).collect();
    if declarations.is_empty() {
        return Ok(None);
    }
    let view = Skeleton { declarations: &declarations, ..Skeleton::new(ctx) };
    let text = ctx.renderer.fragment("torch/library/AutogradFunctions.h.j2", &view)?;
    Ok(Some(OutputFile::new(MANAGER, format!("include/{}/AutogradFunctions.h", view.include_dir), text)))
}

/// The code of a part of the operators, which has these nodes. Their header may be included.
///
/// # Errors
/// All errors of nodes and kernels.
pub(super) fn sections(ctx: &AutogradContext, own: &[&NodeTexts], includes_nodes: bool) -> Result<Sections, Errors> {
    let skeleton = Skeleton { includes_nodes, ..Skeleton::new(ctx) };
    let mut errors = Vec::new();
    let autograd = taken(autograd_kernels(ctx, &skeleton), &mut errors);
    let inplace_or_view = taken(inplace_or_view_kernels(ctx, &skeleton), &mut errors);
    if !errors.is_empty() {
        return Err(errors.into());
    }
    let (autograd, differentiates) = autograd.map_or((None, false), |(text, own)| (Some(text), own));
    let nodes = node_classes(ctx, own, &skeleton)?;
    Ok(Sections { differentiates: differentiates || nodes.is_some(), nodes, inplace_or_view, autograd })
}

/// Nodes: their classes, and the methods of these.
fn node_classes(
    ctx: &AutogradContext,
    own: &[&NodeTexts],
    skeleton: &Skeleton,
) -> Result<Option<Fragment>, RenderError> {
    if own.is_empty() {
        return Ok(None);
    }
    let declarations: Vec<Fragment> = own.iter().map(|node| node.declaration.clone()).collect();
    let definitions: Vec<Fragment> = own.iter().map(|node| node.definition.clone()).collect();
    let view = Skeleton { declarations: &declarations, definitions: &definitions, ..skeleton.clone() };
    section(ctx, "AutogradFunctions.cpp", &view).map(Some)
}

/// Kernels that make nodes, and whether one of them is not PyTorch's fallback.
fn autograd_kernels(ctx: &AutogradContext, skeleton: &Skeleton) -> Result<Option<(Fragment, bool)>, Errors> {
    let mut by_key: BTreeMap<&str, Vec<Fragment>> = BTreeMap::new();
    let mut definitions = Vec::new();
    let mut shares = false;
    for kernel in variable_type::kernels(ctx, STYLE)?.into_iter().flat_map(|kernels| kernels.by_key) {
        by_key.entry(kernel.key.as_str()).or_default().push(kernel.registration);
        definitions.extend(kernel.definition);
        shares |= kernel.is_shared;
    }
    if by_key.is_empty() {
        return Ok(None);
    }
    let keys = by_key.iter().map(|(key, registrations)| Key { dispatch_key: key, registrations }).collect();
    let view = Skeleton { definitions: &definitions, keys, shares, ..skeleton.clone() };
    Ok(Some((section(ctx, "VariableType.cpp", &view)?, shares || !definitions.is_empty())))
}

/// Kernels that count versions and track views, and the replays of the views.
fn inplace_or_view_kernels(ctx: &AutogradContext, skeleton: &Skeleton) -> Result<Option<Fragment>, Errors> {
    let kernels = ad_inplace_or_view::kernels(ctx, "")?;
    if kernels.is_empty() {
        return Ok(None);
    }
    let (declarations, definitions): (Vec<_>, Vec<_>) =
        view_funcs::replays(ctx)?.into_iter().map(|replay| (replay.declaration, replay.definition)).unzip();
    let shares = kernels.iter().any(|kernel| kernel.definition.is_none());
    let (wrappers, registrations): (Vec<_>, Vec<_>) =
        kernels.into_iter().map(|kernel| (kernel.definition, kernel.registration)).unzip();
    let wrappers: Vec<Fragment> = wrappers.into_iter().flatten().collect();
    let view = Skeleton {
        shares,
        declarations: &declarations,
        definitions: &definitions,
        wrappers: &wrappers,
        registrations: &registrations,
        ..skeleton.clone()
    };
    Ok(Some(section(ctx, "ADInplaceOrView.cpp", &view)?))
}

fn section(ctx: &AutogradContext, name: &str, view: &Skeleton) -> Result<Fragment, RenderError> {
    ctx.renderer.fragment(&format!("torch/library/{name}.j2"), view).map(Fragment::of_template)
}

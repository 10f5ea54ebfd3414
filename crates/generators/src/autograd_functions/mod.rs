//! Backward nodes: Functions.{h,cpp}, and their Python side: python_functions.h and
//! python_functions_{0..4,Everything}.cpp.
//!
//! Invariant: a node is one class, the same for both; the order is that of derivatives.yaml, with
//! copies of views and foreach operators last. VariableType creates the nodes. Rule:
//! tools/autograd/gen_autograd_functions.py.

mod node;
mod saved;
pub mod single;
#[cfg(test)]
mod tests;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use self::node::Node;
pub use self::node::optional_list;
use super::{AutogradContext, Errors, Outcome};
use torchgen_api::autograd::{DifferentiabilityInfo, NativeFunctionWithDifferentiabilityInfo};
use torchgen_base::diag::gather_lists;
use torchgen_base::render::{Fragment, RenderError, Renderer};
use torchgen_model::model::NativeFunction;

/// The number of files on the Python side.
const SHARDS: u32 = 5;
const HEADER: &str = "Functions.h";
const SOURCE: &str = "Functions.cpp";
const PYTHON_HEADER: &str = "python_functions.h";
const PYTHON_SOURCE: &str = "python_functions.cpp";
const DECLARATIONS: &str = "autograd_function_declarations";
const DEFINITIONS: &str = "autograd_function_definitions";
const PYTHON_KEYS: [&str; 2] = ["py_function_initializers", "py_function_props_and_getters"];

/// Makes Functions.{h,cpp}.
///
/// # Errors
/// All errors; a formula saves something that a node cannot save.
pub fn libtorch(ctx: &AutogradContext) -> Outcome {
    let (declarations, definitions): (Vec<_>, Vec<_>) =
        nodes(ctx)?.into_iter().map(|node| (node.declaration, node.definition)).unzip();
    let file = |name: &str, key: &str, list: Vec<Fragment>| {
        let mut env = ctx.env(name)?;
        env.set(key, list);
        ctx.file(name, &env)
    };
    Ok(vec![file(HEADER, DECLARATIONS, declarations)?, file(SOURCE, DEFINITIONS, definitions)?])
}

/// The texts of a node.
pub struct NodeTexts {
    /// The base name of the operator whose derivatives it has.
    pub operator: String,
    /// The class.
    pub declaration: Fragment,
    /// Its methods.
    pub definition: Fragment,
    /// It saves values that are no tensors.
    pub saves_values: bool,
}

/// The classes of all nodes and their methods. In operator libraries, only those in the context's
/// namespace.
///
/// # Errors
/// A formula saves something that a node cannot save.
pub fn nodes(ctx: &AutogradContext) -> Result<Vec<NodeTexts>, Errors> {
    let own =
        |info: &&DifferentiabilityInfo| !ctx.target.namespaces_distinguish || info.func.namespace == ctx.namespaces.api;
    let foreach = ctx.matched.foreach.values().flat_map(|by_key| by_key.values());
    let infos: Vec<&DifferentiabilityInfo> = ctx.derivatives.with_derivatives().chain(foreach).filter(own).collect();
    let templates = [
        ctx.target.template("torch/autograd_functions/declaration.j2", "torch/library/autograd/node_declaration.j2"),
        ctx.target.template("torch/autograd_functions/definition.j2", "torch/library/autograd/node_definition.j2"),
    ];
    let nodes = fragments(ctx, &infos, templates)?;
    let texts = |(info, [declaration, definition]): (&DifferentiabilityInfo, [Fragment; 2])| NodeTexts {
        operator: info.func.root_name().to_owned(),
        declaration,
        definition,
        saves_values: node::saves_values(info, ctx.target),
    };
    Ok(nodes.into_iter().map(texts).collect())
}

#[derive(Serialize)]
struct ShardView {
    index: u32,
}

/// The declarations of the functions in python_functions.cpp's shards, and their calls.
pub fn shards(renderer: &Renderer) -> Result<[Vec<Fragment>; 2], RenderError> {
    let one = |template: &str, index| renderer.fragment(template, &ShardView { index }).map(Fragment::of_template);
    let of_each = |template: &str| (0..SHARDS).map(|index| one(template, index)).collect::<Result<Vec<_>, _>>();
    let templates = ["torch/autograd_functions/shard_declaration.j2", "torch/autograd_functions/shard_call.j2"];
    let [declarations, calls] = templates.map(of_each);
    Ok([declarations?, calls?])
}

/// Makes python_functions.h and python_functions_{0..4,Everything}.cpp. Nodes of foreach operators
/// have no Python side.
pub fn python(ctx: &AutogradContext) -> Outcome {
    let infos: Vec<&DifferentiabilityInfo> = ctx.derivatives.with_derivatives().collect();
    let [declarations, calls] = shards(ctx.renderer)?;
    let mut env = ctx.env(PYTHON_HEADER)?;
    env.set("shard_forward_declare", declarations);
    env.set("shard_call", calls);
    let mut files = vec![ctx.file(PYTHON_HEADER, &env)?];
    let nodes = fragments(ctx, &infos, ["torch/autograd_functions/class.j2", "torch/autograd_functions/getters.j2"])?;
    let items = nodes.into_iter().map(|(info, texts)| (info.name.clone(), texts));
    files.extend(ctx.sharded(PYTHON_SOURCE, SHARDS, PYTHON_KEYS, items)?);
    Ok(files)
}

/// The operators whose results have the node. An out= variant has the derivatives of its functional
/// variant only to refuse gradients.
fn carriers<'a>(ctx: &AutogradContext<'_, 'a>, node: &str) -> impl Iterator<Item = &'a NativeFunction> {
    let infos = |fn_: &&NativeFunctionWithDifferentiabilityInfo<'a>| {
        let mut infos = fn_.info.iter().flat_map(|by_key| by_key.values());
        !fn_.func.func.is_out_fn() && infos.any(|info| info.op.as_deref() == Some(node))
    };
    ctx.matched.functions.iter().filter(infos).map(|fn_| fn_.func)
}

/// Two fragments for every node, in order. Infos without a node are skipped.
fn fragments<'i, 'a>(
    ctx: &AutogradContext,
    infos: &[&'i DifferentiabilityInfo<'a>],
    templates: [&str; 2],
) -> Result<Vec<(&'i DifferentiabilityInfo<'a>, [Fragment; 2])>, Errors> {
    let make = |info: &&'i DifferentiabilityInfo<'a>| -> Option<Result<_, Errors>> {
        let op = info.op.as_deref().filter(|_| info.has_derivatives())?;
        let render = |node: &Node| -> Result<_, RenderError> {
            let about = ctx.renderer.about(carriers(ctx, op));
            let [first, second] = templates.map(|template| about.fragment(template, node));
            Ok((*info, [first?.into(), second?.into()]))
        };
        Some(match Node::new(ctx, info, op) {
            Ok(node) => render(&node).map_err(|error| Errors::from(error.diagnostic().at(info.span))),
            Err(errors) => Err(Errors(errors)),
        })
    };
    let made: Vec<_> = infos.par_iter().filter_map(make).collect();
    Ok(gather_lists(made)?)
}

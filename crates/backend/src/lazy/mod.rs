//! Lazy backends: kernels that record computations as nodes of a graph, and the classes of these
//! nodes.
//!
//! Data flows `types -> schema -> node, function, shape -> command`. Invariant: everything that is
//! not specific to lazy backends (declarations, registration, checks) is in [`super::backend`].
//! Rule: torchgen/gen_lazy_tensor.py, torchgen/dest/lazy_ir.py.

pub mod command;
mod files;
mod function;
mod node;
pub mod schema;
pub mod shape;
pub mod types;

pub use function::{fallback_text, inputs as node_inputs};
pub use node::symbol as node_symbol;
use serde::Serialize;
use torchgen_base::render::{RenderError, Renderer};
use torchgen_generators::args::{LazyNames as Names, LazyTensorArgs};
use torchgen_generators::decider::{Part, Parts};

/// What to generate, and how.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// The names in the code.
    pub(crate) names: Names,
    /// Nodes lower to TorchScript.
    pub(crate) ts_lowerings: bool,
    /// Nodes get their shapes when they are made.
    pub(crate) lazy_shape: bool,
    /// Kernels can fall back to eager ones on request.
    pub(crate) forced_fallback: bool,
    /// Headers are included in angle brackets.
    pub(crate) in_tree: bool,
    /// The directory of outputs in includes.
    pub(crate) directory: String,
    /// The program in comments.
    pub(crate) generator: String,
}

impl From<&LazyTensorArgs> for Options {
    fn from(args: &LazyTensorArgs) -> Self {
        Options {
            names: args.names.clone(),
            ts_lowerings: args.gen_ts_lowerings,
            lazy_shape: !args.no_lazy_shape,
            forced_fallback: args.gen_forced_fallback_code,
            in_tree: args.build_in_tree,
            directory: args.backend.output_dir.to_string_lossy().into_owned(),
            generator: args.backend.generated_by.clone().unwrap_or_else(|| command::GENERATOR.to_owned()),
        }
    }
}

/// The parts of a view that the caller of the program can decide, each by its name and template.
fn parts_of(
    view: &impl Serialize,
    templates: &[(&'static str, &str)],
    renderer: &Renderer,
    operator: &str,
) -> Result<Parts, RenderError> {
    let part = |(part, template): &(&'static str, &str)| {
        let text = renderer.fragment_for(template, view, operator)?;
        Ok((*part, Part::Text(text.trim().to_owned())))
    };
    templates.iter().map(part).collect()
}

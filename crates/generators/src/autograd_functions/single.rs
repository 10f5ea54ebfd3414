//! The parts of one node, for scripts that write its files themselves.
//!
//! Invariant: a part is the text that [`libtorch`](super::libtorch) or [`python`](super::python)
//! writes. Rule: tools/autograd/gen_autograd_functions.py, `process_function`.

use super::node::Node;
use crate::{AutogradContext, Errors};
use torchgen_api::autograd::DifferentiabilityInfo;

/// A part of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The class.
    Declaration,
    /// Its methods.
    Definition,
    /// What adds the class to Python.
    PythonClass,
    /// What Python can read of it.
    PythonGetters,
}

impl Part {
    fn template(self) -> &'static str {
        match self {
            Part::Declaration => "torch/autograd_functions/declaration.j2",
            Part::Definition => "torch/autograd_functions/definition.j2",
            Part::PythonClass => "torch/autograd_functions/class.j2",
            Part::PythonGetters => "torch/autograd_functions/getters.j2",
        }
    }
}

/// A part of the node of that class.
///
/// # Errors
/// A formula saves something that a node cannot save.
pub fn part(
    ctx: &AutogradContext<'_, '_>,
    info: &DifferentiabilityInfo<'_>,
    op: &str,
    part: Part,
) -> Result<String, Errors> {
    let node = Node::new(ctx, info, op)?;
    Ok(ctx.renderer.fragment(part.template(), &node)?)
}

//! What PyTorch's composite kernels do that its native_functions.yaml does not say: which of them
//! carry a gradient, and what they call.
//!
//! Invariant: these are facts about PyTorch's own operators; `data/torch/composites.py` finds them
//! by calling the operators.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::{Argument, NativeFunction, Return, SchemaKind};
use torchgen_kit::driver::data::Table;

/// The table. Operators have their overloads.
#[derive(Debug, Deserialize)]
pub struct Composites {
    /// No result of them has a gradient.
    without_gradient: HashSet<String>,
    /// PyTorch has a derivative of their own, whose formulas call these operators.
    differentiated: HashMap<String, Vec<String>>,
    /// Without data, their kernels call these operators, which have no kernel for that.
    calls: HashMap<String, Vec<String>>,
    /// The kernels of these only say that a backend must have one.
    raise: HashSet<String>,
}

impl Table for Composites {
    const PATH: &'static str = "torch/composites.yaml";
}

/// Where the gradient of a composite operator comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gradient<'a> {
    /// There is none.
    None,
    /// From the operators that its kernel calls.
    OfParts,
    /// From a derivative that calls these operators.
    Own(&'a [String]),
}

impl Composites {
    /// The gradient of an operator that PyTorch composes of others; of all others, none is known
    /// here.
    pub fn gradient(&self, f: &NativeFunction) -> Gradient<'_> {
        let takes = f.func.arguments.flat_all().any(|argument: &Argument| argument.ty.is_tensor_like());
        let returns = f.func.returns.iter().any(|result: &Return| result.ty.is_tensor_like());
        let name = f.func.name.to_string();
        // Nothing flows through `out=`.
        let is_out = matches!(f.func.kind(), SchemaKind::Out | SchemaKind::Scratch);
        if !f.has_composite_implicit_autograd_kernel || is_out || !takes || !returns {
            return Gradient::None;
        }
        match self.differentiated.get(&name) {
            Some(calls) => Gradient::Own(calls),
            None if self.without_gradient.contains(&name) => Gradient::None,
            None => Gradient::OfParts,
        }
    }

    /// The operators that the operator's composite kernel calls without data, if one of them has
    /// no kernel for that.
    pub fn calls(&self, name: &str) -> &[String] {
        self.calls.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether the operator's composite kernel only says that a backend must have one.
    pub fn raises(&self, name: &str) -> bool {
        self.raise.contains(name)
    }
}

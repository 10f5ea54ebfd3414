//! Gradients that may be undefined: an output of several that the loss does not use has none.
//!
//! Invariant: a formula that tests a gradient with `defined()` sees whether it is defined. Any
//! other formula of a library gets zeros, on both ABIs.

use torchgen_formula::{Expr, Node, parse};
use torchgen_model::model::{Type, cpp_names};

use super::Derivative;
use super::differentiable::differentiable;
use super::info::DifferentiabilityInfo;

/// Whether an expression is the gradient with that index, of the output called `name`.
fn is_gradient(value: &Expr, index: usize, named: &str) -> bool {
    match &value.node {
        Node::Index(list, at) => {
            list.single() == Some("grads") && matches!(&at.node, Node::Number(number) if number.parse() == Ok(index))
        }
        _ => value.single().is_some_and(|single| single == "grad" && index == 0 || single == named),
    }
}

/// The formulas as trees; those that are no C++ are reported elsewhere.
fn trees(derivatives: &[Derivative]) -> impl Iterator<Item = Expr> {
    derivatives.iter().filter_map(|derivative| parse(&derivative.original_formula).ok())
}

/// Whether formulas test if the gradient with that index is defined.
pub fn tests_gradient(derivatives: &[Derivative], index: usize, name: &str) -> bool {
    let named = cpp_names::gradient(name);
    let mut tests = false;
    for expr in trees(derivatives) {
        expr.walk(&mut |part| {
            tests |= matches!(&part.node, Node::Method(call) if call.name == "defined" && is_gradient(&call.object, index, &named));
        });
    }
    tests
}

impl DifferentiabilityInfo<'_> {
    /// Whether some of the gradients may be undefined while others are not, and none is of a list.
    pub fn has_partial_gradients(&self) -> bool {
        let returns = &self.func.func.returns;
        let tensors = returns.iter().filter(|ret| ret.ty.is_tensor_like()).count();
        tensors > 1 && !returns.iter().any(|ret| matches!(ret.ty, Type::List(..)))
    }

    /// The indices of the gradients that formulas use and do not test. The only gradient is defined
    /// if anything is computed. A formula that takes all gradients as a list, and a list of tensors
    /// among the outputs, get them as they are.
    pub fn gradients_as_zeros(&self) -> Vec<usize> {
        let returns = &self.func.func.returns;
        let listed = self.output_differentiability.as_deref();
        let differentiable: Vec<_> = differentiable(&self.func.func, listed).collect();
        if differentiable.len() < 2 || returns.iter().any(|ret| matches!(ret.ty, Type::List(..))) {
            return Vec::new();
        }
        let names: Vec<String> =
            differentiable.iter().map(|ret| ret.cpp_name().unwrap_or_default().to_owned()).collect();
        // A list whose elements are all named by their index is not used as a list.
        let (mut used, mut lists, mut indexed) = (Vec::new(), 0, 0);
        for expr in trees(&self.derivatives) {
            expr.walk(&mut |part| {
                if part.single() == Some("grads") {
                    lists += 1;
                }
                indexed += usize::from(matches!(&part.node, Node::Index(list, at)
                    if list.single() == Some("grads") && matches!(&at.node, Node::Number(_))));
                for (index, name) in names.iter().enumerate() {
                    if is_gradient(part, index, &cpp_names::gradient(name)) {
                        used.push(index);
                    }
                }
            });
        }
        if lists > indexed {
            return Vec::new();
        }
        used.sort_unstable();
        used.dedup();
        used.retain(|index| !tests_gradient(&self.derivatives, *index, &names[*index]));
        used
    }
}

//! Nodes of a few operators as emitted, and values that nodes cannot save.
//!
//! Expected texts are in the folder of this module. With `UPDATE_EXPECT=1` in the environment the
//! tests rewrite them; review them before you commit.

use std::path::Path;

use super::fragments;
use crate::testing::{CopyVariants, with_autograd};
use torchgen_api::autograd::DifferentiabilityInfo;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::Target;

/// Compares the fragments of all nodes, or the errors, with the expected text.
fn check(expected: &str, target: Target, native: &str, derivatives: &str, templates: [&str; 2]) {
    let found = with_autograd(target, CopyVariants::Required, native, derivatives, |ctx| {
        let infos: Vec<&DifferentiabilityInfo> =
            ctx.derivatives.by_operator.values().flat_map(|by_key| by_key.values()).collect();
        let nodes = fragments(ctx, &infos, templates)?;
        Ok(nodes.iter().flat_map(|(_, texts)| texts.iter()).map(|text| text.as_str()).collect())
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/autograd_functions/tests").join(expected);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, found).unwrap();
        return;
    }
    assert_eq!(found, std::fs::read_to_string(path).unwrap());
}

const NATIVE: &str = "
- func: mix(Tensor self, Tensor[] others, Tensor?[] maybe, Scalar[] by, str? mode=None, *, int n=1) -> (Tensor least, Tensor most)
- func: turn(Tensor self, Tensor? weight, bool flip) -> Tensor
";

const DERIVATIVES: &str = "
- name: mix(Tensor self, Tensor[] others, Tensor?[] maybe, Scalar[] by, str? mode=None, *, int n=1) -> (Tensor least, Tensor most)
  self, others: mix_backward(grad_least, grad_most, self, others, by, mode, n, most, retain_variables, grad_input_mask)
  maybe: not_implemented_list(\"mix\", maybe)
- name: turn(Tensor self, Tensor? weight, bool flip) -> Tensor
  self, weight: turn_backward(grad, flip)
";

#[test]
fn nodes() {
    let templates = ["torch/autograd_functions/declaration.j2", "torch/autograd_functions/definition.j2"];
    check("nodes.txt", Target::pytorch(Tables::embedded()), NATIVE, DERIVATIVES, templates);
}

#[test]
fn python() {
    let templates = ["torch/autograd_functions/getters.j2", "torch/autograd_functions/class.j2"];
    check("python.txt", Target::pytorch(Tables::embedded()), NATIVE, DERIVATIVES, templates);
}

#[test]
fn library() {
    // The name of the second output only contains a word of formulas.
    let native = "- func: shop::part(Tensor(a) self, SymInt n) -> Tensor(a)\n\
                  - func: shop::both(Tensor self) -> (Tensor a, Tensor not_implemented_b)\n";
    let derivatives = "- name: shop::part(Tensor(a) self, SymInt n) -> Tensor(a)\n  self: shop::part(grad, n)\n\
                       - name: shop::both(Tensor self) -> (Tensor a, Tensor not_implemented_b)\n  \
                       self: grad_a + grad_not_implemented_b\n";
    let templates = ["torch/autograd_functions/declaration.j2", "torch/autograd_functions/definition.j2"];
    check("library.txt", Target::library(Tables::embedded()), native, derivatives, templates);
}

#[test]
fn what_cannot_be_saved() {
    let native = "- func: mix(Tensor self, float[] by, Tensor x) -> Tensor[]\n";
    let derivatives = "\
- name: mix(Tensor self, float[] by, Tensor x) -> Tensor[]
  self: mix_backward(grads, by)
  x: mix_backward(grads, result)
";
    let templates = ["torch/autograd_functions/declaration.j2", "torch/autograd_functions/definition.j2"];
    check("errors.txt", Target::pytorch(Tables::embedded()), native, derivatives, templates);
}

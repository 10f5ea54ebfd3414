//! Random libraries on both ABIs: values, gradients, tangents and versions are those of the same
//! operators in Python. The slow tests have thousands of libraries.

use libtest_mimic::Trial;

use crate::support::gradients::{Plan, check, reduced, with_kinds};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![an_error_is_reduced_to_the_smallest_operator, random_libraries_have_the_gradients_of_their_composites,]
}

fn random_libraries_have_the_gradients_of_their_composites() {
    check(0..30, &Plan { batch: 30, compiled: 3, ..Plan::default() });
}

/// The error is in composites of operators with arguments of two kinds. What is reduced has others.
fn an_error_is_reduced_to_the_smallest_operator() {
    let kinds = ["Row", "Bool"];
    let plan = Plan { planted: kinds.join(","), ..Plan::default() };
    let smallest = reduced(with_kinds(&kinds), &plan);
    assert_eq!(
        smallest,
        "- func: drawn_stable::smaller6_op(Tensor self, Tensor plain2, bool plain4) -> Tensor out0\n  \
         fake: like(self, size=[*self.sizes])\n  dispatch:\n    CPU: smaller6_op\n\n"
    );
}

//! Random libraries on both ABIs: values, gradients, tangents and versions are those of the same
//! operators in Python. The slow tests have thousands of libraries.

use libtest_mimic::Trial;

use crate::support::gradients::check;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![random_libraries_have_the_gradients_of_their_composites]
}

fn random_libraries_have_the_gradients_of_their_composites() {
    check(0..30, 30, 1);
}

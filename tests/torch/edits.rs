//! Random edits of PyTorch's formulas, as formulas of a library. The slow tests have thousands.

use libtest_mimic::Trial;

use crate::support::edits::check;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![formulas_compile_if_accepted]
}

fn formulas_compile_if_accepted() {
    check(31, 40, 40);
}

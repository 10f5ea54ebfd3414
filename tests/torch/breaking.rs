//! `breaking` and compilers agree about calls. The slow tests have hundreds of edits.

use libtest_mimic::Trial;

use crate::support::callers::check;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![calls_break_if_it_says_so]
}

fn calls_break_if_it_says_so() {
    check("unstable", 54, 40);
    check("stable", 54, 40);
}

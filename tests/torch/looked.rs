//! Random formulas on both ABIs: what is accepted compiles, and its translation has the same value.
//! The slow tests have thousands. Those that failed once are among them.

use libtest_mimic::Trial;

use crate::support::formulas::{Machine, Plan, check};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![formulas_mean_the_same_on_both_abis]
}

fn formulas_mean_the_same_on_both_abis() {
    check(Machine::All, 0..160, &Plan { batch: 160, found: true, ..Plan::default() });
}

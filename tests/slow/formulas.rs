//! Random formulas, compiled and translated, on the same values.

use libtest_mimic::{Failed, Trial};

use crate::support::formulas::{Machine, Plan, check, count_of_words};

/// How many formulas are compiled together.
const BATCH: usize = 500;

/// One test for each batch of each machine, named by its first seed.
pub(crate) fn trials() -> Vec<Trial> {
    let first = crate::number("TORCHGEN_SLOW_SEED", 0);
    let count = crate::number("TORCHGEN_SLOW_FORMULAS", 20_000);
    [Machine::Scalars, Machine::Calls, Machine::Gradients, Machine::Words, Machine::All]
        .into_iter()
        .flat_map(|machine| {
            let end = first + count;
            let end = if machine == Machine::Words { end.min(count_of_words()) } else { end };
            (first..end).step_by(BATCH).map(move |first| {
                let name = format!("looked/{}/{first}", format!("{machine:?}").to_lowercase());
                Trial::test(name, move || {
                    let plan = Plan { by_machine: true, batch: BATCH, found: false };
                    check(machine, first..end.min(first + BATCH as u64), &plan);
                    Ok::<(), Failed>(())
                })
            })
        })
        .collect()
}

//! Runs that select other operators each time: `cargo test --test slow selections/`.

use libtest_mimic::{Failed, Trial};

use crate::support::selections::check;

/// 20,000 runs, in parts.
pub(crate) fn trials() -> Vec<Trial> {
    let seed = crate::number("TORCHGEN_SLOW_SEED", 0);
    let runs = usize::try_from(crate::number("TORCHGEN_SLOW_RUNS", 20_000)).expect("a number of runs");
    let part = |part: u64| {
        Trial::test(format!("selections/{}", seed + part), move || {
            check(seed + part, runs / 20);
            Ok::<(), Failed>(())
        })
    };
    (0..20).map(part).collect()
}

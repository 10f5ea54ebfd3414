//! Random edits of schemas, and calls of the functions before: `cargo test --test slow callers/`.

use libtest_mimic::{Failed, Trial};

use crate::support::callers::check;

/// 300 edits on each ABI.
pub(crate) fn trials() -> Vec<Trial> {
    let seed = crate::number("TORCHGEN_SLOW_SEED", 0);
    let count = usize::try_from(crate::number("TORCHGEN_SLOW_CASES", 300)).expect("a number of edits");
    let trial = |abi: &'static str| {
        Trial::test(format!("callers/{abi}"), move || {
            check(abi, seed, count);
            Ok::<(), Failed>(())
        })
    };
    vec![trial("unstable"), trial("stable")]
}

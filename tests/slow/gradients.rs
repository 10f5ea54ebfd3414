//! Random libraries, built on both ABIs and compared with the same operators in Python.

use libtest_mimic::{Failed, Trial};

use crate::support::gradients::{Abi, Plan, check};

/// How many libraries are built together.
const BATCH: usize = 80;

/// One test for each batch, named by its first seed.
pub(crate) fn trials() -> Vec<Trial> {
    let first = crate::number("TORCHGEN_SLOW_SEED", 0);
    let count = crate::number("TORCHGEN_SLOW_LIBRARIES", 2000);
    let end = first + count;
    let batches = (first..end).step_by(BATCH);
    batches
        .map(|first| {
            let last = end.min(first + BATCH as u64);
            Trial::test(format!("gradients/{first}"), move || {
                let only = std::env::var("TORCHGEN_SLOW_ABI").ok();
                let only = only.map(|abi| if abi == "stable" { Abi::Stable } else { Abi::Cpp });
                let templates = std::env::var_os("TORCHGEN_SLOW_TEMPLATES").map(Into::into);
                check(first..last, &Plan { batch: BATCH, compiled: 5, only, templates, ..Plan::default() });
                Ok::<(), Failed>(())
            })
        })
        .collect()
}

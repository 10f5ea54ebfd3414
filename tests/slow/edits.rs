//! Random edits of PyTorch's formulas, as formulas of a library: `cargo test --test slow edits/`.

use libtest_mimic::{Failed, Trial};

use crate::support::edits::{check, check_unedited};

/// 2,000 formulas that the program accepts and 200 that it refuses; and all formulas unedited.
pub(crate) fn trials() -> Vec<Trial> {
    let seed = crate::number("TORCHGEN_SLOW_SEED", 0);
    let [accepted, refused] = [("ACCEPTED", 2000), ("REFUSED", 200)]
        .map(|(name, count)| crate::number(&format!("TORCHGEN_SLOW_{name}"), count))
        .map(|count| usize::try_from(count).expect("a number of formulas"));
    let edited = Trial::test(format!("edits/{seed}"), move || {
        check(seed, accepted, refused);
        Ok::<(), Failed>(())
    });
    let unedited = Trial::test("edits/unedited", || {
        check_unedited();
        Ok::<(), Failed>(())
    });
    vec![edited, unedited]
}

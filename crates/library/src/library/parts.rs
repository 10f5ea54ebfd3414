//! The parts of a library, each of which is compiled as one source.
//!
//! Invariant: the operators of a family are in one part, and the families of the others do not
//! decide which it is: an operator more moves nothing, or all if it doubles the number of parts.

use std::collections::BTreeSet;

use torchgen_base::render::stable_hash;
use torchgen_model::model::NativeFunction;

/// How many families of operators a source has at most, if hashes spread them evenly. Torch's
/// headers cost each source ten times what a family does.
const FAMILIES_PER_PART: usize = 40;

/// The name that an operator shares with its variants and with those that only its derivative
/// calls.
pub(super) fn family(base_name: &str) -> &str {
    const SUFFIXES: [&str; 5] = ["_", "_backward", "_copy", "_forward", "_functional"];
    let mut name = base_name.trim_start_matches('_');
    while let Some(shorter) = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)) {
        name = shorter;
    }
    name
}

/// How many parts a library has.
pub(crate) fn count(functions: &[NativeFunction]) -> u32 {
    let families: BTreeSet<&str> = functions.iter().map(|f| family(f.root_name())).collect();
    let parts = families.len().div_ceil(FAMILIES_PER_PART).next_power_of_two();
    u32::try_from(parts).unwrap_or(u32::MAX)
}

/// The part of an operator with this base name.
pub(crate) fn part_of(base_name: &str, count: u32) -> u32 {
    // Names are ASCII.
    if count < 2 { 0 } else { stable_hash(family(base_name), count).unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_in_one_family() {
        for name in ["norm", "norm_", "_norm", "norm_backward", "_norm_copy_", "norm_functional", "_norm_forward"] {
            assert_eq!(family(name), "norm");
            assert_eq!(part_of(name, 8), part_of("norm", 8), "{name}");
        }
        assert_eq!((family("norm2"), family("_")), ("norm2", ""));
    }

    #[test]
    fn parts_double() {
        let names: Vec<String> = (0..100).map(|at| format!("op{at}")).collect();
        for name in &names {
            assert_eq!(part_of(name, 1), 0);
            assert!(part_of(name, 4) < 4);
        }
        let used: BTreeSet<u32> = names.iter().map(|name| part_of(name, 4)).collect();
        assert_eq!(used.len(), 4);
    }
}

//! Random numbers of a seed, the same on every machine.

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below this one.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    /// One of these, if there is one.
    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        let limit = u64::try_from(all.len()).expect("a length fits");
        if limit == 0 { None } else { all.get(usize::try_from(self.below(limit)).expect("an index fits")) }
    }

    /// Whether one of that many draws hits.
    #[allow(dead_code)]
    pub(crate) fn once_in(&mut self, draws: u64) -> bool {
        self.below(draws) == 0
    }
}

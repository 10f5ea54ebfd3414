//! Sets of macros that do not replace a token again, since it comes from them.
//!
//! Rule: the algorithm of D. Prosser for the C standard's 6.10.3.4. Invariant: equal sets have
//! equal numbers.

use rustc_hash::FxHashMap;

use super::names::Name;
use super::piece::Hidden;

/// How many macros a token may come from.
const MAX_NAMES: usize = 200;

/// All sets of a unit; the first is empty.
#[derive(Debug)]
pub(super) struct HiddenSets {
    sets: Vec<Vec<Name>>,
    numbers: FxHashMap<Vec<Name>, Hidden>,
    joined: FxHashMap<(Hidden, Hidden), Hidden>,
}

impl Default for HiddenSets {
    fn default() -> Self {
        let numbers = FxHashMap::from_iter([(Vec::new(), Hidden(0))]);
        HiddenSets { sets: vec![Vec::new()], numbers, joined: FxHashMap::default() }
    }
}

impl HiddenSets {
    /// Whether a set has a name.
    pub(super) fn has(&self, set: Hidden, name: Name) -> bool {
        self.sets[set.0 as usize].binary_search(&name).is_ok()
    }

    /// Whether a set is so large that nothing more replaces its tokens.
    pub(super) fn is_full(&self, set: Hidden) -> bool {
        self.sets[set.0 as usize].len() >= MAX_NAMES
    }

    /// A set with one name more.
    pub(super) fn with(&mut self, set: Hidden, name: Name) -> Hidden {
        let one = self.number(vec![name]);
        self.join(set, one)
    }

    /// What is in one of two sets.
    pub(super) fn join(&mut self, one: Hidden, other: Hidden) -> Hidden {
        if one == other || other == Hidden(0) {
            return one;
        }
        if one == Hidden(0) {
            return other;
        }
        if let Some(known) = self.joined.get(&(one, other)) {
            return *known;
        }
        let mut both = [self.sets[one.0 as usize].as_slice(), self.sets[other.0 as usize].as_slice()].concat();
        both.sort_unstable();
        both.dedup();
        let number = self.number(both);
        self.joined.insert((one, other), number);
        number
    }

    /// What is in both sets.
    pub(super) fn common(&mut self, one: Hidden, other: Hidden) -> Hidden {
        if one == other {
            return one;
        }
        let both = self.sets[one.0 as usize].iter().filter(|name| self.has(other, **name)).copied().collect();
        self.number(both)
    }

    fn number(&mut self, set: Vec<Name>) -> Hidden {
        if let Some(known) = self.numbers.get(&set) {
            return *known;
        }
        let number = Hidden(u32::try_from(self.sets.len()).unwrap_or(0));
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }
}

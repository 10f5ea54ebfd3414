//! Conditions of builds: what must hold for the preprocessor to keep a token.
//!
//! A condition is a decision diagram over atoms, which are texts such as `defined(USE_ROCM)`.
//! Invariant: equal conditions are equal numbers, as long as the bounds are kept; past them a
//! condition may hold in more builds than it says, and everything still ends.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

/// A condition, by its place in [`Conditions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition(u32);

impl Condition {
    /// No build.
    pub const NEVER: Condition = Condition(0);
    /// Each build.
    pub const ALWAYS: Condition = Condition(1);
}

/// A decision: the number of an atom, and what is left to hold without and with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    atom: u32,
    without: Condition,
    with: Condition,
}

/// The atoms of constants, after all others.
const CONSTANT: u32 = u32::MAX;

/// How many atoms there can be; more are one, which nobody can decide.
const MAX_ATOMS: usize = 600;

/// How many decisions there can be, and how many steps to make them.
const MAX_NODES: usize = 50_000;
const MAX_STEPS: usize = 2_000_000;

/// All conditions of a run.
#[derive(Debug)]
pub struct Conditions {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Condition>,
    decided: FxHashMap<[Condition; 3], Condition>,
    atoms: Vec<String>,
    numbers: FxHashMap<String, u32>,
    steps: usize,
}

impl Default for Conditions {
    fn default() -> Self {
        let constant = |value| Node { atom: CONSTANT, without: value, with: value };
        Conditions {
            nodes: vec![constant(Condition::NEVER), constant(Condition::ALWAYS)],
            known: FxHashMap::default(),
            decided: FxHashMap::default(),
            atoms: Vec::new(),
            numbers: FxHashMap::default(),
            steps: 0,
        }
    }
}

impl Conditions {
    /// The condition that is one text.
    pub fn atom(&mut self, text: &str) -> Condition {
        let number = match self.numbers.get(text) {
            Some(number) => *number,
            None => {
                let text = if self.atoms.len() < MAX_ATOMS { text } else { "a further condition" };
                let next = u32::try_from(self.atoms.len()).unwrap_or(CONSTANT - 1);
                let number = *self.numbers.entry(text.to_owned()).or_insert(next);
                if number == next {
                    self.atoms.push(text.to_owned());
                }
                number
            }
        };
        self.node(Node { atom: number, without: Condition::NEVER, with: Condition::ALWAYS })
    }

    /// What does not hold where this one does.
    pub fn not(&mut self, one: Condition) -> Condition {
        self.choose(one, Condition::NEVER, Condition::ALWAYS)
    }

    /// What holds where both do.
    pub fn and(&mut self, one: Condition, other: Condition) -> Condition {
        self.choose(one, other, Condition::NEVER)
    }

    /// What holds where one of them does.
    pub fn or(&mut self, one: Condition, other: Condition) -> Condition {
        self.choose(one, Condition::ALWAYS, other)
    }

    /// What holds where the first does, and the second does not.
    pub fn without(&mut self, one: Condition, other: Condition) -> Condition {
        self.choose(other, Condition::NEVER, one)
    }

    /// Whether some build has both.
    pub fn meet(&mut self, one: Condition, other: Condition) -> bool {
        self.and(one, other) != Condition::NEVER
    }

    /// Where the first holds, the second one; elsewhere the third.
    pub fn choose(&mut self, first: Condition, then: Condition, otherwise: Condition) -> Condition {
        match (first, then, otherwise) {
            (Condition::ALWAYS, ..) => return then,
            (Condition::NEVER, ..) => return otherwise,
            _ if then == otherwise => return then,
            (_, Condition::ALWAYS, Condition::NEVER) => return first,
            _ => {}
        }
        let key = [first, then, otherwise];
        if let Some(known) = self.decided.get(&key) {
            return *known;
        }
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return if otherwise == Condition::NEVER { then } else { otherwise };
        }
        let atom = key.iter().map(|one| self.at(*one).atom).min().unwrap_or(CONSTANT);
        let part = |with: bool| key.map(|one| self.cofactor(one, atom, with));
        let ([a, b, c], [d, e, f]) = (part(false), part(true));
        let without = self.choose(a, b, c);
        let with = self.choose(d, e, f);
        let result = self.node(Node { atom, without, with });
        self.decided.insert(key, result);
        result
    }

    /// A condition as it is where another one holds: shorter, and with the same meaning there.
    pub fn given(&mut self, one: Condition, holds: Condition) -> Condition {
        if holds == Condition::ALWAYS || matches!(one, Condition::ALWAYS | Condition::NEVER) {
            return one;
        }
        if one == holds || holds == Condition::NEVER {
            return Condition::ALWAYS;
        }
        let atom = self.at(one).atom.min(self.at(holds).atom);
        let (one_without, one_with) = (self.cofactor(one, atom, false), self.cofactor(one, atom, true));
        let (without, with) = (self.cofactor(holds, atom, false), self.cofactor(holds, atom, true));
        self.steps += 1;
        if with == Condition::NEVER || self.steps > MAX_STEPS {
            return self.given(one_without, without);
        }
        if without == Condition::NEVER {
            return self.given(one_with, with);
        }
        let (without, with) = (self.given(one_without, without), self.given(one_with, with));
        self.node(Node { atom, without, with })
    }

    /// The first atom of a condition, and what is left without and with it; `None` for constants.
    pub(crate) fn decision(&self, one: Condition) -> Option<(&str, Condition, Condition)> {
        let node = self.at(one);
        let text = self.atoms.get(node.atom as usize)?;
        Some((text, node.without, node.with))
    }

    fn at(&self, one: Condition) -> Node {
        self.nodes[one.0 as usize]
    }

    fn cofactor(&self, one: Condition, atom: u32, with: bool) -> Condition {
        let node = self.at(one);
        match (node.atom == atom, with) {
            (false, _) => one,
            (true, true) => node.with,
            (true, false) => node.without,
        }
    }

    fn node(&mut self, node: Node) -> Condition {
        if node.without == node.with {
            return node.with;
        }
        let is_full = self.nodes.len() >= MAX_NODES;
        match self.known.entry(node) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(_) if is_full => Condition::ALWAYS,
            Entry::Vacant(free) => {
                let next = u32::try_from(self.nodes.len()).map_or(Condition::ALWAYS, Condition);
                self.nodes.push(node);
                *free.insert(next)
            }
        }
    }
}

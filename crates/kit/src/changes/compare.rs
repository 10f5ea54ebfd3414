//! Compares two states.
//!
//! Invariant: the order of changes is that of the old state, then what the new one adds.

use std::collections::HashMap;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::calls;
use super::list::{Adjust, List, Rules, Texts};
use super::pairs::renamed;
use super::parts;
use super::{Change, ChangeKind, Fact, Thing, kinds};

/// What a thing is found by.
type Key<'t> = (&'static str, &'t str);

fn key(thing: &Thing) -> Key<'_> {
    (thing.kind, &thing.name)
}

/// Every change from `old` to `new`.
pub fn compare(old: &[Thing], new: &[Thing], rules: Rules) -> Vec<Change> {
    let by_name = |things| -> HashMap<Key<'_>, usize> {
        let things: &[Thing] = things;
        things.iter().enumerate().map(|(at, thing)| (key(thing), at)).collect()
    };
    let (in_old, in_new) = (by_name(old), by_name(new));
    // What has no name is a state as a whole, which is empty if it is not there.
    let gone = old.iter().filter(|thing| !thing.name.is_empty() && !in_new.contains_key(&key(thing)));
    let fresh = new.iter().filter(|thing| !thing.name.is_empty() && !in_old.contains_key(&key(thing)));
    let (gone, fresh): (Vec<&Thing>, Vec<&Thing>) = (gone.collect(), fresh.collect());
    let pairs = renamed(&gone, &fresh);
    let functions = (calls::by_name(old), calls::by_name(new));
    let of_old = |before: &Thing| {
        let mut list = List { rules, changes: Vec::new() };
        let after = match in_new.get(&key(before)) {
            Some(at) => &new[*at],
            None => match pairs.iter().find(|(gone, _)| std::ptr::eq(*gone, before)) {
                Some((_, fresh)) => {
                    list.renamed(before, fresh);
                    fresh
                }
                None => {
                    if !before.name.is_empty() {
                        list.removed(before, old, &in_new);
                    }
                    return list.changes;
                }
            },
        };
        // Its parts are those of the declaration that it is made from.
        if !(before.generated && after.generated) {
            parts::compare(before, after, &mut list);
            list.facts(before, after);
            if let Some(stay) = calls::stay(before, after, &functions.0, &functions.1) {
                list.calls(stay);
            }
        }
        list.changes
    };
    let changes: Vec<Vec<Change>> = old.par_iter().map(of_old).collect();
    let mut list = List { rules, changes: changes.into_iter().flatten().collect() };
    for after in fresh.iter().filter(|fresh| !pairs.iter().any(|(_, other)| std::ptr::eq(*other, **fresh))) {
        let made = after.generated && fresh.iter().any(|base| !base.generated && base.place == after.place);
        if !made {
            let message = format!("{} `{}` is new", after.kind, after.name);
            list.add(&kinds::ADDED, after, message, Texts::added(after.place, &after.text), Adjust::default());
        }
    }
    list.changes
}

impl List {
    fn renamed(&mut self, before: &Thing, after: &Thing) {
        let message = format!("{} `{}` is now named `{}`", before.kind, before.name, after.name);
        let texts = Texts::both(before.place, &before.text, after.place, &after.text);
        self.add(&kinds::RENAMED, after, message, texts, Adjust::default());
    }

    /// What is made from a declaration is gone with it.
    fn removed(&mut self, thing: &Thing, old: &[Thing], in_new: &HashMap<Key<'_>, usize>) {
        let stays = |base: &Thing| in_new.contains_key(&key(base));
        let is_base = |base: &&Thing| !base.generated && base.place == thing.place;
        if thing.generated && old.iter().find(is_base).is_some_and(|base| !stays(base)) {
            return;
        }
        let message = format!("{} `{}` is gone", thing.kind, thing.name);
        let texts = Texts::removed(thing.place, &thing.text, None);
        self.add(&kinds::REMOVED, thing, message, texts, Adjust::default());
    }

    fn facts<'t>(&mut self, before: &'t Thing, after: &'t Thing) {
        let same = |a: &Fact, b: &Fact| std::ptr::eq(a.of, b.of) && a.key == b.key;
        // Most are at the same place of the list.
        let find = |fact: &Fact, at: usize, list: &'t [Fact]| {
            list.get(at).filter(|other| same(fact, other)).or_else(|| list.iter().find(|other| same(fact, other)))
        };
        for (at, old) in before.facts.iter().enumerate() {
            match find(old, at, &after.facts) {
                Some(new) if new.value == old.value => {}
                Some(new) if old.of.names_parts && new.value == parts::with_new_names(&old.value, before, after) => {}
                Some(new) => {
                    let texts = Texts::both(old.place, &old.value, new.place.or(after.place), &new.value);
                    self.fact(Some(old.of.changed), after, old, new, texts);
                }
                None if (old.of.served)(after, &old.key) => {}
                None => {
                    let texts = Texts::removed(old.place.or(before.place), shown(old), after.place);
                    self.fact(old.of.removed, after, old, old, texts);
                }
            }
        }
        for (at, new) in after.facts.iter().enumerate() {
            if find(new, at, &before.facts).is_some() {
                continue;
            }
            let texts = Texts { old: before.place, ..Texts::added(new.place.or(after.place), shown(new)) };
            self.fact(new.of.added, after, new, new, texts);
        }
    }

    fn fact(&mut self, of: Option<(&'static ChangeKind, &str)>, thing: &Thing, old: &Fact, new: &Fact, texts: Texts) {
        let Some((kind, sentence)) = of else { return };
        let message = sentence
            .replace("THING", &format!("{} `{}`", thing.kind, thing.name))
            .replace("KEY", &old.key)
            .replace("OLD", &old.value)
            .replace("NEW", &new.value);
        self.add(kind, thing, message, texts, Adjust { key: Some(old.key.clone()), ..Adjust::default() });
    }
}

/// What a fact shows by itself.
fn shown(fact: &Fact) -> &str {
    if fact.value.is_empty() { &fact.key } else { &fact.value }
}

//! The list that comparing makes.
//!
//! Invariant: a change has the effects of its kind, as the family has them, with adjustments.

use super::{Category, Change, Effect, Kind, Thing};
use torchgen_base::diag::Span;

/// What a family decides.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Whether every value of the second type is one of the first, for who saves programs.
    pub accepts: fn(&str, &str) -> bool,
    /// Whether C++ converts every value of the second type to the first.
    pub converts: fn(&str, &str) -> bool,
    /// What a kind breaks.
    pub effects: fn(&'static Kind) -> &'static [Effect],
}

/// Both places and texts of a change.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) old: Option<Span>,
    pub(super) new: Option<Span>,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

impl Texts {
    pub(super) fn removed(old: Option<Span>, before: &str, new: Option<Span>) -> Texts {
        Texts { old, new, before: Some(before.to_owned()), after: None }
    }

    pub(super) fn added(new: Option<Span>, after: &str) -> Texts {
        Texts { new, after: Some(after.to_owned()), ..Texts::default() }
    }

    pub(super) fn both((old, before): (Option<Span>, &str), (new, after): (Option<Span>, &str)) -> Texts {
        Texts { old, new, before: Some(before.to_owned()), after: Some(after.to_owned()) }
    }
}

/// How a change differs from its kind.
#[derive(Debug, Default)]
pub(super) struct Adjust {
    /// Whom it does not concern.
    pub(super) without: &'static [Category],
    /// What else it does.
    pub(super) with: Vec<Effect>,
    /// Which property of the thing it is about.
    pub(super) key: Option<String>,
}

/// The changes so far.
pub(super) struct List {
    pub(super) rules: Rules,
    pub(super) changes: Vec<Change>,
}

impl List {
    /// Adds a change of a thing.
    pub(super) fn add(&mut self, kind: &'static Kind, thing: &Thing, message: String, texts: Texts, adjust: Adjust) {
        let own = (self.rules.effects)(kind).iter().filter(|effect| !adjust.without.contains(&effect.category));
        let effects = own.copied().chain(adjust.with).collect();
        let key = adjust.key.filter(|key| !key.is_empty());
        let Texts { old, new, before, after } = texts;
        let thing = (thing.kind, thing.name.clone());
        self.changes.push(Change { kind, thing, key, message, old, new, before, after, effects });
    }
}

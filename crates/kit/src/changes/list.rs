//! The list that comparing makes.
//!
//! Invariant: a change has the effects of its kind, as the family has them, with adjustments.

use super::{Category, Change, ChangeKind, Effect, Level, Part, Thing, kinds};
use torchgen_base::diag::Span;

/// What a family decides.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Whether every value of the second type is one of the first, for who saves programs.
    pub accepts: fn(&str, &str) -> bool,
    /// Whether C++ converts every value of the second type to the first.
    pub converts: fn(&str, &str) -> bool,
    /// What a new part with a default does beside what its kind says.
    pub added: fn(&Part) -> Option<Effect>,
    /// Whom changes of a kind of things concern.
    pub categories: fn(&str) -> &'static [Category],
    /// What kinds break that they do not say themselves; the first row that fits counts.
    pub effects: &'static [Own],
    /// What to do instead of a change that breaks somebody.
    pub help: fn(&'static ChangeKind) -> Option<&'static str>,
}

/// What a kind breaks in one family.
#[derive(Debug)]
pub struct Own {
    /// The kind.
    pub kind: &'static ChangeKind,
    /// The role of the parts that it is about, and maybe their type: `input`, `input Tensor[]`.
    /// Empty for all.
    pub part: &'static str,
    /// What it breaks.
    pub effects: &'static [Effect],
}

impl Rules {
    /// What a change breaks, of a thing or of a part of it.
    fn effects(&self, kind: &'static ChangeKind, part: Option<&Part>) -> &'static [Effect] {
        let fits = |own: &&Own| {
            let is_part = part.is_some_and(|part| match own.part.strip_prefix(part.role) {
                Some(ty) => ty.is_empty() || ty.strip_prefix(' ').is_some_and(|ty| ty == part.ty),
                None => false,
            });
            std::ptr::eq(own.kind, kind) && (own.part.is_empty() || is_part)
        };
        self.effects.iter().find(fits).map_or(kind.effects, |own| own.effects)
    }
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

    pub(super) fn both(old: Option<Span>, before: &str, new: Option<Span>, after: &str) -> Texts {
        Texts { old, new, before: Some(before.to_owned()), after: Some(after.to_owned()) }
    }
}

/// How a change differs from its kind.
#[derive(Debug, Default)]
pub(super) struct Adjust<'t> {
    /// Whom it does not concern.
    pub(super) without: &'static [Category],
    /// What else it does.
    pub(super) with: Vec<Effect>,
    /// Which property of the thing it is about.
    pub(super) key: Option<String>,
    /// Which part of the thing it is about.
    pub(super) part: Option<&'t Part>,
}

impl<'t> Adjust<'t> {
    /// A change of a part.
    pub(super) fn of_part(part: &'t Part) -> Adjust<'t> {
        Adjust { part: Some(part), ..Adjust::default() }
    }
}

/// The changes so far.
pub(super) struct List {
    pub(super) rules: Rules,
    pub(super) changes: Vec<Change>,
}

impl List {
    /// Says of the changes of a thing's parts whether calls in C++ still compile, which is known.
    pub(super) fn calls(&mut self, stay: bool) {
        let is_of_calls = |change: &&mut Change| kinds::OF_CALLS.iter().any(|kind| std::ptr::eq(*kind, change.kind));
        let breaks = |effect: &Effect| effect.category == Category::Source && effect.level == Level::Breaking;
        let is_said = self.changes.iter().any(|change| change.effects.iter().any(breaks));
        let mut of_calls = self.changes.iter_mut().filter(is_of_calls);
        if stay {
            of_calls.for_each(|change| change.effects.retain(|effect| !breaks(effect)));
        } else if let Some(change) = of_calls.next().filter(|_| !is_said) {
            change.effects.retain(|effect| effect.category != Category::Source);
            change.effects.insert(0, kinds::SOME_CALLS);
        }
    }

    /// Adds a change of a thing.
    pub(super) fn add(
        &mut self,
        kind: &'static ChangeKind,
        thing: &Thing,
        message: String,
        texts: Texts,
        adjust: Adjust<'_>,
    ) {
        let concerned = (self.rules.categories)(thing.kind);
        let own = self.rules.effects(kind, adjust.part).iter().copied();
        let own = own.filter(|effect| !adjust.without.contains(&effect.category));
        let effects = own.chain(adjust.with).filter(|effect| concerned.contains(&effect.category)).collect();
        let key = adjust.key.filter(|key| !key.is_empty());
        let Texts { old, new, before, after } = texts;
        let thing = (thing.kind, thing.name.clone());
        let help = (self.rules.help)(kind);
        self.changes.push(Change { kind, help, thing, key, message, old, new, before, after, effects });
    }
}

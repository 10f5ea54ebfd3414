//! The changes between two versions of a family file, and what they break.
//!
//! Invariant: equal models give no changes; every change names its record.

use serde::Serialize;

use super::model::{Field, Model, Record};

/// What a change breaks. It is serialized as text for readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Effect {
    /// Existing files cannot be read or change their meaning.
    #[serde(rename = "breaks importers")]
    BreaksFiles,
    /// Existing files can be read, but existing code does not compile.
    #[serde(rename = "breaks callers")]
    BreaksCode,
    /// Nothing breaks.
    #[serde(rename = "compatible")]
    Compatible,
}

/// What changed since an older version, for a template.
#[derive(Debug, Serialize)]
pub struct Changes {
    /// As [`diff`] finds them.
    pub changes: Vec<Change>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What it breaks.
    pub effect: Effect,
    /// The kind and name of the record.
    pub record: String,
    /// The change, in a few words.
    pub what: String,
}

/// Every change from `old` to `new`, the records of `old` first. `member` is the role of fields
/// that files refer to by name, so that their order in a file does not matter.
pub fn diff(old: &Model, new: &Model, member: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    for before in &old.records {
        match find(new, before) {
            Some(after) => compare(before, after, member, &mut changes),
            None => changes.push(change(Effect::BreaksFiles, before, "removed".to_owned())),
        }
    }
    for after in new.records.iter().filter(|after| find(old, after).is_none()) {
        changes.push(change(Effect::Compatible, after, "added".to_owned()));
    }
    changes
}

fn find<'a>(model: &'a Model, record: &Record) -> Option<&'a Record> {
    model.records.iter().find(|other| other.kind == record.kind && other.name == record.name)
}

fn change(effect: Effect, record: &Record, what: String) -> Change {
    Change { effect, record: format!("{} {}", record.kind, record.name), what }
}

fn compare(before: &Record, after: &Record, member: &str, changes: &mut Vec<Change>) {
    let same = |a: &Field, b: &Field| a.role == b.role && a.name == b.name;
    for old in &before.fields {
        let is_member = old.role == member;
        let Some(new) = after.fields.iter().find(|new| same(new, old)) else {
            let effect = if is_member { Effect::BreaksCode } else { Effect::BreaksFiles };
            changes.push(change(effect, after, format!("{} {} removed", old.role, old.name)));
            continue;
        };
        if old.ty != new.ty {
            let what = format!("{} {} was `{}`, is `{}`", old.role, old.name, old.ty, new.ty);
            changes.push(change(Effect::BreaksFiles, after, what));
        }
        if old.default != new.default {
            let show = |default: &Option<String>| default.clone().unwrap_or_else(|| "none".to_owned());
            let what = format!(
                "the default of {} {} was {}, is {}",
                old.role,
                old.name,
                show(&old.default),
                show(&new.default)
            );
            let effect = if new.default.is_none() { Effect::BreaksCode } else { Effect::Compatible };
            changes.push(change(effect, after, what));
        }
    }
    for new in after.fields.iter().filter(|new| !before.fields.iter().any(|old| same(old, new))) {
        let effect = if new.role == member && new.default.is_some() { Effect::Compatible } else { Effect::BreaksFiles };
        changes.push(change(effect, after, format!("{} {} added", new.role, new.name)));
    }
    let order = |of: &Record, other: &Record, members: bool| -> Vec<String> {
        let kept = of.fields.iter().filter(|field| (field.role == member) == members);
        kept.filter(|field| other.fields.iter().any(|counterpart| same(counterpart, field)))
            .map(|field| field.name.clone())
            .collect()
    };
    if order(before, after, false) != order(after, before, false) {
        changes.push(change(Effect::BreaksFiles, after, "operands are in another order".to_owned()));
    }
    if order(before, after, true) != order(after, before, true) {
        changes.push(change(Effect::BreaksCode, after, "members are in another order".to_owned()));
    }
    if before.facts != after.facts {
        let gone = before.facts.iter().filter(|fact| !after.facts.contains(fact)).map(|fact| format!("-{fact}"));
        let come = after.facts.iter().filter(|fact| !before.facts.contains(fact)).map(|fact| format!("+{fact}"));
        let what: Vec<String> = gone.chain(come).collect();
        changes.push(change(Effect::Compatible, after, what.join(", ")));
    }
}

//! Changes as diagnostics: the new line with the old one beside it, and what breaks.
//!
//! Invariant: a change that breaks is an error, a risky one a warning, and any other a note, which
//! is only shown if it is asked for.

use clap::ValueEnum;
use serde::Serialize;

use super::{Category, Change, Effect, Level};
use torchgen_base::diag::{Diagnostic, Severity, plural};

/// The least serious changes to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, ValueEnum)]
pub enum Least {
    /// All, also those that break nobody
    Any,
    /// Those that break some uses, too; they also fail
    Risky,
    /// Those that break uses that were right before
    #[default]
    Breaking,
}

/// What is shown.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// Whom it concerns; everybody, if there is none.
    pub categories: Vec<Category>,
    /// From which level on.
    pub least: Least,
}

/// The end of the summary of a run without errors. `quiet` if it shows no change.
pub fn verdict(changes: usize, quiet: bool) -> String {
    match (changes, quiet) {
        (0, _) => "nothing changed".to_owned(),
        (count, true) => format!("{}, none shown: `--level any` shows all", plural(count, "change")),
        (count, false) => format!("{}, nothing breaks", plural(count, "change")),
    }
}

/// What of a change programs read.
#[derive(Serialize)]
struct Data<'a> {
    kind: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<&'a str>,
    effects: &'a [Effect],
}

impl Shown {
    /// The change with the effects that are shown, if it is.
    pub fn with_shown_effects(&self, change: Change) -> Option<Change> {
        let wanted = |effect: &Effect| self.categories.is_empty() || self.categories.contains(&effect.category);
        let mut effects: Vec<Effect> = change.effects.iter().copied().filter(wanted).collect();
        effects.sort_by_key(|effect| (effect.category, std::cmp::Reverse(effect.level)));
        // The most serious of each category says enough.
        effects.dedup_by_key(|effect| effect.category);
        let change = Change { effects, ..change };
        let level = change.level();
        let shown = match self.least {
            Least::Any => true,
            Least::Risky => level >= Level::Risky,
            Least::Breaking => level == Level::Breaking,
        };
        shown.then_some(change)
    }

    /// Whether a change makes the run fail that is only risky.
    pub fn risky_fails(&self) -> bool {
        self.least == Least::Risky
    }
}

/// All changes as a page of documentation shows them.
#[derive(Debug, Serialize)]
pub struct Page {
    changes: Vec<Row>,
}

/// A row of the page.
#[derive(Debug, Serialize)]
struct Row {
    code: &'static str,
    message: String,
    /// Whom it breaks: `source`, `saved (risky)`.
    breaks: Vec<String>,
}

impl Page {
    /// The page of changes.
    pub fn from_changes(changes: &[Change]) -> Page {
        let everybody = Shown { least: Least::Any, ..Shown::default() };
        let row = |change: Change| Row {
            code: change.kind.code.name,
            breaks: change.effects.iter().map(whom).collect(),
            message: change.message,
        };
        Page {
            changes: changes
                .iter()
                .filter_map(|change| everybody.with_shown_effects(change.clone()))
                .map(row)
                .collect(),
        }
    }
}

/// Whom an effect concerns, and whether it only may.
pub fn whom(effect: &Effect) -> String {
    let how = if effect.level == Level::Risky { " (risky)" } else { "" };
    format!("{}{how}", effect.category.as_str())
}

/// Warnings about changes after which what was saved does not load, for a run that generates files.
pub fn warnings(changes: &[Change]) -> impl Iterator<Item = Diagnostic> + '_ {
    let shown = Shown { categories: vec![Category::Saved], least: Least::Breaking };
    let broken = changes.iter().filter_map(move |change| shown.with_shown_effects(change.clone()));
    broken.map(|change| diagnostic(&change).severity(Severity::Warning))
}

/// A change as a diagnostic, with help for who made it.
pub fn diagnostic(change: &Change) -> Diagnostic {
    let help = change.help.filter(|_| change.level() == Level::Breaking);
    described(change).maybe_help(help)
}

/// A change as a diagnostic, for who did not make it.
pub fn described(change: &Change) -> Diagnostic {
    let severity = match change.level() {
        Level::Breaking => Severity::Error,
        Level::Risky => Severity::Warning,
        Level::Compatible => Severity::Note,
    };
    let mut shown = Diagnostic::new(&change.kind.code, &change.message).severity(severity);
    shown = match (change.new, change.old) {
        (Some(new), Some(old)) => shown.at(new).also(old, "before"),
        (Some(new), None) => shown.at(new),
        (None, Some(old)) => shown.at_with(old, "before"),
        (None, None) => shown,
    };
    for effect in &change.effects {
        shown = shown.note(format!("{}: {}", whom(effect), effect.why));
    }
    let data = Data {
        kind: change.thing.0,
        name: &change.thing.1,
        key: change.key.as_deref(),
        old: change.before.as_deref(),
        new: change.after.as_deref(),
        effects: &change.effects,
    };
    shown.with_change(serde_json::to_string(&data).expect("strings always serialize"))
}

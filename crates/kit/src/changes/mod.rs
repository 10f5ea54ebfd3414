//! What changed between two states of a schema, and whom it breaks: one list for all families.
//!
//! Data flows `things -> compare -> changes -> report`: a family describes both states as
//! [`Thing`]s, [`compare`] lists what differs, and [`report`] makes diagnostics of it. [`family`]
//! makes things of the facts of a family. [`comment`] shows the same changes as Markdown.
//!
//! Invariant: equal states give no changes. A change has one [`ChangeKind`], which is in the table
//! of [`kinds`], and the effects of that kind that apply.

mod calls;
pub mod comment;
mod compare;
pub mod family;
pub mod functions;
pub mod kinds;
mod list;
mod pairs;
mod parts;
pub mod report;
mod thing;

use clap::ValueEnum;
use serde::Serialize;

pub use compare::compare;
pub use kinds::ChangeKind;
pub use list::{Own, Rules};
pub use thing::{Fact, FactKind, Group, Part, Said, Thing, unserved};
use torchgen_base::diag::Span;

/// Whom a change concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// C++ code that calls it, when it is compiled again
    Source,
    /// Python code that calls it
    Python,
    /// Programs and files that were saved before: torch.export, TorchScript, graphs
    Saved,
    /// C++ code that calls it, and is not compiled again
    Binary,
    /// The numbers that it computes
    Numerics,
}

impl Category {
    /// The word in messages and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Category::Source => "source",
            Category::Python => "python",
            Category::Saved => "saved",
            Category::Binary => "binary",
            Category::Numerics => "numerics",
        }
    }
}

/// Everybody.
pub const EVERYBODY: &[Category] =
    &[Category::Source, Category::Python, Category::Saved, Category::Binary, Category::Numerics];

/// How serious a change is, the least serious first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It breaks nobody.
    Compatible,
    /// It breaks some uses.
    Risky,
    /// It breaks uses that were right before.
    Breaking,
}

/// What a change does to somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Effect {
    /// Whom it concerns.
    pub category: Category,
    /// How serious that is.
    pub level: Level,
    /// What happens, as a clause.
    pub why: &'static str,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its kind.
    pub kind: &'static ChangeKind,
    /// What to do instead, if it breaks somebody.
    pub help: Option<&'static str>,
    /// The kind and the name of what changed: `operator my_ops::scale`.
    pub thing: (&'static str, String),
    /// Which property of it: a dispatch key, a tag.
    pub key: Option<String>,
    /// One sentence.
    pub message: String,
    /// Where it is in the old state.
    pub old: Option<Span>,
    /// Where it is in the new state.
    pub new: Option<Span>,
    /// Its text in the old state.
    pub before: Option<String>,
    /// Its text in the new state.
    pub after: Option<String>,
    /// Whom it breaks.
    pub effects: Vec<Effect>,
}

impl Change {
    /// Its most serious effect.
    pub fn level(&self) -> Level {
        self.effects.iter().map(|effect| effect.level).max().unwrap_or(Level::Compatible)
    }
}

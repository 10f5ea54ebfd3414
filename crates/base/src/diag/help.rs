//! What a diagnostic advises: a sentence, and perhaps the edits that it describes.
//!
//! Invariant: a help shows what to write in words too; its edits only say the same to programs.
//! `fix` finds the bytes that they replace.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::Span;

/// Whether a fix is right without a look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// It is what is meant: there is one candidate, or only one way to write it.
    Certain,
    /// It is what the help says, but something else may be meant.
    Likely,
}

impl Applicability {
    /// Its name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Applicability::Certain => "certain",
            Applicability::Likely => "likely",
        }
    }
}

/// How to fix an error. It dereferences to its sentence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Help {
    text: String,
    pub(super) fix: Option<Remedy>,
}

/// The edits of a help.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Remedy {
    pub(super) applicability: Applicability,
    pub(super) changes: Vec<Change>,
}

/// A change of a text, relative to the place of its diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Change {
    /// The only place of a word within that of the diagnostic becomes another.
    Word { word: String, by: String },
    /// The place of the diagnostic becomes this.
    Whole { by: String },
    /// The place of the diagnostic becomes this, with a text that is right before it.
    With { before: String, by: String },
    /// Another place becomes this.
    At { span: Span, by: String },
    /// The first place of what is spelled so after the start of the diagnostic's, in its line.
    After { text: String, by: String },
    /// A key is added to the mapping with this key, after the value that ends at a place.
    Key { key: Span, after: Span, line: String },
    /// A key goes away, with its value, which is at a place.
    Without { key: String, value: Span },
}

impl Help {
    /// A sentence without edits.
    pub fn new(text: impl Into<String>) -> Help {
        Help { text: text.into(), fix: None }
    }

    /// "write `this`", in place of what the diagnostic is about.
    pub fn write(by: impl Into<String>) -> Help {
        let by = by.into();
        Help::new(format!("write `{by}`")).instead(by)
    }

    /// The sentence.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it replaces something by this word.
    pub fn writes(&self, word: &str) -> bool {
        let mut changes = self.fix.iter().flat_map(|fix| &fix.changes);
        changes.any(|change| matches!(change, Change::Word { by, .. } | Change::Whole { by } if by == word))
    }

    /// The same as the only way to write it.
    #[must_use]
    pub fn certainly(mut self) -> Help {
        if let Some(fix) = &mut self.fix {
            fix.applicability = Applicability::Certain;
        }
        self
    }

    /// The same as certain if a condition holds.
    #[must_use]
    pub fn certainly_if(self, certain: bool) -> Help {
        if certain { self.certainly() } else { self }
    }

    /// Replaces the place of the diagnostic; by nothing to delete it.
    #[must_use]
    pub fn instead(self, by: impl Into<String>) -> Help {
        self.with(Change::Whole { by: by.into() })
    }

    /// Replaces a word within the place of the diagnostic.
    #[must_use]
    pub fn word(self, word: impl Into<String>, by: impl Into<String>) -> Help {
        self.with(Change::Word { word: word.into(), by: by.into() })
    }

    /// Replaces the place of the diagnostic, and a text that is right before it.
    #[must_use]
    pub fn with_before(self, before: impl Into<String>, by: impl Into<String>) -> Help {
        self.with(Change::With { before: before.into(), by: by.into() })
    }

    /// Replaces another place.
    #[must_use]
    pub fn at(self, span: Span, by: impl Into<String>) -> Help {
        self.with(Change::At { span, by: by.into() })
    }

    /// Replaces a text that follows the start of the diagnostic in its line.
    #[must_use]
    pub fn after(self, text: impl Into<String>, by: impl Into<String>) -> Help {
        self.with(Change::After { text: text.into(), by: by.into() })
    }

    /// Adds a key with its value to a mapping in block style: `key` is the place of one of its
    /// keys, and `after` that of the value after which the line is added.
    #[must_use]
    pub fn key(self, key: Span, after: Span, line: impl Into<String>) -> Help {
        self.with(Change::Key { key, after, line: line.into() })
    }

    /// Deletes a key and its value, which is at a place, from a mapping in block style.
    #[must_use]
    pub fn without(self, key: impl Into<String>, value: Span) -> Help {
        self.with(Change::Without { key: key.into(), value })
    }

    fn with(mut self, change: Change) -> Help {
        let empty = Remedy { applicability: Applicability::Likely, changes: Vec::new() };
        self.fix.get_or_insert(empty).changes.push(change);
        self
    }

    /// The same with each text that is written changed, as its place needs; without a fix if one
    /// cannot be written there.
    #[must_use]
    pub(crate) fn written(mut self, write: impl Fn(&str) -> Option<String>) -> Help {
        let texts = self.fix.iter_mut().flat_map(|fix| &mut fix.changes).filter_map(|change| match change {
            Change::Word { by, .. } | Change::Whole { by } | Change::With { by, .. } | Change::After { by, .. } => {
                Some(by)
            }
            // The author of the change knows the place.
            Change::At { .. } | Change::Key { .. } | Change::Without { .. } => None,
        });
        let mut is_lost = false;
        for text in texts {
            match write(text) {
                Some(new) => *text = new,
                None => is_lost = true,
            }
        }
        if is_lost {
            self.fix = None;
        }
        self
    }
}

impl Deref for Help {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Help {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<String> for Help {
    fn from(text: String) -> Help {
        Help::new(text)
    }
}

impl From<&str> for Help {
    fn from(text: &str) -> Help {
        Help::new(text)
    }
}

impl From<Help> for String {
    fn from(help: Help) -> String {
        help.text
    }
}

impl PartialEq<&str> for Help {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

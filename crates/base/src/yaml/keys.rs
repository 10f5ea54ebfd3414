//! The keys of mappings and the shapes of their values: one declaration for readers and JSON
//! Schemas.
//!
//! Invariant: a reader takes only keys in its table, and reads each as the table's [`Shape`] says;
//! `Fields` ensures both.

use crate::diag::CodeInfo;

/// What null means as the value of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    /// The same as a missing key.
    Absent,
    /// An error.
    Refused,
}

/// The shape of a key's value.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A string.
    Text,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// Some of these words, separated by `, `.
    Words(&'static [&'static str]),
    /// A string of letters, digits and underscores.
    Identifier,
    /// Anything but an empty string.
    Filled,
    /// `True` or `False`.
    Bool,
    /// A list of strings.
    Texts,
    /// A list of strings and of mappings from one name to a mapping.
    TextsOrNamed(&'static KeyTable),
    /// A list of these words.
    WordList(&'static [&'static str]),
    /// A string, or a list of strings; editors offer these words.
    TextOrTexts(fn() -> Vec<String>),
    /// A string, a list of strings, or a mapping from strings to reasons; editors offer words.
    TextsOrReasons(fn() -> Vec<String>),
    /// A list of booleans and strings.
    BoolsAndTexts,
    /// Anything; the reader checks it.
    Any,
    /// A list of scalars.
    Scalars,
    /// A list of anything.
    Values,
    /// A mapping to lists of anything.
    ValueLists,
    /// A mapping from words, or comma-separated lists of words, to strings.
    Map(MapKeys),
    /// A string, or a mapping from these words to strings.
    TextOrMap(&'static [&'static str]),
    /// A string, or such a mapping.
    TextOrKeyed(MapKeys),
    /// A mapping to mappings to strings; editors offer these words for the outer keys.
    MapOfMaps(fn() -> Vec<String>),
    /// A list of mappings.
    Entries(&'static KeyTable),
    /// A mapping from names to mappings.
    Named(&'static KeyTable),
    /// A mapping.
    Keys(&'static KeyTable),
}

/// The keys of a mapping.
#[derive(Debug, Clone, Copy)]
pub struct MapKeys {
    /// The words that keys are made of; none if any word is a key.
    pub words: fn() -> Vec<String>,
    /// The words that editors offer.
    pub offered: fn() -> Vec<String>,
}

impl Shape {
    /// The mapping that is meant by one word, which is a value or a key.
    pub(crate) fn mapping_of(self, word: &str) -> Option<String> {
        let Shape::Map(keys) = self else { return None };
        if (keys.words)().iter().any(|key| key == word) {
            return Some(format!("{{{word}: …}}"));
        }
        Some(format!("{{{}: {word}}}", (keys.offered)().first()?))
    }

    /// Whether the value is one string.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Shape::Text | Shape::Identifier | Shape::Word(_) | Shape::Words(_))
    }

    /// Whether the value is a list of strings.
    pub(crate) fn is_texts(self) -> bool {
        matches!(self, Shape::Texts | Shape::WordList(_))
    }
}

/// A key that a mapping may have.
#[derive(Debug, Clone, Copy)]
pub struct KeySpec {
    /// The key.
    pub name: &'static str,
    /// What null means there.
    pub(crate) null: Null,
    /// The shape of its value.
    pub shape: Shape,
    /// Whether it is required.
    pub required: bool,
    /// What it is for, in one sentence.
    pub doc: &'static str,
}

impl KeySpec {
    /// An optional key that must not be null.
    pub const fn new(name: &'static str, shape: Shape, doc: &'static str) -> KeySpec {
        KeySpec { name, null: Null::Refused, shape, required: false, doc }
    }

    /// The key's meaning, as a help.
    pub(crate) fn meaning(&self) -> String {
        let doc = self.doc.strip_suffix('.').unwrap_or(self.doc);
        let mut rest = doc.chars();
        let first = rest.next().map(|c| c.to_ascii_lowercase());
        format!("`{}`: {}{}", self.name, first.into_iter().collect::<String>(), rest.as_str())
    }

    /// The same, but null counts as a missing key.
    pub const fn nullable(self) -> KeySpec {
        KeySpec { null: Null::Absent, ..self }
    }

    /// The same, but required.
    pub const fn required(self) -> KeySpec {
        KeySpec { required: true, ..self }
    }
}

/// How keys outside the table are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// As errors.
    Refused,
    /// They are ignored.
    Ignored,
    /// As names, or comma-separated lists of names, with strings as values.
    Texts {
        /// What the strings are.
        doc: &'static str,
        /// Examples of keys.
        examples: &'static [&'static str],
    },
}

/// The keys that a mapping may have.
#[derive(Debug, Clone, Copy)]
pub struct KeyTable {
    /// The subject of messages such as "an operator has no key `x`".
    pub what: &'static str,
    /// The keys.
    pub keys: &'static [KeySpec],
    /// How other keys are treated.
    pub others: Others,
    /// Keys that belong elsewhere, and the help for each.
    pub misplaced: &'static [(&'static str, &'static str)],
    /// The code for unknown keys.
    pub unknown: &'static CodeInfo,
}

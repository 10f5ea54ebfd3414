//! Which keys a mapping may have and what their values look like: the one declaration that readers and JSON Schemas are made from.
//!
//! Invariant: a reader takes no key that its table lacks, and takes each as the table's [`Shape`] says ([`Fields`](super::Fields) sees to both).
//! Deliberately absent: reading (see `fields`), and what a value means.

use crate::diag::CodeInfo;

/// What null does as the value of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    /// As if the key were not there.
    Absent,
    /// A fault.
    Fault,
}

/// What the value of a key looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    /// A string.
    Text,
    /// A string that is one of these words.
    Word(&'static [&'static str]),
    /// A string of these words, with `, ` between them.
    Words(&'static [&'static str]),
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
    /// A list of booleans and strings.
    BoolsAndTexts,
    /// Anything: the reader says what.
    Any,
    /// A list of anything.
    Values,
    /// A mapping to lists of anything.
    ValueLists,
    /// A mapping from words, or several with commas between them, to strings.
    Map(MapKeys),
    /// A string, or a mapping from these words to strings.
    TextOrMap(&'static [&'static str]),
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
pub(crate) struct MapKeys {
    /// The words that keys are made of.
    pub words: fn() -> Vec<String>,
    /// Those that editors offer.
    pub offered: fn() -> Vec<String>,
}

impl Shape {
    /// Whether the value is one string.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Shape::Text | Shape::Word(_) | Shape::Words(_))
    }

    /// Whether the value is a list of strings.
    pub(crate) fn is_texts(self) -> bool {
        matches!(self, Shape::Texts | Shape::WordList(_))
    }
}

/// A key that a mapping may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeySpec {
    /// The key.
    pub name: &'static str,
    /// What null does there.
    pub null: Null,
    /// What the value looks like.
    pub shape: Shape,
    /// Whether it must be there.
    pub required: bool,
    /// What it is for, in a sentence.
    pub doc: &'static str,
}

impl KeySpec {
    /// A key that may be left out, but not be null.
    pub(crate) const fn new(name: &'static str, shape: Shape, doc: &'static str) -> KeySpec {
        KeySpec { name, null: Null::Fault, shape, required: false, doc }
    }

    /// The same, where null is as good as no key.
    pub(crate) const fn nullable(self) -> KeySpec {
        KeySpec { null: Null::Absent, ..self }
    }

    /// The same, which must be there.
    pub(crate) const fn required(self) -> KeySpec {
        KeySpec { required: true, ..self }
    }
}

/// What becomes of keys that a table lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    /// They are faults.
    Refused,
    /// They mean nothing.
    Ignored,
    /// They are names, or several with commas between them, and their values strings.
    Texts {
        /// What the strings are.
        doc: &'static str,
        /// Some of them.
        examples: &'static [&'static str],
    },
}

/// The keys that a mapping may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyTable {
    /// What has these keys: `an operator`. Used in sentences such as "an operator has no key `x`".
    pub what: &'static str,
    /// The keys.
    pub keys: &'static [KeySpec],
    /// Keys beside them.
    pub others: Others,
    /// Keys that belong elsewhere, and what to say about them.
    pub misplaced: &'static [(&'static str, &'static str)],
    /// The code of leftover keys.
    pub unknown: &'static CodeInfo,
}

//! Texts of data by their numbers, so that one that occurs again costs only its number.
//!
//! Invariant: each text is in the table once, and keeps its number.

use std::borrow::Cow;

use indexmap::IndexSet;
use serde::Serialize;

/// The table. As JSON, it is a list.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub(super) struct Texts<'t>(IndexSet<Cow<'t, str>>);

impl<'t> Texts<'t> {
    /// The number of a text, which is added if it is new.
    pub(super) fn number(&mut self, text: impl Into<Cow<'t, str>>) -> usize {
        self.0.insert_full(text.into()).0
    }

    /// The numbers of texts.
    pub(super) fn numbers<T: Into<Cow<'t, str>>>(&mut self, all: impl IntoIterator<Item = T>) -> Vec<usize> {
        all.into_iter().map(|text| self.number(text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_there_once() {
        let mut texts = Texts::default();
        assert_eq!(texts.numbers(["a", "b", "a"]), [0, 1, 0]);
        assert_eq!(serde_json::to_string(&texts).expect("JSON"), r#"["a","b"]"#);
    }
}

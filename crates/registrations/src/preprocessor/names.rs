//! The texts of tokens, as numbers.
//!
//! Invariant: equal texts have equal numbers.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// A text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Name(u32);

/// All texts of a run.
#[derive(Debug, Default)]
pub(crate) struct Names {
    texts: Vec<Rc<str>>,
    numbers: FxHashMap<Rc<str>, Name>,
}

impl Names {
    /// The number of a text.
    pub(crate) fn of(&mut self, text: &str) -> Name {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let (text, name) = (Rc::<str>::from(text), Name(u32::try_from(self.texts.len()).unwrap_or(0)));
        self.texts.push(text.clone());
        self.numbers.insert(text, name);
        name
    }

    /// The text of a number.
    pub(crate) fn text(&self, name: Name) -> &str {
        self.texts.get(name.0 as usize).map_or("", |text| text)
    }
}

//! Traces which operators generated text is about, for `explain`.
//!
//! Texts about operators are marked with a character, see `about`. Marks are part
//! of the text, so they stay at their place when texts are joined, indented and split into files.
//! [`Trace::read_marks`] finds them in the files.
//!
//! Invariant: without the marks, the files of a traced run are those of any other run, so a text
//! that is compared, sorted or hashed is marked after that. A run without a trace has no marks.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use indexmap::IndexSet;

/// The private characters of a whole plane, which no generator writes. An input may contain them:
/// its lines can then be shown as an operator's.
const FIRST: u32 = 0xf_0000;
const LAST: u32 = 0xf_fffd;
/// The first byte of each of them in UTF-8.
const FIRST_BYTE: u8 = 0xf3;

/// Something that generated text can be about.
pub trait Traceable {
    /// Its name, unique in a run: `aten::add.Tensor`.
    fn full_name(&self) -> String;
}

impl<T: Traceable> Traceable for &T {
    fn full_name(&self) -> String {
        (*self).full_name()
    }
}

/// What a mark means.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Note {
    /// The full name of the operator that the text is about.
    pub operator: String,
    /// The key and the function, if the text registers a kernel.
    pub registered: Option<(String, String)>,
}

/// The trace of a run.
#[derive(Debug, Default)]
pub struct Trace {
    /// The full names of the operators to trace.
    wanted: BTreeSet<String>,
    /// A mark's number is the index of its note.
    notes: Mutex<IndexSet<Note>>,
}

impl Trace {
    /// A trace of the operators with these full names.
    pub fn new(wanted: impl IntoIterator<Item = String>) -> Trace {
        Trace { wanted: wanted.into_iter().collect(), notes: Mutex::default() }
    }

    /// The mark for an operator; `None` if it is not traced, or if the marks are used up.
    pub(super) fn mark(&self, operator: String, registered: Option<(&str, &str)>) -> Option<char> {
        if !self.wanted.contains(&operator) {
            return None;
        }
        let registered = registered.map(|(key, function)| (key.to_owned(), function.to_owned()));
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, _) = notes.insert_full(Note { operator, registered });
        let code = FIRST + u32::try_from(number).ok()?;
        char::from_u32(code).filter(|&mark| is_mark(mark))
    }

    /// The marks of a text that is given in pieces: their lines, from 1, and their notes.
    pub fn read_marks<'t>(&self, pieces: impl Iterator<Item = &'t str>) -> Vec<(usize, Note)> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        let mut line = 1;
        for piece in pieces {
            if memchr::memchr(FIRST_BYTE, piece.as_bytes()).is_some() {
                let mut counted = 0;
                for (at, mark) in piece.char_indices().filter(|&(_, c)| is_mark(c)) {
                    line += newlines(&piece[counted..at]);
                    counted = at;
                    let note = notes.get_index((u32::from(mark) - FIRST) as usize);
                    found.extend(note.map(|note| (line, note.clone())));
                }
                line += newlines(&piece[counted..]);
            } else {
                line += newlines(piece);
            }
        }
        found
    }
}

fn newlines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

fn is_mark(c: char) -> bool {
    (FIRST..=LAST).contains(&u32::from(c))
}

/// The text without marks.
#[cfg(any(test, feature = "testing"))]
pub fn without_marks(text: &str) -> String {
    text.chars().filter(|&c| !is_mark(c)).collect()
}

/// Changes the white space of a marked text. The change sees no marks, and each stays before its
/// character.
pub fn around_marks(text: &str, change: impl FnOnce(&str) -> String) -> String {
    let mut plain = String::with_capacity(text.len());
    // Each with the number of characters before it, without white space.
    let mut marks = Vec::new();
    let mut before = 0_usize;
    for c in text.chars() {
        if is_mark(c) {
            marks.push((before, c));
        } else {
            before += usize::from(!c.is_whitespace());
            plain.push(c);
        }
    }
    let changed = change(&plain);
    let mut out = String::with_capacity(changed.len() + 4 * marks.len());
    let mut marks = marks.into_iter().peekable();
    let mut before = 0;
    for c in changed.chars() {
        if !c.is_whitespace() {
            while let Some((_, mark)) = marks.next_if(|(place, _)| *place <= before) {
                out.push(mark);
            }
            before += 1;
        }
        out.push(c);
    }
    out.extend(marks.map(|(_, mark)| mark));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_changes_around_marks() {
        let text = "a{\u{f0000}b;\u{f0001} \u{f0002}c;\n}\u{f0003}\n";
        let laid_out = |text: &str| {
            assert_eq!(text, "a{b; c;\n}\n");
            "a {\n  b;\n  c;\n}\n".to_owned()
        };
        assert_eq!(around_marks(text, laid_out), "a {\n  \u{f0000}b;\n  \u{f0001}\u{f0002}c;\n}\n\u{f0003}");
    }
}
